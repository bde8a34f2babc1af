// What the tests against CLIPS itself share.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace croupier::engine::clips {

std::string read_text(const std::filesystem::path& path);

// Whether the program `clips` is there.
bool have_clips();

struct Outcome {
    std::string text;
    int code = 0;
};
// What `clips -f2` prints, given so many seconds at most.
Outcome run_clips(const std::filesystem::path& file, int seconds = 60);

// Sum of (seen - expected)^2 / expected over all keys of both: two samples of one distribution?
double chi_square(const std::map<std::string, std::uint64_t>& a,
                  const std::map<std::string, std::uint64_t>& b);

// How often each of the players loses in so many games of the program as CLIPS plays them at
// random, by the fact as it prints it.
std::map<std::string, std::uint64_t> losers_of_clips(const std::string& program, int games,
                                                     int seed);

} // namespace croupier::engine::clips
