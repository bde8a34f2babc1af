// engine_differential: runs random cases, or replays one, outside the test runner.
#include "engine/reference/differential.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace croupier::engine::reference;

constexpr const char* kUsage = "engine_differential [--count N] [--seed S] [--features MASK] "
                               "[--table PERCENT] [--form] [--show] [--self]\n"
                               "engine_differential --replay FILE\n"
                               "engine_differential --choices FILE\n";

std::optional<std::string> read_file(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    if (in) return text.str();
    std::cerr << file << ": cannot be read\n";
    return std::nullopt;
}

// Shows the case of an input of engine/fuzz/fuzz_rules.cpp.
int show_choices(const std::string& file) {
    const auto bytes = read_file(file);
    if (!bytes) return 2;
    const std::vector<std::uint8_t> choices(bytes->begin(), bytes->end());
    std::cout << write_case(generate_case(choices)) << "\n";
    return 0;
}

int replay(const std::string& file) {
    const auto text = read_file(file);
    if (!text) return 2;
    std::string error;
    const auto replayed = read_case(*text, error);
    if (!replayed) {
        std::cerr << file << ": " << error;
        return 2;
    }
    const auto model = [](auto&&... args) { return run_model(args...); };
    const Verdict verdict = judge(*replayed, model, run_subject);
    switch (verdict.kind) {
    case Verdict::Kind::Same:
        std::cout << "same\n";
        return 0;
    case Verdict::Kind::TooLong:
        std::cout << "left out: too many steps or nodes\n";
        return 0;
    case Verdict::Kind::NotLoaded:
        std::cerr << verdict.detail;
        return 2;
    case Verdict::Kind::Different:
        std::cout << verdict.detail << "\n";
        return 1;
    }
    return 2;
}

int run(std::uint64_t seed, std::uint64_t count, const Profile& profile, bool itself) {
    const auto model = [](auto&&... args) { return run_model(args...); };
    const Subject subject = itself ? Subject{model} : Subject{run_subject};
    const Tally tally = run_cases(seed, count, profile, model, subject);
    std::cout << tally.cases << " cases, " << tally.matched << " with matches, " << tally.errors
              << " ending in an error, " << tally.not_loaded << " not loaded, " << tally.too_long
              << " too long; " << tally.fruitful << " of " << tally.applications
              << " applications of rules matched\n";
    for (const auto& [code, times] : tally.codes)
        std::cout << times << " times " << tally.diagnostics.at(code) << "\n";
    if (!tally.failure) return 0;
    std::cout << tally.failure->difference << "\n" << write_case(tally.failure->shrunk) << "\n";
    return 1;
}

} // namespace

int main(int argc, char** argv) {
    std::uint64_t seed = 1;
    std::uint64_t count = 2000;
    bool show = false;
    bool itself = false; // compares the model with itself, to see what the cases look like
    Profile profile;
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
        if (option == "--show") {
            show = true;
            continue;
        }
        if (option == "--self") {
            itself = true;
            continue;
        }
        if (option == "--form") {
            profile.of_form = true;
            profile.table_percent = profile.skeleton_percent = 100;
            continue;
        }
        if (value == nullptr) {
            std::cerr << kUsage;
            return 2;
        }
        ++i;
        if (option == "--replay") return replay(value);
        if (option == "--choices") return show_choices(value);
        if (option == "--seed") {
            seed = std::strtoull(value, nullptr, 0);
        } else if (option == "--count") {
            count = std::strtoull(value, nullptr, 0);
        } else if (option == "--features") {
            profile.features = static_cast<std::uint32_t>(std::strtoul(value, nullptr, 0));
        } else if (option == "--table") {
            profile.table_percent = std::atoi(value);
        } else {
            std::cerr << kUsage;
            return 2;
        }
    }
    if (show) {
        std::cout << write_case(generate_case(seed, profile)) << "\n";
        return 0;
    }
    return run(seed, count, profile, itself);
}
