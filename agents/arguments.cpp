// Parses spec arguments and reports errors.
#include "agents/arguments.h"

#include "engine/api/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace croupier::agents {

Arguments::Arguments(const AgentSpec& spec) : kind_(spec.kind) {
    std::string_view rest = spec.arguments;
    while (!rest.empty()) {
        const std::string_view one = rest.substr(0, first_piece(rest));
        rest.remove_prefix(std::min(rest.size(), one.size() + 1));
        const std::size_t equals = one.find('=');
        if (equals == std::string_view::npos)
            arguments_.push_back({{}, std::string(one)});
        else
            arguments_.push_back({std::string(one.substr(0, equals)),
                                  std::string(without_parentheses(one.substr(equals + 1)))});
    }
}

Arguments::Argument* Arguments::find(std::string_view name) {
    for (Argument& each : arguments_) {
        if (each.name != name || each.used) continue;
        each.used = true;
        return &each;
    }
    return nullptr;
}

std::string Arguments::word() {
    const Argument* word = find({});
    return word == nullptr ? std::string() : word->value;
}

bool Arguments::number(std::string_view name, std::uint64_t& value, std::uint64_t least,
                       std::uint64_t most) {
    known_.emplace_back(name);
    const Argument* argument = find(name);
    if (argument == nullptr) return false;
    const char* const end = argument->value.data() + argument->value.size();
    const auto read = std::from_chars(argument->value.data(), end, value);
    const bool good = read.ec == std::errc() && read.ptr == end && value >= least && value <= most;
    if (!good && error_.empty()) {
        error_ = fmt::format("{}: {} is a number from {} to {}, found '{}'", kind_, name, least,
                             most, argument->value);
    }
    return true;
}

bool Arguments::time(const AgentServices& services, TimeLimit& limit) {
    limit.hurry = services.abandon;
    std::uint64_t ms = 0;
    if (!number("ms", ms, 1, 3'600'000)) return false;
    limit.clock = services.clock;
    limit.time = std::chrono::milliseconds(ms);
    if (limit.clock == nullptr && error_.empty())
        error_ = fmt::format("{}: ms needs a clock, and there is none here", kind_);
    return true;
}

void Arguments::number_or_time(std::string_view name, std::uint64_t& value, std::uint64_t most,
                               const AgentServices& services, TimeLimit& limit) {
    const bool counted = number(name, value, 1, most);
    const bool timed =
        std::ranges::any_of(arguments_, [](const Argument& each) { return each.name == "ms"; });
    if (counted && timed && error_.empty())
        error_ = fmt::format("{}: {} or ms is the limit, not both", kind_, name);
    time(services, limit);
}

void Arguments::percentage_to_resign(Resignation& resignation) {
    std::uint64_t percent = 0;
    if (number("resign", percent, 1, 100))
        resignation = Resignation(static_cast<double>(percent) / 100);
}

bool Arguments::text(std::string_view name, std::string& value) {
    known_.emplace_back(name);
    const Argument* argument = find(name);
    if (argument != nullptr) value = argument->value;
    return argument != nullptr;
}

std::vector<std::pair<std::string, std::string>> Arguments::others() {
    std::vector<std::pair<std::string, std::string>> others;
    for (Argument& each : arguments_) {
        if (each.used || each.name.empty()) continue;
        each.used = true;
        others.emplace_back(each.name, each.value);
    }
    return others;
}

std::string Arguments::error() const {
    if (!error_.empty()) return error_;
    for (const Argument& each : arguments_) {
        if (each.used) continue;
        const std::string found = each.name.empty() ? each.value : each.name;
        if (known_.empty()) return fmt::format("{} takes no arguments, found '{}'", kind_, found);
        return fmt::format("{} has no option '{}'{}; it has {}", kind_, found,
                           engine::did_you_mean(found, known_), fmt::join(known_, ", "));
    }
    return {};
}

} // namespace croupier::agents
