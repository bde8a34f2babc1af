// Lays a diagnostic out for --json.
#include "tournaments/cli/diagnostic_json.h"

#include <nlohmann/json.hpp>

namespace croupier::cli {

nlohmann::ordered_json diagnostic_json(const engine::Diagnostic& diagnostic,
                                       const engine::Sources& sources) {
    const auto at = sources.line_column(diagnostic.span.file, diagnostic.span.begin);
    return {{"code", diagnostic.code},
            {"severity", diagnostic.severity == engine::Severity::Error ? "error" : "warning"},
            {"file", sources.name(diagnostic.span.file)},
            {"line", at.line},
            {"column", at.column},
            {"rule", diagnostic.rule},
            {"message", diagnostic.message},
            {"hint", diagnostic.hint}};
}

} // namespace croupier::cli
