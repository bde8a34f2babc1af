// Options that are set by words, which do not tell a number from a text: they are read by what the
// options hold.
#pragma once

#include "engine/api/ruleset.h"
#include "engine/api/text.h"

#include <span>
#include <string>

namespace croupier::games {

// A value as a word.
std::string text_of(const engine::Scalar& value);

// As engine::load_ruleset. The values of `settings.options` become what their options take; one
// that does not fit is an error, and stays out.
engine::Loaded load_with_options(std::span<const std::string> paths, const engine::FileOpener& open,
                                 engine::LoadSettings& settings);

// Adds the words to the sources if one of the diagnostics is about them and they are not yet there.
void show_settings(const engine::LoadSettings& settings, engine::Sources& sources,
                   const engine::Diagnostics& diagnostics);

} // namespace croupier::games
