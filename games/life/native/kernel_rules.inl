// The rules as logic on bit planes, written once for every kernel and included by each into its own
// namespace, which must offer:
//   V                     some words of a plane; &, |, ^, ~, << and >> work word by word
//   kChunks               how many V make up the words of a plane
//   Plane                 struct { V chunk[kChunks]; }, a set of cells
//   load, store           between a plane and CellSet::Words
//   move_down, move_up    a plane moved by one row to the next higher (lower) number; beyond the
//   edge
//                         all is empty
//   one_cell(word, bits)  a plane with nothing but these bits
//   xor3, majority, or3   of three V
//   nth_bit(bits, n)      the place of the n-th one, from 0
// Whoever includes this also says for which processor it is compiled.

using Words = CellSet::Words;

// A chunk of a plane with the rows above and below each of its rows.
struct Rows {
    V above;
    V here;
    V below;
};

// Three bits added up.
struct Sum {
    V ones;
    V twos;
};

[[gnu::always_inline]] inline Sum add(V a, V b, V c) {
    return {xor3(a, b, c), majority(a, b, c)};
}

// The cells of the west (east) neighbours at their neighbours' places.
[[gnu::always_inline]] inline V west(V cells) {
    return cells << 1;
}
[[gnu::always_inline]] inline V east(V cells) {
    return cells >> 1;
}

// "Block" is a cell with its eight neighbours. Counting the cell itself makes the sum of three
// columns that cells share with their neighbours, and the rules come out simpler than they went in:
//   a stone is on the cell next  <=>  the block holds three, or it holds four and one is the
//   cell's; with three in the block it is the colour of most of the block (a cell that holds one of
//   the three has two neighbours, and if they differ its own colour decides); with four it is the
//   colour of most of the three others.

// How many of a set are in the block, modulo 4.
[[gnu::always_inline]] inline Sum in_block(const Rows& rows) {
    const Sum column = add(rows.above, rows.here, rows.below);
    const Sum sum = add(west(column.ones), column.ones, east(column.ones));
    return {sum.ones, sum.twos ^ xor3(west(column.twos), column.twos, east(column.twos))};
}

// How many stones are in the block: `odd` plus two for each pair.
struct Census {
    V odd;
    V one_pair;
    V two_pairs;
};

[[gnu::always_inline]] inline Census census(const Rows& stones) {
    const Sum column = add(stones.above, stones.here, stones.below);
    const Sum sum = add(west(column.ones), column.ones, east(column.ones));
    const Sum pairs = add(west(column.twos), column.twos, east(column.twos));
    // sum.twos + pairs.ones + 2 * pairs.twos pairs
    const V odd_pairs = sum.twos ^ pairs.ones;
    return {sum.ones, odd_pairs & ~pairs.twos, ~odd_pairs & (pairs.twos ^ (sum.twos & pairs.ones))};
}

// The stones after the tick, and those of one colour.
struct Stones {
    V all;
    V own;
};

[[gnu::always_inline]] inline Stones next(const Census& census, const Sum& own_in_block, V stones,
                                          V own, V board) {
    const V all =
        board & ((census.odd & census.one_pair) | (stones & ~census.odd & census.two_pairs));
    // Of four, the block's own stones modulo 4: a cell's own one is not counted.
    return {all, all & (own_in_block.twos ^ (own & ~own_in_block.ones & ~census.odd))};
}

// What the mover gains in stones more than the opponent: 2 * twos - minus, in -1..2.
struct Gain {
    V twos;
    V minus;
};

// What one more own stone among a cell's neighbours brings there. Which neighbour does not matter;
// that is why all drops together cost little more than one.
struct Outlook {
    Gain neighbour;
    Gain centre; // what the dropped stone brings at its own cell, if that is a legal drop
};

