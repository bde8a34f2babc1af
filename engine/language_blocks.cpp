// Finds fenced blocks and groups them into examples.
#include "engine/language_blocks.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace croupier::engine {
namespace {

constexpr std::string_view kFence = "```";

enum class Role { Subject, State, File, Expectation, Prose, Unknown };

Role role_of(const Block& block) {
    static constexpr std::array<std::pair<std::string_view, Role>, 13> kRoles{{
        {"condition", Role::Subject},
        {"rules", Role::Subject},
        {"state", Role::State},
        {"file", Role::File},
        {"over", Role::File},
        {"after", Role::Expectation},
        {"matches", Role::Expectation},
        {"error", Role::Expectation},
        {"warning", Role::Expectation},
        {"stops", Role::Expectation},
        {"why", Role::Expectation},
        {"trace", Role::Expectation},
        {"prints", Role::Expectation},
    }};
    if (block.kind.empty() && (block.language == "ebnf" || block.language == "console"))
        return Role::Prose;
    const auto* known = std::find_if(kRoles.begin(), kRoles.end(),
                                     [&](const auto& role) { return role.first == block.kind; });
    return known == kRoles.end() ? Role::Unknown : known->second;
}

Block opened_by(std::string_view fence, std::size_t line) {
    Block block;
    block.line = line;
    std::istringstream words{std::string(fence.substr(kFence.size()))};
    words >> block.language >> block.kind >> std::ws;
    std::getline(words, block.argument);
    return block;
}

class Finder {
  public:
    Examples find(std::string_view markdown) {
        std::istringstream lines{std::string(markdown)};
        std::string line;
        std::optional<Block> open;
        for (std::size_t number = 1; std::getline(lines, line); ++number) {
            const bool fence = line.starts_with(kFence);
            if (!open && fence) {
                open = opened_by(line, number);
            } else if (open && fence) {
                take(std::move(*open));
                open.reset();
            } else if (open) {
                open->text += line + '\n';
            } else if (line.starts_with("## ")) {
                close();
                state_.reset();
            }
        }
        if (open) problem(open->line, "a block is not closed");
        close();
        return std::move(found_);
    }

  private:
    void take(Block block) {
        switch (role_of(block)) {
        case Role::Prose:
            return;
        case Role::Unknown:
            return problem(block.line, "no kind of block: " + block.language + ' ' + block.kind);
        case Role::Subject:
            close();
            example_ = Example{std::move(block), state_, {}, {}};
            again_ = false;
            return;
        case Role::State:
            state_ = std::move(block);
            if (example_ && !example_->expected.empty()) {
                // The same rules again, in case more expectations follow.
                found_.all.push_back(*example_);
                example_->expected.clear();
                again_ = true;
            }
            if (example_) example_->state = state_;
            return;
        case Role::File:
        case Role::Expectation:
            if (!example_)
                return problem(block.line, block.kind + " without a condition or rules before it");
            auto& list = role_of(block) == Role::File ? example_->files : example_->expected;
            list.push_back(std::move(block));
            return;
        }
    }

    void close() {
        if (example_ && !example_->expected.empty())
            found_.all.push_back(std::move(*example_));
        else if (example_ && !again_)
            problem(example_->subject.line, "an example that expects nothing");
        example_.reset();
    }

    void problem(std::size_t line, std::string text) {
        found_.problems.emplace_back(line, std::move(text));
    }

    Examples found_;
    std::optional<Example> example_;
    std::optional<Block> state_;
    bool again_ = false; // the current example has the same rules as the one before
};

} // namespace

Examples find_examples(std::string_view markdown) {
    return Finder().find(markdown);
}

std::string with_texts(std::string_view markdown,
                       const std::vector<std::pair<std::size_t, std::string>>& texts) {
    std::istringstream lines{std::string(markdown)};
    std::string result;
    std::string line;
    bool skipping = false;
    for (std::size_t number = 1; std::getline(lines, line); ++number) {
        skipping = skipping && !line.starts_with(kFence);
        if (!skipping) result += line + '\n';
        for (const auto& [opening, text] : texts) {
            if (opening == number) {
                result += text;
                skipping = true;
            }
        }
    }
    return result;
}

} // namespace croupier::engine
