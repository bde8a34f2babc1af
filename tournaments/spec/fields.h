// Values of a specification: each is taken if it fits, and else told with its place.
#pragma once

#include "engine/api/text.h"
#include "results/statistics/gsprt.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::tournaments {

class Fields {
  public:
    explicit Fields(engine::Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

    void error(std::string_view code, engine::Span place, std::string message,
               std::string hint = {}) {
        diagnostics_.error(code, place, std::move(message), std::move(hint));
    }
    // Keys besides these are mistakes.
    void only_keys(const engine::Document& object, const std::vector<std::string>& known);

    std::optional<std::string> text(const engine::Document& value);
    // Which of the words it is.
    std::optional<std::size_t> word(const engine::Document& value,
                                    const std::vector<std::string>& words);
    // 0 and up; 1e6 is a whole number, too.
    std::optional<std::uint64_t> whole(const engine::Document& value);
    // From 1.
    std::optional<std::uint64_t> count(const engine::Document& value,
                                       std::uint64_t most = 1'000'000'000'000);
    // Between the bounds, neither of them included.
    std::optional<double> number(const engine::Document& value, double low, double high,
                                 std::string_view what);

  private:
    engine::Diagnostics& diagnostics_;
};

// The five numbers of a sequential test, some of which have defaults.
class SprtFields {
  public:
    explicit SprtFields(Fields& fields) : fields_(fields) {}

    void read(std::string_view name, const engine::Document& value);
    // "0,5,0.05,0.05,normalized", as far as it goes.
    void read_list(const engine::Document& text, std::span<const std::string_view> names);
    // Nothing if something is wrong.
    std::optional<results::SprtBounds> finish(engine::Span place);

  private:
    Fields& fields_;
    results::SprtBounds bounds_;
    bool has_elo0_ = false;
    bool has_elo1_ = false;
    bool good_ = true;
};

} // namespace croupier::tournaments
