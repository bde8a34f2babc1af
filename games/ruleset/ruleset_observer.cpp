// Asks the rules what is open, draws it, and lets the rules restore it.
#include "games/ruleset/ruleset_observer.h"

#include "engine/api/program.h"
#include "engine/api/state.h"
#include "engine/api/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <numeric>
#include <span>

namespace croupier::games {

using engine::Document;
using engine::Member;
using engine::json::add;
using engine::json::text;

namespace {

// Far more than a trick game needs; other rulesets must use fewer holders.
constexpr std::size_t kMaxCases = std::size_t{1} << 18;

// Binomial coefficient: exact in a double up to rounding in the sixteenth digit.
double choose(std::uint32_t n, std::uint32_t k) {
    static const auto kFactorials = [] {
        std::array<double, Deals::kMaxThings + 1> table{};
        table[0] = 1;
        for (std::size_t i = 1; i < table.size(); ++i)
            table[i] = table[i - 1] * static_cast<double>(i);
        return table;
    }();
    return kFactorials[n] / kFactorials[k] / kFactorials[n - k];
}

// Limit of draws that the rules reject.
constexpr int kMaxTries = 10'000;
// After that many draws rejected by weight, one of them is taken.
constexpr int kMaxDoubted = 100;
constexpr double kSurely = 100; // the greatest weight

// Adds or replaces the node.
void put(Document& document, std::string_view key, Document value) {
    std::erase_if(document.members, [&](const Member& each) { return each.key == key; });
    add(document, std::string(key), std::move(value));
}

const std::vector<Member>& children(const Document& document, std::string_view key) {
    static const std::vector<Member> kNone;
    const Member* node = document.find(key);
    return node == nullptr ? kNone : node->value.members;
}

} // namespace

// Enumerates the ways to spread `things` over the holders `among`; calls `visit` with the room
// left.
template <typename Visit>
void Deals::split(std::size_t of_class, Mask among, std::uint32_t things, double weight,
                  Rooms& rooms, const Visit& visit) {
    if (among == 0) {
        if (things == 0) visit(weight);
        return;
    }
    const auto holder = static_cast<std::size_t>(std::countr_zero(among));
    const auto rest = static_cast<Mask>(among & (among - 1));
    const std::uint32_t room = rooms[holder];
    const std::uint32_t most = std::min(things, room);
    // The last holder takes the rest, the last class fills all rooms.
    const bool last = of_class + 1 == classes_.size();
    std::uint32_t least = last ? room : 0;
    if (rest == 0) least = std::max(least, things);
    for (std::uint32_t count = least; count <= most; ++count) {
        rooms[holder] = static_cast<std::uint8_t>(room - count);
        split(of_class, rest, things - count, weight * choose(things, count), rooms, visit);
    }
    rooms[holder] = static_cast<std::uint8_t>(room);
}

std::uint64_t Deals::key_of(std::size_t of_class, const Rooms& rooms) {
    std::uint64_t key = of_class;
    for (const std::uint8_t room : rooms)
        key = key << 7 | room;
    return key;
}

// The number of ways to deal this class and those after it into the rooms.
double Deals::ways(std::size_t of_class, Rooms& rooms) {
    if (of_class == classes_.size()) return 1; // the rooms are full
    const std::uint64_t key = key_of(of_class, rooms);
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second.ways;
    if (known_.size() >= kMaxCases) too_many_ = true;
    if (too_many_) return 0;
    double sum = 0;
    const Class& one = classes_[of_class];
    split(of_class, one.may, static_cast<std::uint32_t>(one.things.size()), 1, rooms,
          [&](double weight) { sum += weight * ways(of_class + 1, rooms); });
    known_[key].ways = sum;
    return sum;
}

// The rooms left after the class is dealt.
const Deals::Rooms& Deals::draw_split(std::size_t of_class, Rooms& rooms, Random& random) {
    const Class& one = classes_[of_class];
    Case& here = known_.find(key_of(of_class, rooms))->second; // `prepare` has counted it
    if (here.splits.empty()) {
        double sum = 0;
        split(of_class, one.may, static_cast<std::uint32_t>(one.things.size()), 1, rooms,
              [&](double weight) {
                  const double more = weight * ways(of_class + 1, rooms);
                  if (more > 0) here.splits.push_back({sum, rooms});
                  sum += more;
              });
    }
    const double at = fraction(random) * here.ways;
    const auto next =
        std::upper_bound(here.splits.begin(), here.splits.end(), at,
                         [](double each, const Split& of) { return each < of.before; });
    return (next - 1)->left; // the first split has `before` 0
}

bool Deals::prepare(const std::vector<Mask>& may, const std::vector<std::uint32_t>& room) {
    assert(room.size() <= kMaxHolders && may.size() <= kMaxThings);
    assert(std::accumulate(room.begin(), room.end(), std::size_t{0}) == may.size());
    classes_.clear();
    known_.clear();
    too_many_ = false;
    for (std::uint32_t thing = 0; thing < may.size(); ++thing) {
        auto at = std::ranges::find(classes_, may[thing], &Class::may);
        if (at == classes_.end()) at = classes_.insert(at, {may[thing], {}});
        at->things.push_back(thing);
    }
    std::ranges::stable_sort(classes_, [](const Class& a, const Class& b) {
        return std::popcount(a.may) < std::popcount(b.may);
    });
    rooms_.fill(0);
    std::transform(room.begin(), room.end(), rooms_.begin(),
                   [](std::uint32_t each) { return static_cast<std::uint8_t>(each); });
    Rooms rooms = rooms_;
    count_ = ways(0, rooms);
    return count_ > 0 && !too_many_;
}

void Deals::draw(Random& random, std::vector<std::uint8_t>& holder_of) {
    assert(count_ > 0);
    std::size_t things = 0;
    for (const Class& each : classes_)
        things += each.things.size();
    holder_of.assign(things, 0);
    Rooms rooms = rooms_;
    for (std::size_t i = 0; i < classes_.size(); ++i) {
        Class& one = classes_[i];
        const auto size = static_cast<std::uint32_t>(one.things.size());
        const Rooms& left = draw_split(i, rooms, random);
        for (std::uint32_t unshuffled = size; unshuffled > 1; --unshuffled)
            std::swap(one.things[unshuffled - 1], one.things[random.below(unshuffled)]);
        std::size_t next = 0;
        for (std::uint8_t holder = 0; holder < kMaxHolders; ++holder)
            for (; rooms[holder] > left[holder]; --rooms[holder])
                holder_of[one.things[next++]] = holder;
    }
}

RulesetObserver::RulesetObserver(const RulesetGame& game)
    : game_(game), view_(game), work_(game), notes_(engine::json::object()),
      believes_(game.groups().belief != engine::kNone) {}

void RulesetObserver::reset(Seat me) {
    notes_ = engine::json::object();
    add(notes_, "me", text(game_.facts().players[me]));
    chance_ = Random(me);
    problem_.clear();
}

bool RulesetObserver::fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
}

