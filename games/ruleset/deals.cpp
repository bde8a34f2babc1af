// Counts deals class by class, and draws by the counts.
#include "games/ruleset/deals.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>

namespace croupier::games {
namespace {

// Far more than a trick game has; a ruleset that has more wants fewer holders.
constexpr std::size_t kMostCases = std::size_t{1} << 18;

// Which k of n: doubles hold every one of them up to a rounding in the sixteenth digit.
double choose(std::uint32_t n, std::uint32_t k) {
    static const auto kFactorials = [] {
        std::array<double, Deals::kMostThings + 1> table{};
        table[0] = 1;
        for (std::size_t i = 1; i < table.size(); ++i)
            table[i] = table[i - 1] * static_cast<double>(i);
        return table;
    }();
    return kFactorials[n] / kFactorials[k] / kFactorials[n - k];
}

} // namespace

// All ways to spread `things` over the holders `among`; `visit` sees what room is left then.
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
    // The last holder takes what is left, the last class fills everybody up.
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

// How many ways there are to deal this class and those after it into the rooms.
double Deals::ways(std::size_t of_class, Rooms& rooms) {
    if (of_class == classes_.size()) return 1; // as much room as things: nothing is left
    const std::uint64_t key = key_of(of_class, rooms);
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second.ways;
    if (known_.size() >= kMostCases) too_many_ = true;
    if (too_many_) return 0;
    double sum = 0;
    const Class& one = classes_[of_class];
    split(of_class, one.may, static_cast<std::uint32_t>(one.things.size()), 1, rooms,
          [&](double weight) { sum += weight * ways(of_class + 1, rooms); });
    known_[key].ways = sum;
    return sum;
}

// What is left of the rooms when the class is dealt.
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
    return (next - 1)->left; // the first has nothing before it
}

bool Deals::prepare(const std::vector<Mask>& may, const std::vector<std::uint32_t>& room) {
    assert(room.size() <= kMostHolders && may.size() <= kMostThings);
    assert(std::accumulate(room.begin(), room.end(), std::size_t{0}) == may.size());
    classes_.clear();
    known_.clear();
    too_many_ = false;
    for (std::uint32_t thing = 0; thing < may.size(); ++thing) {
        auto at = std::find_if(classes_.begin(), classes_.end(),
                               [&](const Class& each) { return each.may == may[thing]; });
        if (at == classes_.end()) at = classes_.insert(at, {may[thing], {}});
        at->things.push_back(thing);
    }
    std::stable_sort(classes_.begin(), classes_.end(), [](const Class& a, const Class& b) {
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
        for (std::uint8_t holder = 0; holder < kMostHolders; ++holder) {
            for (; rooms[holder] > left[holder]; --rooms[holder])
                holder_of[one.things[next++]] = holder;
        }
    }
}

} // namespace croupier::games
