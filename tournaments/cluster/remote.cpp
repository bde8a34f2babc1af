// Messages are 64-bit words in native byte order, and text: both ends are the same build.
#include "tournaments/cluster/remote.h"

#include "results/store/games_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

namespace croupier::tournaments {
namespace {

void put(std::uint64_t word, std::string& into) {
    char bytes[sizeof word];
    std::memcpy(bytes, &word, sizeof word);
    into.append(bytes, sizeof word);
}

// Removes words from the front of a message; past its end it returns 0.
class Words {
  public:
    explicit Words(std::string_view bytes) : rest_(bytes) {}

    std::optional<std::uint64_t> next() {
        std::uint64_t word = 0;
        if (rest_.size() < sizeof word) return std::nullopt;
        std::memcpy(&word, rest_.data(), sizeof word);
        rest_.remove_prefix(sizeof word);
        return word;
    }
    [[nodiscard]] std::string_view rest() const { return rest_; }

  private:
    std::string_view rest_;
};

// What a message asks for; an empty one dismisses.
enum class Ask : std::uint64_t { SetUp, Play, Times };

void write_setup(const Setup& setup, std::string& message) {
    message.clear();
    put(static_cast<std::uint64_t>(Ask::SetUp), message);
    put(setup.seed, message);
    put(setup.variants.size(), message);
    for (const std::uint32_t variant : setup.variants)
        put(variant, message);
    for (const double value : setup.values)
        put(std::bit_cast<std::uint64_t>(value), message);
}

Setup read_setup(Words words) {
    Setup setup;
    setup.seed = words.next().value_or(0);
    setup.variants.resize(words.next().value_or(0));
    for (std::uint32_t& variant : setup.variants)
        variant = static_cast<std::uint32_t>(words.next().value_or(0));
    while (const auto value = words.next())
        setup.values.push_back(std::bit_cast<double>(*value));
    return setup;
}

void write_blocks(std::span<const Block> blocks, std::string& message) {
    message.clear();
    put(static_cast<std::uint64_t>(Ask::Play), message);
    for (const Block& block : blocks) {
        for (const std::uint64_t word :
             {block.index, block.deal, block.round, std::uint64_t{block.seats},
              std::uint64_t{block.agents.size()}})
            put(word, message);
        for (const std::uint32_t agent : block.agents)
            put(agent, message);
    }
}

// Returns their number; `blocks` never shrinks.
std::size_t read_blocks(Words words, std::vector<Block>& blocks) {
    std::size_t count = 0;
    while (const auto index = words.next()) {
        if (blocks.size() == count) blocks.emplace_back();
        Block& block = blocks[count++];
        block.index = *index;
        block.deal = words.next().value_or(0);
        block.round = words.next().value_or(0);
        block.seats = static_cast<std::uint32_t>(words.next().value_or(1));
        block.agents.resize(words.next().value_or(0));
        for (std::uint32_t& agent : block.agents)
            agent = static_cast<std::uint32_t>(words.next().value_or(0));
    }
    return count;
}

void put(const results::CostRow& row, std::string& into) {
    const auto& [key, cost] = row;
    for (const std::uint64_t word :
         {std::uint64_t{key.rule}, static_cast<std::uint64_t>(key.phase), std::uint64_t{key.seat},
          std::uint64_t{key.entry}, cost.tried, cost.passed, cost.matches, cost.firings,
          cost.match_ns, cost.act_ns, cost.total_ns, cost.shared_ns})
        put(word, into);
}

results::CostRow read_cost(Words& words) {
    const auto small = [&] { return static_cast<std::uint32_t>(words.next().value_or(0)); };
    results::CostRow row;
    auto& [key, cost] = row;
    key.rule = small();
    key.phase = static_cast<results::Phase>(small());
    key.seat = small();
    key.entry = small();
    for (std::uint64_t* number : {&cost.tried, &cost.passed, &cost.matches, &cost.firings,
                                  &cost.match_ns, &cost.act_ns, &cost.total_ns, &cost.shared_ns})
        *number = words.next().value_or(0);
    return row;
}

// Cell by cell of the table.
void put(const results::TimeTable& times, std::string& into) {
    put(times.agents(), into);
    put(times.seats(), into);
    if (times.agents() > 0) put(times.games(), into);
    for (std::size_t agent = 0; agent < times.agents(); ++agent) {
        for (std::size_t seat = 0; seat < times.seats(); ++seat) {
            const results::DecisionTimes& cell = times.at(agent, seat);
            const auto sums = cell.sums();
            for (const std::uint64_t word : {sums.decisions, sums.measured, sums.most, sums.weight,
                                             sums.wall, sums.cpu_weight, sums.cpu})
                put(word, into);
            const auto used = static_cast<std::uint64_t>(
                std::count_if(cell.buckets().begin(), cell.buckets().end(),
                              [](std::uint64_t weight) { return weight > 0; }));
            put(used, into);
            for (std::size_t i = 0; i < cell.buckets().size(); ++i) {
                if (cell.buckets()[i] == 0) continue;
                put(i, into);
                put(cell.buckets()[i], into);
            }
        }
    }
}

bool read_times(Words& words, const results::RunFacts& facts, results::TimeTable& times) {
    const std::uint64_t agents = words.next().value_or(0);
    const std::uint64_t seats = words.next().value_or(0);
    if (agents == 0) return true; // nothing was measured
    if (agents != facts.agents.size() || seats != facts.players.size()) return false;
    times = results::TimeTable(facts.agents.size(), facts.players.size());
    times.set_games(words.next().value_or(0));
    for (std::size_t agent = 0; agent < times.agents(); ++agent) {
        for (std::size_t seat = 0; seat < times.seats(); ++seat) {
            results::DecisionTimes::Sums sums;
            for (std::uint64_t* number : {&sums.decisions, &sums.measured, &sums.most, &sums.weight,
                                          &sums.wall, &sums.cpu_weight, &sums.cpu})
                *number = words.next().value_or(0);
            std::array<std::uint64_t, results::DecisionTimes::kBuckets> buckets{};
            for (std::uint64_t used = words.next().value_or(0); used > 0; --used) {
                const std::uint64_t bucket = words.next().value_or(buckets.size());
                if (bucket >= buckets.size()) return false;
                buckets[bucket] = words.next().value_or(0);
            }
            times.at(agent, seat) = results::DecisionTimes(sums, buckets);
        }
    }
    return true;
}

void write_times(Worker& worker, std::string& message) {
    message.clear();
    WorkerTimes times;
    worker.add_times(times);
    put(times.decisions.size(), message);
    for (std::size_t variant = 0; variant < times.decisions.size(); ++variant) {
        put(std::bit_cast<std::uint64_t>(times.seconds[variant]), message);
        put(times.games[variant], message);
        put(times.decisions[variant], message);
    }
}

bool add_read_times(std::string_view message, const results::RunFacts& facts, WorkerTimes& into) {
    Words words(message);
    const std::uint64_t variants = words.next().value_or(0);
    if (variants > message.size()) return false;
    into.resize(variants);
    for (std::size_t variant = 0; variant < variants; ++variant) {
        into.seconds[variant] += std::bit_cast<double>(words.next().value_or(0));
        into.games[variant] += words.next().value_or(0);
        results::TimeTable decisions;
        if (!read_times(words, facts, decisions)) return false;
        into.decisions[variant].add(decisions);
    }
    return true;
}

// The ends of each block in rows, costs and records; then the costs, rows and records.
void write_played(const PlayedBlocks& played, std::string& message) {
    message.clear();
    for (const PlayedBlocks::End& end : played.ends) {
        put(end.row, message);
        put(end.cost, message);
        put(end.record, message);
    }
    for (const results::CostRow& row : played.costs)
        put(row, message);
    message += played.rows;
    message += played.records;
}

// `variants`: how many play, or 0 for a run, whose rows have fewer columns.
bool read_played(std::string_view message, std::span<const Block> blocks, std::size_t variants,
                 const results::RunFacts& facts, PlayedBlocks& played) {
    Words words(message);
    played.ends.clear();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        PlayedBlocks::End& end = played.ends.emplace_back();
        for (std::size_t* each : {&end.row, &end.cost, &end.record})
            *each = static_cast<std::size_t>(words.next().value_or(0));
    }
    played.costs.clear();
    while (played.costs.size() < played.ends.back().cost && !words.rest().empty())
        played.costs.push_back(read_cost(words));
    const std::string_view titles = variants > 0 ? results::kComparedTitles : results::kRowTitles;
    played.rows = titles;
    const std::string_view texts = words.rest();
    const PlayedBlocks::End& last = played.ends.back();
    if (texts.size() < last.row || texts.size() - last.row != last.record) return false;
    played.rows += texts.substr(0, last.row);
    played.records = texts.substr(last.row);
    results::GamesReader reader("rows of another process", played.rows, facts);
    std::vector<results::GameRecord> games;
    std::size_t count = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (!reader.next(games) || games.front().block != blocks[i].index ||
            games.size() != blocks[i].games() * std::max<std::size_t>(variants, 1))
            return false;
        if (played.games.size() < count + games.size()) played.games.resize(count + games.size());
        for (results::GameRecord& game : games)
            played.games[count++] = std::move(game);
        played.ends[i].game = count;
    }
    played.rows.erase(0, titles.size());
    return played.ends.back().row == played.rows.size();
}

} // namespace