[[gnu::always_inline]] inline Outlook outlook(const Census& census, const Sum& own_in_block,
                                              const Stones& after, V stones, V own, V board) {
    // Two in the block: a third bears a stone, or saves a lonely one; most of the three decide.
    const V two = board & ~census.odd & census.one_pair;
    const V won_of_two = two & (own_in_block.ones | own_in_block.twos);
    // Three neighbours become four: the stone that would be there is not.
    const V lost = after.all & (stones ^ census.odd);
    // An enemy between one neighbour of each colour changes sides.
    const V turned =
        census.odd & census.one_pair & stones & ~own & own_in_block.ones & ~own_in_block.twos;
    // A dropped stone lives with two neighbours; with three it is where one would be born anyway.
    return {{won_of_two | (lost & ~after.own) | turned, two | lost}, {won_of_two, two}};
}

// A number of up to four bits at each cell.
struct Four {
    V bit[4];
};

// The sum over each cell's neighbours, and `centre` for the cell itself.
[[gnu::always_inline]] inline Four sum_around(const Rows& rows, V centre) {
    const Sum side = add(rows.above, rows.here, rows.below);
    const Sum middle = add(rows.above, centre, rows.below);
    const Sum sum = add(west(side.ones), middle.ones, east(side.ones));
    const Sum pairs = add(west(side.twos), middle.twos, east(side.twos));
    const V carry = sum.twos & pairs.ones;
    return {{sum.ones, sum.twos ^ pairs.ones, pairs.twos ^ carry, pairs.twos & carry}};
}

// Five bits, the highest first: kNoGain + the gain of a drop. Below 32: it would take eight
// neighbours that all change sides, and they would have to be each other's neighbours and have only
// two.
struct Score {
    V bit[5];
};
inline constexpr int kNoGain = 15;

[[gnu::always_inline]] inline Score score(const Four& twos, const Four& minus) {
    // 2 * twos + (15 - minus), and 15 less a number is its complement
    const V carry1 = twos.bit[0] & ~minus.bit[1];
    const Sum at2 = add(twos.bit[1], ~minus.bit[2], carry1);
    const Sum at3 = add(twos.bit[2], ~minus.bit[3], at2.twos);
    return {
        {twos.bit[3] ^ at3.twos, at3.ones, at2.ones, twos.bit[0] ^ ~minus.bit[1], ~minus.bit[0]}};
}

// ---- whole planes -------------------------------------------------------------------------------

struct Planes {
    Plane black;
    Plane white;
};

[[gnu::always_inline]] inline Planes load(const Board& board) {
    return {load(board.stones[0].words()), load(board.stones[1].words())};
}

[[gnu::always_inline]] inline void store(const Planes& planes, Board& board) {
    store(planes.black, board.stones[0].words());
    store(planes.white, board.stones[1].words());
}

[[gnu::always_inline]] inline Plane both(const Planes& planes) {
    Plane stones;
    for (int i = 0; i < kChunks; ++i) {
        stones.chunk[i] = planes.black.chunk[i] | planes.white.chunk[i];
    }
    return stones;
}

// A plane and its two moved twins.
struct PlaneRows {
    Plane above;
    Plane here;
    Plane below;

    [[gnu::always_inline]] explicit PlaneRows(const Plane& plane)
        : above(move_down(plane)), here(plane), below(move_up(plane)) {}

    [[gnu::always_inline]] Rows operator[](int i) const {
        return {above.chunk[i], here.chunk[i], below.chunk[i]};
    }
};

inline constexpr CellSet kBoard = CellSet::all();

[[gnu::always_inline]] inline Planes tick(const Planes& planes) {
    const Plane board = load(kBoard.words());
    const PlaneRows stones(both(planes));
    const PlaneRows black(planes.black);
    Planes result;
    for (int i = 0; i < kChunks; ++i) {
        const Stones after = next(census(stones[i]), in_block(black[i]), stones.here.chunk[i],
                                  black.here.chunk[i], board.chunk[i]);
        result.black.chunk[i] = after.own;
        result.white.chunk[i] = after.all & ~after.own;
    }
    return result;
}

[[gnu::always_inline]] inline Plane legal_drops(const Planes& planes) {
    const Plane board = load(kBoard.words());
    const PlaneRows stones(both(planes));
    Plane legal;
    for (int i = 0; i < kChunks; ++i) {
        const Rows rows = stones[i];
        const V column = or3(rows.above, rows.here, rows.below);
        legal.chunk[i] = board.chunk[i] & ~rows.here & or3(west(column), column, east(column));
    }
    return legal;
}

