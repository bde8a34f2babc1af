// Runs the groups of a ruleset in the order that a game needs.
#include "games/ruleset/ruleset_position.h"

#include "engine/api/program.h"
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/contract/doing.h"
#include "games/ruleset/codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <span>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace croupier::games {

using engine::Diagnostics;
using engine::Document;
using engine::GroupId;
using engine::Member;
using engine::NodeRef;
using engine::State;
using engine::Symbol;
using engine::Tag;
using engine::Value;
using Slot = RulesetGame::Slot;

namespace {

constexpr std::uint64_t kEach = 0x0101010101010101u; // one in each byte

// By rank and byte: the position of the set bit of that rank in the byte.
constexpr auto kInByte = [] {
    std::array<std::array<std::uint8_t, 256>, 8> table{};
    for (unsigned byte = 0; byte < 256; ++byte) {
        unsigned rank = 0;
        for (unsigned bit = 0; bit < 8; ++bit)
            if ((byte >> bit & 1U) != 0) table[rank++][byte] = static_cast<std::uint8_t>(bit);
    }
    return table;
}();

#if defined(__x86_64__)

// With instructions of newer processors.
[[gnu::target("bmi2,popcnt")]] std::uint32_t nth_by_deposit(std::uint64_t word, std::uint64_t k) {
    return static_cast<std::uint32_t>(__builtin_ctzll(_pdep_u64(std::uint64_t{1} << k, word)));
}
[[gnu::target("bmi2,popcnt")]] std::uint32_t pick_by_deposit(std::uint64_t word, Random& random) {
    return nth_by_deposit(word, random.below(std::uint64_t(__builtin_popcountll(word))));
}

// The first two generations of AMD's Zen take hundreds of cycles for it.
const bool kDepositsFast = __builtin_cpu_supports("bmi2") != 0 &&
                           __builtin_cpu_supports("popcnt") != 0 &&
                           __builtin_cpu_is("znver1") == 0 && __builtin_cpu_is("znver2") == 0;

#endif

const RulesetPosition& same_kind(const Position& other) {
    assert(dynamic_cast<const RulesetPosition*>(&other) != nullptr);
    return static_cast<const RulesetPosition&>(other);
}

// Merges objects key by key and replaces everything else, as overlaid files do.
void lay_over(Document& below, const Document& over) {
    if (!below.is_object() || !over.is_object()) {
        below = over;
        return;
    }
    for (const Member& member : over.members) {
        const auto known = std::ranges::find(below.members, member.key, &Member::key);
        if (known == below.members.end()) {
            below.members.push_back(member);
        } else {
            known->key_span = member.key_span;
            lay_over(known->value, member.value);
        }
    }
}

} // namespace

std::uint32_t pick_bit(std::uint64_t word, Random& random) {
#if defined(__x86_64__)
    if (kDepositsFast) return pick_by_deposit(word, random);
#endif
    return nth_by_counting(word,
                           static_cast<std::uint32_t>(random.below(engine::count_rows(word))));
}

std::uint32_t nth_bit(std::uint64_t word, std::uint32_t k) {
#if defined(__x86_64__)
    if (kDepositsFast) return nth_by_deposit(word, k);
#endif
    return nth_by_counting(word, k);
}

// Without a loop, whose end would be mispredicted: finds the byte by cumulative counts.
std::uint32_t nth_by_counting(std::uint64_t word, std::uint32_t k) {
    std::uint64_t counts = word - ((word >> 1) & 0x5555555555555555u);
    counts = (counts & 0x3333333333333333u) + ((counts >> 2) & 0x3333333333333333u);
    counts = ((counts + (counts >> 4)) & 0x0f0f0f0f0f0f0f0fu) * kEach; // including each byte
    // A high bit for each byte with a cumulative count of at most k: the bit is after these.
    const std::uint64_t passed = ((k * kEach | 0x80 * kEach) - counts) & 0x80 * kEach;
    const auto place = static_cast<std::uint32_t>((passed >> 7) * kEach >> 56) * 8;
    const auto rank = k - static_cast<std::uint32_t>((counts << 8) >> place & 0xff);
    return place + kInByte[rank][word >> place & 0xff];
}

