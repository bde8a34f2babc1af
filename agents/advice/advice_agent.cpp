// Asks the table and follows the tree.
#include "agents/advice/advice_agent.h"

#include "agents/arguments.h"

#include <fmt/format.h>

namespace croupier::agents {

AdviceAgent::AdviceAgent(std::shared_ptr<const advice::AdviceTable> table, Otherwise otherwise,
                         const advice::SearchSettings& settings, bool keep_tree)
    : table_(std::move(table)), otherwise_(otherwise), keep_tree_(keep_tree), settings_(settings) {}

void AdviceAgent::reset(const Game&, Seat me) {
    me_ = me;
    node_ = Tree::kNone;
    fault_.reset();
}

void AdviceAgent::say(const std::string& line) {
    if (log_ != nullptr) log_->line(line);
}

bool AdviceAgent::decide(const Position& view) {
    if (table_->side() && *table_->side() != me_) {
        why_ = fmt::format("the table is for {}", view.game().facts().players[*table_->side()]);
        return false;
    }
    advice::SearchSettings settings = settings_;
    settings.explain = log_ != nullptr;
    if (strategy_ == nullptr) strategy_ = std::make_unique<advice::Strategy>(table_, settings);
    strategy_->look(view);
    decision_ = &strategy_->decide(me_);
    ++decisions_;
    nodes_ += decision_->nodes;
    if (log_ != nullptr)
        for (const std::string& line : strategy_->explain())
            say("  " + line);
    node_ = decision_->found() ? 0 : Tree::kNone;
    why_ = decision_->rule == advice::Decision::kNone ? "no rule of the table applies"
                                                      : "none of the rule's advice can be followed";
    return decision_->found();
}

// The tree continues here: it is this agent's move.
std::size_t AdviceAgent::follow(const Position& view) {
    const Tree& tree = decision_->tree;
    const std::string_view name = strategy_->move_name(tree.move(tree.first(node_)));
    for (std::size_t i = 0; i < view.move_count(); ++i)
        if (view.text(view.move(i)) == name) return i;
    throw advice::AdviceFault(fmt::format("{} is not a legal move", name));
}

std::size_t AdviceAgent::choose(const Position& view, Random& random) {
    try {
        const bool inside =
            keep_tree_ && node_ != Tree::kNone && decision_->tree.kind(node_) == Tree::Kind::Ours;
        say(fmt::format("{} to move: {}", view.game().facts().players[me_],
                        inside ? "the tree goes on" : "asks the table"));
        if (!inside && !decide(view)) return at_a_loss(view, random);
        const std::size_t chosen = follow(view);
        say(fmt::format("  plays {} by {}", view.text(view.move(chosen)), decision_->by));
        return chosen;
    } catch (const advice::AdviceFault& fault) {
        fault_ = {FaultKind::Crash, fault.what()};
        return kNoChoice;
    }
}

std::size_t AdviceAgent::at_a_loss(const Position& view, Random& random) {
    if (otherwise_ == Otherwise::Fault) {
        fault_ = {FaultKind::Crash, why_};
        say(fmt::format("  {}: gives up", why_));
        return kNoChoice;
    }
    ++losses_;
    const std::size_t chosen = otherwise_ == Otherwise::First ? 0 : random.below(view.move_count());
    say(fmt::format("  {}: plays {}", why_, view.text(view.move(chosen))));
    return chosen;
}

void AdviceAgent::observe(const Position&, const ObservedMove& move) {
    if (node_ == Tree::kNone) return;
    const Tree& tree = decision_->tree;
    Tree::Node next = tree.first(node_);
    while (next != Tree::kNone && strategy_->move_name(tree.move(next)) != move.move)
        next = tree.next(next);
    node_ = next;
}

std::vector<Note> AdviceAgent::notes() const {
    if (losses_ == 0) return {};
    return {{"the table was at a loss, and another move was made", losses_}};
}

std::string table_file(const std::string& word, const games::RulesetGame& game) {
    if (word.find('/') != std::string::npos || word.ends_with(".json")) return word;
    const std::string& rules = game.sources().name(0);
    const std::size_t slash = rules.rfind('/');
    const std::string folder =
        slash == std::string::npos ? std::string() : rules.substr(0, slash + 1);
    return fmt::format("{}advice/{}.json", folder, word);
}

namespace {

// Returns the error in the word, or an empty text.
std::string read_otherwise(const std::string& word, Otherwise& otherwise) {
    if (word.empty()) return {};
    if (word == "random")
        otherwise = Otherwise::Random;
    else if (word == "first")
        otherwise = Otherwise::First;
    else if (word != "fault")
        return fmt::format("advice: else is random, first or fault, found '{}'", word);
    return {};
}

} // namespace

MadeAgent make_advice_agent(const AgentSpec& spec, const AgentServices& services) {
    MadeAgent made;
    Arguments arguments(spec);
    Otherwise otherwise = Otherwise::Fault;
    std::string otherwise_word;
    std::uint64_t memo = 0;
    std::uint64_t replan = 0;
    const std::string word = arguments.word();
    arguments.text("else", otherwise_word);
    arguments.number("memo", memo, 0, 1);
    arguments.number("replan", replan, 0, 1);
    made.error = arguments.error();
    if (made.error.empty()) made.error = read_otherwise(otherwise_word, otherwise);
    const games::RulesetGame* const game = services.game.ruleset_game();
    const games::Facts& facts = services.game.facts();
    if (made.error.empty() && word.empty()) made.error = "advice takes a table, as in advice:FILE";
    if (made.error.empty() && !services.open) made.error = "advice: no files can be read here";
    if (made.error.empty() && game == nullptr)
        made.error = fmt::format("{} has no ruleset that advice could be about", facts.title());
    if (!made.error.empty()) return made;
    advice::OpenedTable opened = advice::open_table(table_file(word, *game), services.open, *game);
    made.sources = std::move(opened.sources);
    made.diagnostics = std::move(opened.diagnostics);
    if (opened.table != nullptr)
        made.agent =
            std::make_unique<AdviceAgent>(std::move(opened.table), otherwise,
                                          advice::SearchSettings{.memo = memo == 1}, replan == 0);
    return made;
}

} // namespace croupier::agents