// ---- picking cells ------------------------------------------------------------------------------

// How many cells each row has, as a number at the row's place in its word.
[[gnu::always_inline]] inline V count_rows(V cells) {
    // A row is seven groups of three bits: counted, then the second of each pair added to the first
    // and the seventh to the very first, then the three sums.
    constexpr std::uint64_t kGroups = 0x1249249249249249;
    constexpr std::uint64_t kPairs = 0x1c71c0e38e071c7;
    constexpr std::uint64_t kSeventh = 0x1c0000e00007;
    constexpr std::uint64_t kCounts = 0xfc0007e0003f;
    const V groups = (cells & kGroups) + (cells >> 1 & kGroups) + (cells >> 2 & kGroups);
    const V pairs = (groups & kPairs) + (groups >> 3 & kPairs) + (groups >> 18 & kSeventh);
    return (pairs + (pairs >> 6) + (pairs >> 12)) & kCounts;
}

inline constexpr std::uint64_t kCountMask = (std::uint64_t{1} << CellSet::kRowBits) - 1;

// The sum of the three counts in a word.
[[gnu::always_inline]] inline int total(std::uint64_t counts) {
    return static_cast<int>((counts & kCountMask) + (counts >> CellSet::kRowBits & kCountMask) +
                            (counts >> 2 * CellSet::kRowBits));
}

// The counts of all rows, and their sums over the words.
struct Counts {
    alignas(64) Words of_word;
    std::uint64_t sum = 0;

    [[gnu::always_inline]] explicit Counts(const Plane& cells) {
        Plane counts;
        for (int i = 0; i < kChunks; ++i) {
            counts.chunk[i] = count_rows(cells.chunk[i]);
        }
        store(counts, of_word);
        for (int i = 0; i < CellSet::kRowsApart; ++i) {
            sum += of_word[i];
        }
    }
};

struct Spot {
    unsigned word;
    unsigned bit;
};

// The n-th cell in the order of cells, from 0; n is less than the total of the counts, which are
// those of `cells`. No branch depends on n, which is random where it matters.
[[gnu::always_inline]] inline Spot nth_cell(const Words& cells, const Counts& counts,
                                            std::uint64_t n) {
    // Which of the three rows of a word
    const std::uint64_t first = counts.sum & kCountMask;
    const std::uint64_t second = first + (counts.sum >> CellSet::kRowBits & kCountMask);
    const unsigned shift = CellSet::kRowBits * ((n >= first ? 1U : 0U) + (n >= second ? 1U : 0U));
    n -= n >= second ? second : n >= first ? first : 0;
    // which word
    unsigned word = 0;
    std::uint64_t passed = 0;
    std::uint64_t before = 0;
    for (int i = 0; i < CellSet::kRowsApart - 1; ++i) {
        passed += counts.of_word[i] >> shift & kCountMask;
        const bool behind = n >= passed;
        word += behind ? 1 : 0;
        before = behind ? passed : before;
    }
    const std::uint64_t row = cells[word] >> shift & CellSet::kRow;
    return {word, shift + nth_bit(row, static_cast<unsigned>(n - before))};
}

[[gnu::always_inline]] inline bool any(const Plane& cells) {
    V all = cells.chunk[0];
    for (int i = 1; i < kChunks; ++i) {
        all |= cells.chunk[i];
    }
    return any(all);
}

// The highest score on any of the cells, of which only those that have it remain.
[[gnu::always_inline]] inline int keep_best(Plane& cells, const Score (&scores)[kChunks]) {
    int best = 0;
    for (int bit = 0; bit < 5; ++bit) {
        Plane with_bit;
        for (int i = 0; i < kChunks; ++i) {
            with_bit.chunk[i] = cells.chunk[i] & scores[i].bit[bit];
        }
        const bool reached = any(with_bit);
        best = 2 * best + (reached ? 1 : 0);
        if (reached) cells = with_bit;
    }
    return best;
}

