// Lets agents think and move, and writes down what happens.
#include "tournaments/serve/tables.h"

#include "tournaments/serve/open_table.h"
#include "tournaments/serve/refused.h"

#include <algorithm>

namespace croupier::serve {
namespace {

using Why = Refused::Why;
constexpr std::size_t kMostSpec = 300; // letters of an agent

} // namespace

std::vector<std::string> Tables::agents_for(const games::Game& game) const {
    std::vector<std::string> specs = lent_.advisers(game);
    specs.emplace_back("random");
    for (const std::string& program : lent_.programs)
        specs.push_back(agents::parse_agent_spec(program).name);
    return specs;
}

std::unique_ptr<agents::Agent> Tables::make_agent(const std::string& spec, OpenTable& table,
                                                  const std::atomic<bool>& hurry) const {
    if (spec.size() > kMostSpec) throw Refused(Why::Wrong, "That is too long for an agent.");
    agents::AgentSpec parsed = agents::parse_agent_spec(spec);
    agents::Surroundings surroundings{.game = *table.game,
                                      .open = lent_.open,
                                      .folder = lent_.agents_folder,
                                      .clock = &lent_.clock,
                                      .abandon = &hurry,
                                      .programs = &table.programs,
                                      .starts_programs = false};
    for (const std::string& program : lent_.programs) {
        if (agents::parse_agent_spec(program).name != spec) continue;
        parsed = agents::parse_agent_spec(program);
        surroundings.starts_programs = true;
    }
    agents::MadeAgent made = agents::make_agent(parsed, surroundings);
    if (made.agent != nullptr) return std::move(made.agent);
    std::string what = made.error;
    for (const engine::Diagnostic& diagnostic : made.diagnostics.sorted())
        what += (what.empty() ? "" : "\n") + engine::format(diagnostic, made.sources);
    throw Refused(Why::Wrong, catalogue_.without_folders(what));
}

void Tables::seat_agents(OpenTable& table) const {
    const games::Game& game = table.table->game();
    table.agents.clear();
    for (agents::Seat seat = 0; seat < game.facts().seats(); ++seat) {
        if (table.table->is_person(seat)) {
            table.agents.push_back(nullptr);
            continue;
        }
        table.agents.push_back(std::make_shared<SeatedAgent>(
            game, seat, table.sheet.seed,
            make_agent(table.sheet.agents[seat], table, table.hurry)));
    }
}

// A program has no move until it has answered.
bool Tables::can_hurry(const OpenTable& table) const {
    const auto turn = table.table->turn();
    return turn && (table.thinking || table.called) &&
           std::none_of(lent_.programs.begin(), lent_.programs.end(), [&](const auto& program) {
               return agents::parse_agent_spec(program).name == table.sheet.agents[*turn];
           });
}

// An agent is at turn: somebody thinks for it when its pace allows.
void Tables::call(const std::shared_ptr<OpenTable>& table) {
    const auto turn = table->table->turn();
    if (!turn || table->table->is_person(*turn) || table->called || stopped_) return;
    table->called = true;
    thinkers_.after(std::chrono::milliseconds(table->sheet.pace_ms),
                    [this, table] { think(table); });
}

void Tables::think(const std::shared_ptr<OpenTable>& table) {
    std::unique_lock lock(table->mutex);
    const auto turn = table->table->turn();
    if (!turn || table->agents[*turn] == nullptr || table->thinking || stopped_) {
        table->called = false;
        return;
    }
    const std::shared_ptr<SeatedAgent> agent = table->agents[*turn];
    const std::vector<std::string> moves = table->table->moves();
    const std::size_t deal = table->sheet.deal;
    const std::uint64_t thought = ++table->thoughts;
    table->thinking = true;
    table->hurry = stopped_.load();
    lock.unlock();

    timer_.after(lent_.think, [table, thought] {
        const std::lock_guard late(table->mutex);
        if (table->thinking && table->thoughts == thought) table->hurry = true;
    });
    const SeatedAgent::Choice choice = agent->choose(moves);

    lock.lock();
    table->thinking = table->called = false;
    // Meanwhile somebody may have taken a move back, or dealt anew.
    const bool same = table->sheet.deal == deal && table->table->moves() == moves &&
                      table->table->turn() == turn && !stopped_;
    if (same && choice.resigns)
        table->table->resign(*turn);
    else if (same && choice.fault)
        table->table->give_up(*turn, *choice.fault);
    else if (same)
        table->table->play(choice.move);
    if (same) return changed(table);
    call(table);
}

// With the table locked: something has happened.
void Tables::changed(const std::shared_ptr<OpenTable>& table) {
    ++table->version;
    table->kept = folder_.append(table->sheet, table->table->take_record_lines());
    if (table->table->ended())
        std::fill(table->agents.begin(), table->agents.end(), nullptr); // programs may end
    table->changed.notify_all();
    call(table);
}

} // namespace croupier::serve
