// Random bytes as a CLIPS program, with all requests: ../../engine/fuzz/README.md.
#include "games/clips/program.h"
#include "games/files.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>

namespace {

using namespace croupier::games;

void ask_everything(clips::Program& program, const std::string& text) {
    std::size_t lines = 0;
    // The budget holds for all requests below, so loops end.
    constexpr std::uint64_t kSteps = 100'000;
    program.run(0, kSteps);
    if (text.size() % 2 == 0) program.batch(text + "\n(exit)\n");
    program.load({"fuzz", text});
    program.profile();
    program.reset();
    program.run(100, kSteps);
    const auto facts = program.facts();
    const auto agenda = program.agenda();
    for (const std::string& rule : program.rules())
        lines += program.why(rule).size();
    program.command("(agenda)\n");
    clips::ManyGames many;
    many.limit = 100;
    // A fact's text is a pattern that matches it, unless it contains other constraints.
    for (const clips::ListedFact& fact : facts)
        if (clips::mistake_in_pattern(fact.text).empty() && many.patterns.size() < 4)
            many.patterns.push_back(fact.text);
    bool changed = false;
    const auto report = program.games(0, 3, many, changed);
    if (report.games > 3 || lines > (std::size_t{1} << 30)) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::string kWorker = shipped(
        std::filesystem::read_symlink("/proc/self/exe").string(), CROUPIER_LIBEXEC, "clips");
    std::string text(data, data + size);
    std::erase(text, '\0');
    std::size_t printed = 0;
    try {
        clips::Program* alive = nullptr;
        clips::Program program(
            kWorker, {[&](std::string_view out, bool) {
                          printed += out.size();
                          // A flood of output.
                          if (printed > 1 << 20 && alive != nullptr) alive->kill();
                      },
                      {},
                      [](const std::string&) { return std::optional(std::string("(a)\n")); }});
        alive = &program;
        ask_everything(program, text);
    } catch (const clips::Ended& end) {
        // (exit), a crash of the library, or no memory left; a sanitizer exits with 99.
        if (!end.code && std::string(end.what()).find("99") != std::string::npos) std::abort();
    }
    return 0;
}