void MoveSet::read_all(const std::byte* bits) {
    std::memcpy(words_.data(), bits, words_.size() * sizeof(std::uint64_t));
    size_ = 0;
    for (const std::uint64_t word : words_)
        size_ += engine::count_rows(word);
}

Move MoveSet::find(std::size_t i) const {
    std::uint32_t first = 0;
    for (const std::uint64_t word : words_) {
        const std::uint32_t count = engine::count_rows(word);
        if (i < count) return first + nth_bit(word, static_cast<std::uint32_t>(i));
        i -= count;
        first += engine::kWordRows;
    }
    assert(false);
    return first;
}

bool MoveSet::contains(Move move) const {
    if (is_word_) return move < engine::kWordRows && (word_ >> move & 1) != 0;
    if (empty()) return false;
    if (words_.empty()) {
        const auto end = list_.begin() + static_cast<std::ptrdiff_t>(size_);
        return std::find(list_.begin(), end, move) != end;
    }
    const std::size_t word = move / engine::kWordRows;
    return word < words_.size() && (words_[word] >> (move % engine::kWordRows) & 1) != 0;
}

void MoveSet::list(std::vector<Move>& into) const {
    if ((!is_word_ && words_.empty()) || empty()) {
        into.assign(list_.begin(), list_.begin() + static_cast<std::ptrdiff_t>(size_));
        return;
    }
    into.resize(size());
    Move* next = into.data();
    Move first = 0;
    for (std::uint64_t word : is_word_ ? std::span(&word_, 1) : std::span(words_)) {
        for (; word != 0; word &= word - 1)
            *next++ = first + static_cast<Move>(std::countr_zero(word));
        first += engine::kWordRows;
    }
}

void MoveSet::add(Move move) {
    if (size_ == list_.size())
        list_.push_back(move);
    else
        list_[size_] = move;
    ++size_;
}

void MoveSet::copy(const MoveSet& other) {
    assert(words_.size() == other.words_.size());
    assert(is_word_ == other.is_word_);
    word_ = other.word_;
    size_ = other.size_;
    if (size_ == 0) return;
    if (!words_.empty()) {
        std::memcpy(words_.data(), other.words_.data(), words_.size() * sizeof(std::uint64_t));
    } else {
        if (list_.size() < size_) list_.resize(size_);
        std::copy_n(other.list_.begin(), size_, list_.begin());
    }
}

RulesetPosition::RulesetPosition(const RulesetGame& game)
    : game_(game), state_(game.initial()), legal_(game.move_words()) {}

void RulesetPosition::make_machine() {
    machine_ = std::make_unique<engine::Machine>(game_.program(), game_.budgets());
    machine_->set_log(log_);
}

void RulesetPosition::set_log(engine::Log* log) {
    log_ = log;
    if (machine_ != nullptr) machine_->set_log(log);
}

// ---- nodes that harness and rules share ----

NodeRef RulesetPosition::find(const Slot& slot) const {
    if (slot.schema == engine::kNoSchema) {
        // Undeclared nodes are in the arena, which is mostly empty.
        return state_.arena_nodes() == 0 ? NodeRef{} : state_.child(state_.root(), slot.key);
    }
    const NodeRef node{slot.schema, 0};
    return state_.is_present(node) ? node : NodeRef{};
}

Value RulesetPosition::value_of(const Slot& slot) const {
    const NodeRef node = find(slot);
    return node ? state_.value(node) : Value{};
}

std::uint8_t RulesetPosition::code_of(const Slot& slot) const {
    return std::to_integer<std::uint8_t>(state_.data()[slot.byte]);
}

bool RulesetPosition::is_true(const Slot& slot) const {
    const Value value = value_of(slot);
    return value.tag == Tag::Bool && value.truth();
}

inline bool RulesetPosition::is_over() const {
    const Slot& slot = game_.slots().over;
    return (slot.byte == engine::kNoOffset || code_of(slot) != 0) && is_true(slot);
}

Seat RulesetPosition::seat_named() const {
    return game_.seat_of(value_of(game_.slots().turn), state_.symbols());
}

