// Names of rules on a page: links to the rules' texts, which a section of the chapter holds.
#pragma once

#include "results/html/outline.h"
#include "results/html/page.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace croupier::results {

class RuleLinks {
  public:
    // Both must outlive it.
    RuleLinks(const RunChapter& chapter, Outline& outline);

    // Where the page has the text of the rule; empty if it has none.
    std::string link(std::uint32_t rule);
    // Markup of a cell or a note, with links: of a title alone, and in the notes of coverage
    // ("Never tried: A, B", "Never reached in A: ..").
    std::string linked(std::string_view text);
    // The rules that have links, and the rules around these.
    void add_section();

  private:
    [[nodiscard]] const RuleFacts& facts(std::uint32_t rule) const;
    [[nodiscard]] std::string id(std::uint32_t rule) const;
    [[nodiscard]] std::optional<std::uint32_t> around(std::uint32_t rule) const;
    void add_text(std::uint32_t rule);

    const RunChapter& chapter_;
    Outline& outline_;
    std::map<std::string, std::uint32_t, std::less<>> titles_; // of rules with texts
    std::set<std::uint32_t> named_;
    bool full_ = false; // a rule has no link, since the page has enough texts
};

} // namespace croupier::results