void RemoteWorker::set_up(const Setup& setup) {
    if (lost_ || setup == setup_) return;
    setup_ = setup;
    write_setup(setup, message_);
    channel_.send(message_);
}

bool RemoteWorker::play(std::span<const Block> blocks, PlayedBlocks& into) {
    if (lost_) return false;
    write_blocks(blocks, message_);
    channel_.send(message_);
    const std::optional<std::string> answer = channel_.receive();
    lost_ = !answer || !read_played(*answer, blocks, setup_.variants.size(), facts_, into);
    return !lost_;
}

void RemoteWorker::add_times(WorkerTimes& times) {
    if (lost_) return;
    message_.clear();
    put(static_cast<std::uint64_t>(Ask::Times), message_);
    channel_.send(message_);
    const std::optional<std::string> answer = channel_.receive();
    lost_ = !answer || !add_read_times(*answer, facts_, times);
}

void RemoteWorker::dismiss() {
    channel_.send({});
}

void serve(Channel& channel, Worker& worker) {
    std::vector<Block> blocks;
    PlayedBlocks played;
    std::string answer;
    while (const auto message = channel.receive()) {
        Words words(*message);
        const auto asked = words.next();
        if (!asked) return;
        switch (static_cast<Ask>(*asked)) {
        case Ask::SetUp:
            worker.set_up(read_setup(words));
            continue;
        case Ask::Play: {
            const std::size_t count = read_blocks(words, blocks);
            if (!worker.play(std::span(blocks).first(count), played)) return; // told to stop
            write_played(played, answer);
            break;
        }
        case Ask::Times:
            write_times(worker, answer);
            break;
        }
        channel.send(answer);
    }
}

} // namespace croupier::tournaments