inline Seat RulesetPosition::seat_at_turn() const {
    const std::span<const Seat> seats = game_.seats_by_code();
    return seats.empty() ? seat_named() : seats[code_of(game_.slots().turn)];
}

std::size_t RulesetPosition::phase() const {
    if (game_.facts().phases.empty()) return kNoPhase;
    const Slot& slot = game_.slots().phase;
    if (slot.byte != engine::kNoOffset) return std::size_t{code_of(slot)} - 1; // 0 is absent
    const NodeRef node = find(slot);
    return node ? state_.value(node).row : kNoPhase;
}

void RulesetPosition::drop(const Slot& slot) {
    if (slot.field.end != 0)
        state_.drop_field(slot.field);
    else
        drop_undeclared(slot);
}

// Removes what a ply leaves: mostly `move` comes right after `moves`.
inline void RulesetPosition::drop_move_and_moves() {
    const Slot& moves = game_.slots().moves;
    const Slot& move = game_.slots().move;
    if (move.field.end != 0 && moves.field.end != 0) {
        state_.drop_fields(moves.field, move.field);
    } else {
        drop(move);
        drop(moves);
    }
}

// The same for any other root node.
void RulesetPosition::drop_undeclared(const Slot& slot) {
    const NodeRef node = find(slot);
    if (node) state_.remove(node);
}

Symbol RulesetPosition::symbol_of(Move move) const {
    const engine::DomainTable* domain = game_.move_domain();
    return domain != nullptr ? domain->members[move] : move;
}

std::string_view RulesetPosition::text(Move move) const {
    return state_.symbols().text(symbol_of(move));
}

// Names made up by rules have numbers that depend on earlier names.
std::uint64_t RulesetPosition::fingerprint(Move move) const {
    return game_.move_domain() != nullptr ? move : text_hash(text(move));
}

bool RulesetPosition::is_secret() const {
    return is_true(game_.slots().secret);
}

// ---- a game ----

void RulesetPosition::forget() {
    legal_.clear();
    turn_ = 0;
    ending_ = Ending::None;
    plies_ = 0;
    results_.fill({});
}

void RulesetPosition::abort(const engine::RunError& error) {
    abort(error.rule, fmt::format("{}: {}", engine::name_of(error.kind), error.detail),
          game_.sources().place(error.span));
}

void RulesetPosition::tell_watch(Phase phase, Seat seat, GroupId group, const Random& chance) {
    if (group == engine::kNone) return;
    watch_->runs({phase, seat, game_.program(), group, game_.budgets(), state_, chance});
}

void RulesetPosition::abort(std::string rule, std::string what, std::string place) {
    legal_.clear();
    results_.fill({});
    ending_ = Ending::Aborted;
    fault_ = {std::move(rule), std::move(what), std::move(place)};
}

void RulesetPosition::abort_by(const char* what) {
    abort({}, what);
}

void RulesetPosition::start(Random& deal) {
    now(Doing::Deal);
    forget();
    state_ = game_.initial();
    if (run_watched(Phase::Setup, kNobody, game_.groups().setup, deal)) settle(deal);
}

bool RulesetPosition::put_any_move(Move move) {
    try {
        put_move(move);
        return true;
    } catch (const engine::ShapeFault& fault) {
        abort("moves", fmt::format("shape: {}", fault.what()));
        return false;
    }
}

// Writes the move as a value. If nothing is declared, a name that spells an integer becomes one, as
// rules that compute with moves expect.
void RulesetPosition::put_move(Move move) {
    const Slot& slot = game_.slots().move;
    if (game_.has_move_code()) {
        state_.put_code(state_.layout().node(slot.schema), 0, move + 1);
        return;
    }
    const Symbol symbol = symbol_of(move);
    if (slot.schema != engine::kNoSchema && state_.layout().node(slot.schema).is_leaf()) {
        state_.set_leaf({slot.schema, 0}, Value::key(symbol));
        return;
    }
    const auto integer = state_.symbols().integer(symbol);
    const bool declared = state_.layout().node(0).field(slot.key) != engine::kNoSchema;
    state_.set_child(state_.root(), slot.key,
                     !declared && integer ? Value::number(*integer) : Value::key(symbol));
}

