// Sets of moves pick and list the same moves, in the same order, as loops over bits do.
#include "games/ruleset/move_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace croupier::games {
namespace {

std::vector<Move> members(const std::vector<std::uint64_t>& words) {
    std::vector<Move> all;
    for (std::size_t bit = 0; bit < 64 * words.size(); ++bit)
        if ((words[bit / 64] >> (bit % 64) & 1) != 0) all.push_back(static_cast<Move>(bit));
    return all;
}

// What the set says, asked in every way.
void expect_moves(const MoveSet& set, const std::vector<Move>& moves) {
    ASSERT_EQ(set.size(), moves.size());
    EXPECT_EQ(set.empty(), moves.empty());
    std::vector<Move> listed = {7, 7, 7};
    set.list(listed);
    EXPECT_EQ(listed, moves);
    for (std::size_t i = 0; i < moves.size(); ++i)
        EXPECT_EQ(set.at(i), moves[i]);
    for (Move move = 0; move < 400; ++move)
        EXPECT_EQ(set.contains(move), std::find(moves.begin(), moves.end(), move) != moves.end());
}

MoveSet read(const std::vector<std::uint64_t>& words) {
    MoveSet set(static_cast<std::uint32_t>(words.size()));
    set.read(reinterpret_cast<const std::byte*>(words.data()));
    return set;
}

TEST(move_set, every_bit_of_a_word_is_found) {
    std::vector<std::uint64_t> words = {1,
                                        2,
                                        ~std::uint64_t{0},
                                        std::uint64_t{1} << 63,
                                        0x8000000000000001u,
                                        0x0101010101010101u,
                                        0xff00000000000000u,
                                        0x00000000ffffffffu};
    Random random(1);
    for (int i = 0; i < 2000; ++i) {
        const std::uint64_t word = random.next();
        words.push_back(i % 2 == 0 ? word : word & random.next() & random.next());
    }
    for (const std::uint64_t word : words) {
        const std::vector<Move> all = members({word});
        for (std::uint32_t k = 0; k < all.size(); ++k)
            ASSERT_EQ(nth_bit(word, k), all[k]) << word << " " << k;
    }
}

TEST(move_set, a_move_is_picked_as_by_its_number) {
    Random random(3);
    std::vector<std::uint64_t> words = {1, std::uint64_t{1} << 63, ~std::uint64_t{0}};
    for (int i = 0; i < 500; ++i)
        words.push_back((random.next() & random.next()) | 4);
    for (const std::uint64_t word : words) {
        for (const auto& all : {std::vector{word}, std::vector{word, word}}) {
            const MoveSet set = read(all);
            Random numbers = random;
            const Move expected = set.at(numbers.below(set.size()));
            EXPECT_EQ(set.pick(random), expected) << word;
            EXPECT_EQ(random.counter(), numbers.counter());
        }
    }
}

TEST(move_set, a_set_of_one_word_or_more_is_counted_picked_and_listed) {
    Random random(2);
    for (std::size_t size = 1; size <= 6; ++size) {
        for (int i = 0; i < 20; ++i) {
            std::vector<std::uint64_t> words(size);
            for (std::uint64_t& word : words)
                word = i == 0 ? 0 : i % 3 == 0 ? ~std::uint64_t{0} : random.next() & random.next();
            words[random.below(size)] = 0; // a gap
            expect_moves(read(words), members(words));
        }
    }
}

TEST(move_set, what_is_read_later_does_not_change_a_set) {
    std::vector<std::uint64_t> words = {5, 1};
    const MoveSet set = read(words);
    words = {~std::uint64_t{0}, 0};
    expect_moves(set, {0, 2, 64});
}

TEST(move_set, an_emptied_set_has_no_members_whatever_it_held) {
    for (const std::size_t size : {1, 3}) {
        MoveSet set = read(std::vector<std::uint64_t>(size, ~std::uint64_t{0}));
        set.clear();
        expect_moves(set, {});
        // A copy of it neither, in place of others.
        MoveSet other = read(std::vector<std::uint64_t>(size, 6));
        other.copy(set);
        expect_moves(other, {});
    }
}

TEST(move_set, copies_are_independent) {
    for (const std::size_t size : {1, 3}) {
        MoveSet set = read(std::vector<std::uint64_t>(size, 9));
        MoveSet copy(static_cast<std::uint32_t>(size));
        copy.copy(set);
        set.read(reinterpret_cast<const std::byte*>(std::vector<std::uint64_t>(size, 2).data()));
        expect_moves(copy, members(std::vector<std::uint64_t>(size, 9)));
        expect_moves(set, members(std::vector<std::uint64_t>(size, 2)));
    }
}

TEST(move_set, a_list_keeps_the_order_in_which_moves_came) {
    MoveSet list(0);
    expect_moves(list, {});
    for (const Move move : {300U, 2U, 77U})
        list.add(move);
    expect_moves(list, {300, 2, 77});
    MoveSet copy(0);
    copy.copy(list);
    list.clear();
    expect_moves(list, {});
    list.add(5); // in the room of what was there before
    expect_moves(list, {5});
    expect_moves(copy, {300, 2, 77});
    copy.copy(list); // shorter than what it held
    expect_moves(copy, {5});
}

} // namespace
} // namespace croupier::games
