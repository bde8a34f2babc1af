// The codes of what can be wrong with a ruleset as a game; games/codes.md explains each.
#pragma once

#include <array>
#include <string_view>

namespace croupier::games::code {

inline constexpr std::string_view kPlayers = "E0601";
inline constexpr std::string_view kTeams = "E0602";
inline constexpr std::string_view kMissingGroup = "E0603";
inline constexpr std::string_view kHidden = "E0604";
inline constexpr std::string_view kOptionType = "E0605";
inline constexpr std::string_view kMaxPlies = "E0606";
inline constexpr std::string_view kPack = "E0607";
inline constexpr std::string_view kUnknownNode = "E0608";

inline constexpr std::string_view kRefusedOptions = "E0609";
inline constexpr std::string_view kRefusedState = "E0610";
inline constexpr std::string_view kDraw = "E0611";
inline constexpr std::string_view kTestForm = "E0612";
inline constexpr std::string_view kOnePlace = "E0613";
inline constexpr std::string_view kMaterial = "E0614";
inline constexpr std::string_view kAuction = "E0615";
inline constexpr std::string_view kSolving = "E0616";
inline constexpr std::string_view kNoGame = "E0617";
// Of random games.
inline constexpr std::string_view kNeverMoves = "W0601";
inline constexpr std::string_view kAborts = "W0602";
inline constexpr std::string_view kNeverEnds = "W0603";
inline constexpr std::string_view kNoChoice = "W0604";
// Of croupier check --strict.
inline constexpr std::string_view kNearName = "W0605";
inline constexpr std::string_view kNoScore = "W0606";

inline constexpr std::array kAll = {
    kPlayers,  kTeams,       kMissingGroup,   kHidden,       kOptionType, kMaxPlies,
    kPack,     kUnknownNode, kRefusedOptions, kRefusedState, kDraw,       kTestForm,
    kOnePlace, kMaterial,    kAuction,        kSolving,      kNoGame,     kNeverMoves,
    kAborts,   kNeverEnds,   kNoChoice,       kNearName,     kNoScore};

} // namespace croupier::games::code