void RulesetObserver::observe(const Position& view, Seat player, std::string_view move) {
    if (game_.groups().observe == engine::kNone || view.ending() != Ending::None) return;
    Document seen = engine::json::object();
    add(seen, "player", text(game_.facts().players[player]));
    if (!move.empty()) add(seen, "move", text(move));
    put(notes_, "seen", std::move(seen));
    work_.copy_from(view);
    auto noted = consult(game_.groups().observe);
    if (noted)
        notes_ = std::move(*noted);
    else
        problem_ = work_.fault().what;
    std::erase_if(notes_.members, [](const Member& each) { return each.key == "seen"; });
}

bool RulesetObserver::fail_of(const RulesetPosition& position) {
    return fail(position.fault().rule + ": " + position.fault().what);
}

std::optional<Document> RulesetObserver::consult(engine::GroupId group) {
    if (!work_.put_observer(notes_) || !work_.consult(group, chance_)) return std::nullopt;
    const engine::NodeRef left = work_.observer();
    return left ? work_.tree().export_document(left) : engine::json::object();
}

bool RulesetObserver::look(const Position& view) {
    view_.copy_from(view);
    work_.copy_from(view);
    const auto said = consult(game_.groups().unseen);
    if (!said) return fail_of(work_);
    if (!read(*said)) return false;
    if (!view_.put_observer(notes_)) return fail_of(view_);
    prepare_to_draw();
    return true;
}

