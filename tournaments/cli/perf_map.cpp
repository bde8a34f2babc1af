// Pieces of machine code with the names of their rules.
#include "tournaments/cli/perf_map.h"

#include "engine/api/explain.h"
#include "engine/api/origins.h"
#include "results/store/file.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <map>
#include <system_error>

namespace croupier::cli {
namespace {

constexpr std::size_t kMostNamed = 3; // of rules that share a piece

class Names {
  public:
    Names(const std::string& owner, const engine::Program& program) : owner_(owner) {
        for (const engine::RuleRow& row : engine::rows(program, engine::Profile(program)))
            rules_[row.rule] = fmt::format("{}/{}", row.group, row.name);
    }

    [[nodiscard]] std::string of(const engine::emit::Origin& origin) const {
        if (origin.rules.empty()) return owner_ + ":between rules";
        std::string name = owner_ + ":";
        const std::size_t named = std::min(origin.rules.size(), kMostNamed);
        for (std::size_t i = 0; i < named; ++i)
            name += (i == 0 ? "" : "+") + rules_.at(origin.rules[i]);
        if (named < origin.rules.size())
            name += fmt::format("+{} more", origin.rules.size() - named);
        return origin.part == engine::emit::Origin::Part::Action ? name + " action" : name;
    }

  private:
    std::string owner_;
    std::map<engine::RuleId, std::string> rules_;
};

} // namespace

void PerfMap::add(const std::string& owner, const engine::Program& program) {
    const std::lock_guard lock(mutex_);
    const bool known = std::any_of(programs_.begin(), programs_.end(),
                                   [&](const auto& each) { return each.second == &program; });
    if (!known) programs_.emplace_back(owner, &program);
}

tournaments::AgentMaker PerfMap::noting(tournaments::AgentMaker make,
                                        std::vector<std::string> names) {
    return [this, make = std::move(make), names = std::move(names)](std::uint32_t agent) {
        auto made = make(agent);
        if (made->rules() != nullptr) add(names.at(agent), *made->rules());
        return made;
    };
}

std::vector<PerfMap::Piece> PerfMap::pieces() const {
    const std::lock_guard lock(mutex_);
    std::vector<Piece> found;
    for (const auto& [owner, program] : programs_) {
        if (program->code() == nullptr) continue;
        const Names names(owner, *program);
        std::uintptr_t end = 0; // of the piece before
        for (const engine::emit::CodePiece& piece : program->code()->pieces()) {
            std::string name = names.of(*piece.origin);
            if (piece.address != end || name != found.back().name)
                found.push_back({piece.address, 0, std::move(name)});
            found.back().size += piece.bytes;
            end = piece.address + piece.bytes;
        }
    }
    return found;
}

std::string PerfMap::text() const {
    std::string lines;
    for (const auto& [begin, size, name] : pieces())
        fmt::format_to(std::back_inserter(lines), "{:x} {:x} {}\n", begin, size, name);
    return lines;
}

std::optional<std::string> PerfMap::write() const {
    return results::replace_file(fmt::format("/tmp/perf-{}.map", ::getpid()), text());
}

// The format is told by Linux in tools/perf/Documentation/jitdump-specification.txt. No code ever
// moves or goes, so that all of it may count as written before the first game.
std::optional<std::string> PerfMap::dump(const std::string& folder) const {
    const auto pid = static_cast<std::uint32_t>(::getpid());
    std::string bytes;
    const auto add = [&](auto... numbers) {
        (bytes.append(reinterpret_cast<const char*>(&numbers), sizeof numbers), ...);
    };
    constexpr std::uint32_t kHead = 40;
    add(std::uint32_t{0x4a695444}, std::uint32_t{1}, kHead, std::uint32_t{EM_X86_64},
        std::uint32_t{0}, pid, made_ns_, std::uint64_t{0});
    constexpr std::uint32_t kLoad = 0; // the kind of record
    constexpr std::size_t kLoadHead = 56;
    std::uint64_t index = 0;
    for (const auto& [begin, size, name] : pieces()) {
        const auto all = static_cast<std::uint32_t>(kLoadHead + name.size() + 1 + size);
        add(kLoad, all, made_ns_, pid, pid, std::uint64_t{begin}, std::uint64_t{begin},
            std::uint64_t{size}, index++);
        bytes.append(name.c_str(), name.size() + 1);
        bytes.append(reinterpret_cast<const char*>(begin), size);
    }
    const std::string path = fmt::format("{}/jit-{}.dump", folder, pid);
    if (auto failure = results::replace_file(path, bytes)) return failure;
    // `perf record` learns of the file by its being mapped as code.
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    void* const mapped = ::mmap(nullptr, kHead, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
    std::optional<std::string> failure;
    if (mapped == MAP_FAILED)
        failure = fmt::format("{}: {}", path, std::system_category().message(errno));
    else
        ::munmap(mapped, kHead);
    if (file >= 0) ::close(file);
    return failure;
}

} // namespace croupier::cli
