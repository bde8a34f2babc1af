// Running CLIPS, and comparing counts.
#include "engine/clips/testing/compare.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

namespace croupier::engine::clips {

std::string read_text(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

bool have_clips() {
    static const bool found = std::system("command -v clips > /dev/null") == 0; // NOLINT
    return found;
}

Outcome run_clips(const std::filesystem::path& file, int seconds) {
    const std::string command =
        "timeout " + std::to_string(seconds) + " clips -f2 '" + file.string() + "' < /dev/null";
    Outcome outcome;
    FILE* pipe = popen(command.c_str(), "r"); // NOLINT: the path is ours
    char buffer[4096];
    for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
        outcome.text.append(buffer, got);
    const int status = pclose(pipe);
    outcome.code = WEXITSTATUS(status);
    return outcome;
}

double chi_square(const std::map<std::string, std::uint64_t>& a,
                  const std::map<std::string, std::uint64_t>& b) {
    double total_a = 0;
    double total_b = 0;
    std::map<std::string, std::pair<double, double>> both;
    for (const auto& [key, count] : a) {
        both[key].first = static_cast<double>(count);
        total_a += static_cast<double>(count);
    }
    for (const auto& [key, count] : b) {
        both[key].second = static_cast<double>(count);
        total_b += static_cast<double>(count);
    }
    double sum = 0;
    for (const auto& [key, pair] : both) {
        const double all = pair.first + pair.second;
        const double expected_a = all * total_a / (total_a + total_b);
        const double expected_b = all * total_b / (total_a + total_b);
        sum += (pair.first - expected_a) * (pair.first - expected_a) / expected_a;
        sum += (pair.second - expected_b) * (pair.second - expected_b) / expected_b;
    }
    return sum;
}

std::map<std::string, std::uint64_t> losers_of_clips(const std::string& program, int games,
                                                     int seed) {
    std::string silent = program;
    for (std::size_t at = 0; (at = silent.find("printout t ", at)) != std::string::npos;)
        silent.replace(at, 11, "printout nil ");
    const auto file = std::filesystem::temp_directory_path() /
                      ("croupier_losers_" + std::to_string(getpid()) + ".clp");
    std::ofstream(file) << silent
                        << "(deffunction games (?n) (loop-for-count ?n (reset) (run)))\n"
                           "(defrule count (declare (salience 9)) (player ?p loses the game) => "
                           "(printout t LOSER ?p crlf))\n"
                           "(set-strategy random)\n(seed "
                        << seed << ")\n(games " << games << ")\n(exit)\n";
    std::istringstream lines(run_clips(file, 3000).text);
    std::filesystem::remove(file);
    std::map<std::string, std::uint64_t> losers;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("LOSER")) ++losers["(player " + line.substr(5) + " loses the game)"];
    }
    return losers;
}

} // namespace croupier::engine::clips
