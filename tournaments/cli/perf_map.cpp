// Pieces of machine code with the names of their rules.
#include "tournaments/cli/perf_map.h"

#include "engine/api/explain.h"
#include "engine/api/origins.h"
#include "results/store/file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

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

std::string PerfMap::text() const {
    const std::lock_guard lock(mutex_);
    std::string lines;
    for (const auto& [owner, program] : programs_) {
        if (program->code() == nullptr) continue;
        const Names names(owner, *program);
        std::uintptr_t begin = 0;
        std::uintptr_t end = 0;
        std::string name;
        const auto put = [&] {
            if (end > begin)
                fmt::format_to(std::back_inserter(lines), "{:x} {:x} {}\n", begin, end - begin,
                               name);
        };
        for (const engine::emit::CodePiece& piece : program->code()->pieces()) {
            std::string next = names.of(*piece.origin);
            if (piece.address != end || next != name) {
                put();
                begin = piece.address;
                name = std::move(next);
            }
            end = piece.address + piece.bytes;
        }
        put();
    }
    return lines;
}

std::optional<std::string> PerfMap::write() const {
    return results::replace_file(fmt::format("/tmp/perf-{}.map", ::getpid()), text());
}

} // namespace croupier::cli