// ---- what the kernel offers ---------------------------------------------------------------------

inline void tick_board(const Board& from, Board& to) {
    store(tick(load(from)), to);
}

inline CellSet legal_drops_on(const Board& board) {
    CellSet legal;
    store(legal_drops(load(board)), legal.words());
    return legal;
}

inline BestDrops best_drops_on(const Board& board, Colour mover) {
    // 1. The next board without a drop, and what a stone more brings at each cell.
    const Plane cells = load(kBoard.words());
    const Planes planes = load(board);
    const PlaneRows stones(both(planes));
    const PlaneRows own(load(board.of(mover).words()));
    Plane twos;
    Plane minus;
    Plane centre_twos;
    Plane centre_minus;
    Plane legal;
    Stones after[kChunks];
    for (int i = 0; i < kChunks; ++i) {
        const Rows rows = stones[i];
        const Census in_blocks = census(rows);
        const Sum own_in_blocks = in_block(own[i]);
        after[i] = next(in_blocks, own_in_blocks, rows.here, own.here.chunk[i], cells.chunk[i]);
        const Outlook gains = outlook(in_blocks, own_in_blocks, after[i], rows.here,
                                      own.here.chunk[i], cells.chunk[i]);
        twos.chunk[i] = gains.neighbour.twos;
        minus.chunk[i] = gains.neighbour.minus;
        centre_twos.chunk[i] = gains.centre.twos;
        centre_minus.chunk[i] = gains.centre.minus;
        const V column = or3(rows.above, rows.here, rows.below);
        legal.chunk[i] = cells.chunk[i] & ~rows.here & or3(west(column), column, east(column));
    }
    BestDrops result;
    if (!any(legal)) return result;

    // 2. Each drop's score: the gains of the nine cells around it.
    const PlaneRows twos_rows(twos);
    const PlaneRows minus_rows(minus);
    Score scores[kChunks];
    for (int i = 0; i < kChunks; ++i) {
        scores[i] = score(sum_around(twos_rows[i], centre_twos.chunk[i]),
                          sum_around(minus_rows[i], centre_minus.chunk[i]));
    }

    // 3. Those with the highest.
    const int best = keep_best(legal, scores);
    store(legal, result.cells.words());

    // 4. How the mover stands after them.
    Plane after_all;
    Plane after_own;
    for (int i = 0; i < kChunks; ++i) {
        after_all.chunk[i] = after[i].all;
        after_own.chunk[i] = after[i].own;
    }
    result.lead = 2 * total(Counts(after_own).sum) - total(Counts(after_all).sum) + best - kNoGain;
    return result;
}

inline Outcome play_random_on(Board& board, Colour mover, int max_plies, engine::Random& random) {
    Planes planes = load(board);
    Outcome outcome;
    std::uint64_t black_moves = mover == Colour::Black ? ~std::uint64_t{0} : 0;
    for (;; black_moves = ~black_moves) {
        if (outcome.plies >= max_plies) {
            outcome.unfinished = true;
            break;
        }
        // 1. The legal drops, counted.
        const Plane legal = legal_drops(planes);
        const Counts counts(legal);
        const auto count = static_cast<std::uint64_t>(total(counts.sum));
        alignas(64) Words words;
        store(legal, words);
        // 2. One of them, or a pass.
        const std::uint64_t pick = random.below(count == 0 ? 1 : count);
        if (count != 0) {
            const Spot spot = nth_cell(words, counts, pick);
            const Plane drop = one_cell(spot.word, std::uint64_t{1} << spot.bit);
            for (int i = 0; i < kChunks; ++i) {
                planes.black.chunk[i] |= drop.chunk[i] & black_moves;
                planes.white.chunk[i] |= drop.chunk[i] & ~black_moves;
            }
        }
        // 3. The tick, and who is left.
        planes = tick(planes);
        ++outcome.plies;
        const bool black = any(planes.black);
        const bool white = any(planes.white);
        if (!black || !white) {
            if (black || white) outcome.winner = black ? Colour::Black : Colour::White;
            break;
        }
    }
    store(planes, board);
    return outcome;
}