// False if that aborts the game.
inline bool RulesetPosition::find_turn() {
    turn_ = seat_at_turn();
    if (turn_ != RulesetGame::kNoSeat) return true;
    turn_ = 0;
    abort_by("turn names no player");
    return false;
}

// A ply is short, so all of it is inlined into one function.
inline void RulesetPosition::find_moves(Random& chance) {
    now(Doing::Moves);
    if (!find_turn()) return;
    if (!run_watched(Phase::Moves, turn_, game_.groups().moves, chance)) return;
    if (game_.has_move_bits()) {
        // Members of a set, which are all zeros if the set is absent.
        legal_.read(state_.data() + game_.first_move_word());
    } else {
        take_listed_moves();
    }
    if (legal_.empty()) abort_by("no legal move");
}

void RulesetPosition::take_listed_moves() {
    const NodeRef moves = find(game_.slots().moves);
    const bool listed = game_.move_domain() != nullptr;
    for (NodeRef node = moves ? state_.first_child(moves) : moves; node;
         node = state_.next_sibling(node)) {
        const Value key = state_.key(node);
        legal_.add(listed ? key.row : key.symbol());
    }
}

// Continues without the moves of the last ply.
inline void RulesetPosition::go_on(Random& chance) {
    if (is_over())
        finish(Ending::Over, chance);
    else if (plies_ >= game_.facts().max_plies)
        finish(Ending::Unfinished, chance);
    else
        find_moves(chance);
}

void RulesetPosition::settle(Random& chance) {
    drop(game_.slots().moves);
    go_on(chance);
}

// Runs the rules of `play` on the move. False if that aborts the game.
inline bool RulesetPosition::make_move(Move move, Random& chance) {
    now(Doing::Play);
    legal_.clear();
    ++plies_;
    if (game_.has_move_byte())
        state_.put_byte(game_.slots().move.field, static_cast<std::uint8_t>(move + 1));
    else if (!put_any_move(move))
        return false;
    return run_watched(Phase::Play, turn_, game_.groups().play, chance);
}

inline void RulesetPosition::ply(Move move, Random& chance) {
    if (make_move(move, chance)) {
        drop_move_and_moves();
        go_on(chance);
    } else {
        drop(game_.slots().move);
    }
}

void RulesetPosition::play_last(Move move, Random& chance) {
    assert(ending_ == Ending::None);
    assert(legal_.contains(move));
    const bool good = make_move(move, chance);
    drop(game_.slots().move);
    if (!good) return;
    if (is_over() || plies_ >= game_.facts().max_plies)
        settle(chance);
    else
        find_turn(); // keep the old moves: removing many costs more than playing one
}

void RulesetPosition::play(Move move, Random& chance) {
    assert(ending_ == Ending::None);
    assert(legal_.contains(move));
    ply(move, chance);
}

#if defined(__x86_64__)
[[gnu::target("bmi2,popcnt")]] void RulesetPosition::play_words(Random& choices, Random& chance) {
    while (ending_ == Ending::None)
        ply(pick_by_deposit(legal_.word(), choices), chance);
}
#endif

void RulesetPosition::play_randomly(Random& choices, Random& chance) {
#if defined(__x86_64__)
    if (kDepositsFast && legal_.is_word()) {
        play_words(choices, chance);
        return;
    }
#endif
    while (ending_ == Ending::None)
        ply(legal_.pick(choices), chance);
}

// ---- results ----

void RulesetPosition::finish(Ending ending, Random& chance) {
    now(Doing::Score);
    legal_.clear();
    ending_ = ending;
    if (run_watched(Phase::Score, kNobody, game_.groups().score, chance)) read_results();
}

void RulesetPosition::evaluate(Random& chance) {
    if (ending_ == Ending::Aborted) return;
    if (run(game_.groups().score, chance)) read_results();
}