// {"unseen": {thing: ..}, "room": {holder: count}, "cannot": {holder: {thing: ..}}}
bool RulesetObserver::read(const Document& said) {
    things_.clear();
    holders_.clear();
    for (const Member& thing : children(said, "unseen"))
        things_.push_back(thing.key);
    std::vector<std::uint32_t> room;
    std::int64_t free = 0;
    for (const Member& holder : children(said, "room")) {
        const auto* count = std::get_if<std::int64_t>(&holder.value.scalar);
        if (count == nullptr || *count < 0)
            return fail(fmt::format("the room of {} is not a number from 0", holder.key));
        holders_.push_back(holder.key);
        room.push_back(static_cast<std::uint32_t>(*count));
        free += *count;
    }
    if (holders_.size() >= Deals::kMaxHolders || things_.size() > Deals::kMaxThings)
        return fail("more is hidden than can be counted");
    const auto nowhere = static_cast<std::int64_t>(things_.size()) - free;
    if (nowhere < 0) {
        return fail(
            fmt::format("{} unseen for a room of {}: not all can be filled", things_.size(), free));
    }
    room.push_back(static_cast<std::uint32_t>(nowhere));
    std::vector<Deals::Mask> may(things_.size(), static_cast<Deals::Mask>((1U << room.size()) - 1));
    for (std::size_t i = 0; i < holders_.size(); ++i) {
        const Member* all = said.find("cannot");
        if (all == nullptr) break;
        for (const Member& thing : children(all->value, holders_[i])) {
            const auto at = std::ranges::find(things_, thing.key);
            if (at == things_.end()) continue;
            may[static_cast<std::size_t>(at - things_.begin())] &=
                static_cast<Deals::Mask>(~(1U << i));
        }
    }
    return deals_.prepare(may, room) || fail("nothing agrees with what was seen");
}

// If the shape declares `observer.drawn`, things are its rows and holders its members.
void RulesetObserver::prepare_to_draw() {
    engine::State& tree = view_.tree();
    const engine::Layout& layout = tree.layout();
    leaf_ = nullptr;
    engine::SchemaId element = engine::kNoSchema;
    const engine::DomainTable* rows = nullptr;
    const engine::SchemaId observer = game_.slots().observer.schema;
    const engine::SchemaId drawn =
        observer == engine::kNoSchema
            ? observer
            : layout.child(observer, game_.observer_names().drawn, tree.symbols());
    if (drawn != engine::kNoSchema && layout.node(drawn).domain != 0) {
        element = layout.node(drawn).element;
        rows = &layout.domain(layout.node(drawn).domain);
        if (layout.node(element).is_leaf() && layout.node(element).dense)
            leaf_ = &layout.node(element);
    }

    thing_places_.clear();
    for (const std::string& thing : things_) {
        Thing place{.name = tree.symbols().intern(thing), .leaf = {}};
        const std::uint16_t row = leaf_ == nullptr ? engine::kNoRow : rows->row_of(place.name);
        if (row != engine::kNoRow) place.leaf = {element, row};
        thing_places_.push_back(place);
    }
    drawn_holders_.clear();
    for (const std::string& name : holders_) {
        Holder holder;
        holder.value = engine::Value::key(tree.symbols().intern(name));
        const bool has_codes = leaf_ != nullptr && leaf_->column == engine::Column::Code8;
        if (has_codes) holder.code = layout.code_of(*leaf_, holder.value);
        drawn_holders_.push_back(holder);
    }
    // Use the bytes of one column, if all holders are codes.
    drawn_codes_.fill(std::byte{0});
    const auto is_code = [](const Holder& each) { return each.code != 0; };
    const auto is_row = [](const Thing& each) { return static_cast<bool>(each.leaf); };
    has_bytes_ = leaf_ != nullptr && leaf_->column == engine::Column::Code8 &&
                 std::ranges::all_of(drawn_holders_, is_code) &&
                 std::ranges::all_of(thing_places_, is_row);
    if (!has_bytes_) return;
    std::transform(drawn_holders_.begin(), drawn_holders_.end(), drawn_codes_.begin(),
                   [](const Holder& each) { return static_cast<std::byte>(each.code); });
}

// Writes observer.drawn.<thing>: holder, for things with a holder.
bool RulesetObserver::put_drawn(engine::State& tree, engine::NodeRef observer) {
    try {
        const engine::NodeRef drawn = tree.make_child(observer, game_.observer_names().drawn);
        if (const std::span<std::byte> column = tree.leaf_bytes(drawn);
            has_bytes_ && !column.empty()) {
            for (std::size_t i = 0; i < thing_places_.size(); ++i) {
                const std::byte code = drawn_codes_[holder_of_[i]];
                if (code != std::byte{0}) column[thing_places_[i].leaf.index] = code;
            }
            return true;
        }
        for (std::size_t i = 0; i < thing_places_.size(); ++i) {
            if (holder_of_[i] >= drawn_holders_.size()) continue;
            const Holder& holder = drawn_holders_[holder_of_[i]];
            const Thing& thing = thing_places_[i];
            if (!thing.leaf)
                tree.set_child(drawn, thing.name, holder.value);
            else if (holder.code != 0)
                tree.put_code(*leaf_, thing.leaf.index, holder.code);
            else
                tree.set_leaf(thing.leaf, holder.value);
        }
        return true;
    } catch (const engine::ShapeFault& fault) {
        return fail(fmt::format("shape: {}", fault.what()));
    }
}

RulesetObserver::Restored RulesetObserver::restore(RulesetPosition& into, Random& random) {
    into.copy_from(view_);
    if (!put_drawn(into.tree(), into.observer())) return Restored::Failed;
    if (!into.consult(game_.groups().restore, random)) {
        fail_of(into);
        return Restored::Failed;
    }
    const engine::NodeRef left = into.observer();
    return left && into.tree().child(left, game_.observer_names().rejected) ? Restored::Rejected
                                                                            : Restored::Well;
}

std::optional<double> RulesetObserver::weigh(RulesetPosition& position, Random& random) {
    if (!position.consult(game_.groups().belief, random)) {
        fail_of(position);
        return std::nullopt;
    }
    const engine::NodeRef left = position.observer();
    const engine::NodeRef node =
        left ? position.tree().child(left, game_.observer_names().weight) : left;
    if (!node) return kSurely;
    const engine::Scalar said =
        engine::to_scalar(position.tree().value(node), position.tree().symbols());
    double weight = -1;
    if (const auto* integer = std::get_if<std::int64_t>(&said))
        weight = static_cast<double>(*integer);
    else if (const auto* number = std::get_if<double>(&said))
        weight = *number;
    if (weight >= 0 && weight <= kSurely) return weight;
    fail("the weight of what was drawn is not a number from 0 to 100");
    return std::nullopt;
}

bool RulesetObserver::finish(RulesetPosition& position, Random& random) {
    position.drop_observer();
    return position.derive(random) || fail_of(position);
}

// Accepts a draw with the probability of its weight, so that accepted draws are distributed exactly
// by weight. If hardly any is accepted, takes one of the first hundred, again by weight, which is
// nearly exact.
bool RulesetObserver::draw(Position& into, Random& random) {
    auto& position = dynamic_cast<RulesetPosition&>(into);
    double doubted = 0; // the sum of weights of rejected draws
    int drawn = 0;      // the number of weighed draws
    for (int tries = 0; tries < kMaxTries; ++tries) {
        deals_.draw(random, holder_of_);
        const Restored restored = restore(position, random);
        if (restored == Restored::Failed) return false;
        if (restored == Restored::Rejected) continue;
        if (!believes_) return finish(position, random);
        const std::optional<double> weight = weigh(position, random);
        if (!weight) return false;
        ++drawn;
        if (fraction(random) * kSurely < *weight) {
            ++draws_.kept;
            return finish(position, random);
        }
        ++draws_.rejected;
        doubted += *weight;
        // Reservoir sampling: each draw ends up as the candidate with a probability by its weight.
        if (doubted > 0 ? fraction(random) * doubted < *weight : drawn == 1)
            candidate_ = holder_of_;
        if (drawn < kMaxDoubted) continue;
        holder_of_ = candidate_;
        if (restore(position, random) != Restored::Well)
            return fail("what was drawn cannot be drawn again: restore asks for chance");
        ++draws_.picked;
        return finish(position, random);
    }
    return fail("every draw was rejected");
}

} // namespace croupier::games