void RulesetPosition::read_results() {
    const NodeRef scores = find(game_.slots().score);
    const NodeRef places = find(game_.slots().place);
    bool placed = static_cast<bool>(places);
    for (Seat seat = 0; seat < game_.facts().seats(); ++seat) {
        const auto number = [&](NodeRef above) -> Value {
            const NodeRef node = above ? state_.child(above, game_.player(seat)) : NodeRef{};
            return node ? engine::as_number(state_.value(node), state_.symbols()) : Value{};
        };
        const Value score = number(scores);
        const Value place = number(places);
        results_[seat].score = score.tag == Tag::Int      ? static_cast<double>(score.integer)
                               : score.tag == Tag::Double ? score.real()
                                                          : 0;
        placed = placed && place.tag == Tag::Int && place.integer >= 1 &&
                 place.integer <= game_.facts().seats();
        if (placed) results_[seat].place = static_cast<std::uint32_t>(place.integer);
    }
    if (!placed) rank();
}

// Places by score: 1 plus the number of teams, or single players, that have more.
void RulesetPosition::rank() {
    const std::uint32_t seats = game_.facts().seats();
    for (Seat seat = 0; seat < seats; ++seat) {
        results_[seat].place = 1;
        for (Seat other = 0; other < seats; ++other) {
            const bool counts = game_.leads_team(other);
            if (counts && results_[other].score > results_[seat].score) ++results_[seat].place;
        }
    }
}

std::string RulesetPosition::role(Seat seat) const {
    const NodeRef roles = find(game_.slots().role);
    const NodeRef node = roles ? state_.child(roles, game_.player(seat)) : NodeRef{};
    return node ? engine::to_text(state_.value(node), state_.symbols()) : std::string();
}

// ---- copies and views ----

void RulesetPosition::copy_from(const Position& other) {
    const RulesetPosition& from = same_kind(other);
    if (&from == this) return;
    assert(&from.game_ == &game_);
    state_ = from.state_;
    legal_.copy(from.legal_);
    turn_ = from.turn_;
    ending_ = from.ending_;
    plies_ = from.plies_;
    results_ = from.results_;
    if (ending_ == Ending::Aborted) fault_ = from.fault_;
}

void RulesetPosition::view_from(const Position& other, Seat seat) {
    assert(&other != this);
    copy_from(other);
    if (!game_.facts().hides) return;
    game_.hidden().hide(state_, seat);
    if (seat != turn_) {
        // A player's legal moves reveal what the player holds.
        drop(game_.slots().moves);
        legal_.clear();
    }
}

bool RulesetPosition::put_observer(const Document& observer) {
    try {
        state_.put_child(state_.root(), game_.slots().observer.key, observer);
        return true;
    } catch (const engine::ShapeFault& fault) {
        abort({}, fmt::format("shape: {}", fault.what()));
        return false;
    }
}

// ---- JSON ----

Document RulesetPosition::state() const {
    Document document = state_.export_document();
    std::erase_if(document.members, [](const Member& member) {
        return member.key == "moves" || member.key == "move";
    });
    return document;
}

bool RulesetPosition::load(const Document& over, Random& chance, Diagnostics& diagnostics) {
    forget();
    if (!over.is_object()) {
        diagnostics.error(code::kUnknownNode, over.span, "a state is an object",
                          "put the state's nodes into { }");
        return false;
    }
    game_.check_root(over, diagnostics);
    if (diagnostics.has_errors()) return false;
    Document whole = game_.initial().export_document();
    lay_over(whole, over);
    state_ = game_.initial();
    if (!state_.import(whole, diagnostics)) return false;
    begin_anew(chance);
    if (ending_ == Ending::Aborted) return true; // gives more detail
    for (const RulesetGame::Refusal& refusal : game_.refused(state_)) {
        const Member* node = over.find(refusal.node);
        diagnostics.error(code::kRefusedState, node != nullptr ? node->key_span : over.span,
                          refusal.reason);
    }
    return !diagnostics.has_errors();
}

void RulesetPosition::begin_anew(Random& chance) {
    forget();
    derive(chance);
}

void RulesetPosition::resume(Random& chance) {
    if (ending_ == Ending::None) settle(chance);
}

} // namespace croupier::games
