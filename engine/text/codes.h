// The stable codes of all diagnostics; engine/docs/codes.md explains each with an example.
#pragma once

#include <array>
#include <string_view>

namespace croupier::engine::code {

// Reading JSON
inline constexpr std::string_view kUnreadable = "E0001";
inline constexpr std::string_view kEmptyFile = "E0002";
inline constexpr std::string_view kSyntax = "E0003";
inline constexpr std::string_view kUnfinished = "E0004";
inline constexpr std::string_view kTrailing = "E0005";
inline constexpr std::string_view kEncoding = "E0006";
inline constexpr std::string_view kBadString = "E0007";
inline constexpr std::string_view kDuplicateKey = "E0008";
inline constexpr std::string_view kNumberRange = "E0009";
inline constexpr std::string_view kTooDeep = "E0010";
inline constexpr std::string_view kTooLarge = "E0011";

// Files and overlays
inline constexpr std::string_view kIncludeForm = "E0101";
inline constexpr std::string_view kIncludeUnreadable = "E0102";
inline constexpr std::string_view kIncludeCycle = "E0103";
inline constexpr std::string_view kIncludeLimit = "E0104";
inline constexpr std::string_view kIncludeMisfit = "E0105";
inline constexpr std::string_view kUnknownTarget = "E0106";
inline constexpr std::string_view kOverriddenAway = "E0107";
inline constexpr std::string_view kPlacement = "E0108";
inline constexpr std::string_view kRemovalForm = "E0109";
inline constexpr std::string_view kNoRuleset = "E0110";

// Expressions, keys and values
inline constexpr std::string_view kExpression = "E0201";
inline constexpr std::string_view kUnknownWord = "E0202";
inline constexpr std::string_view kArgumentCount = "E0203";
inline constexpr std::string_view kExpressionDepth = "E0204";
inline constexpr std::string_view kExpressionNumber = "E0205";
inline constexpr std::string_view kChainedComparison = "E0206";
inline constexpr std::string_view kUnknownAtWord = "E0207";
inline constexpr std::string_view kKeyForm = "E0208";
inline constexpr std::string_view kPathForm = "E0209";
inline constexpr std::string_view kNoLeftSide = "E0210";
inline constexpr std::string_view kMisplacedThis = "E0211";
inline constexpr std::string_view kValueForm = "E0212";
inline constexpr std::string_view kDirectiveForm = "E0213";
inline constexpr std::string_view kUnknownPattern = "E0214";
inline constexpr std::string_view kPatternCycle = "E0215";
inline constexpr std::string_view kPatternLimit = "E0216";
inline constexpr std::string_view kUnknownOption = "E0217";
inline constexpr std::string_view kPrintForm = "E0218";
inline constexpr std::string_view kOptionValue = "E0219";

// Rules and groups
inline constexpr std::string_view kUnknownRuleKey = "E0301";
inline constexpr std::string_view kRuleForm = "E0302";
inline constexpr std::string_view kRepeat = "E0303";
inline constexpr std::string_view kSalience = "E0304";
inline constexpr std::string_view kGroupForm = "E0305";
inline constexpr std::string_view kUnknownTopKey = "E0306";
inline constexpr std::string_view kTopForm = "E0307";
inline constexpr std::string_view kDuplicateRule = "E0308";
inline constexpr std::string_view kRuleDepth = "E0309";
inline constexpr std::string_view kNeverMatches = "E0310";
inline constexpr std::string_view kNoParent = "E0311";
inline constexpr std::string_view kUnknownFunction = "E0312";
inline constexpr std::string_view kCallArgument = "E0313";
inline constexpr std::string_view kActionForm = "E0314";
inline constexpr std::string_view kWritesConstant = "E0315";
inline constexpr std::string_view kAgendaRule = "E0316";

// Types and shapes
inline constexpr std::string_view kTypeForm = "E0401";
inline constexpr std::string_view kDuplicateMember = "E0402";
inline constexpr std::string_view kDomainSize = "E0403";
inline constexpr std::string_view kUnknownType = "E0404";
inline constexpr std::string_view kTypeCycle = "E0405";
inline constexpr std::string_view kShapeForm = "E0406";
inline constexpr std::string_view kNoSuchKey = "E0407";
inline constexpr std::string_view kNeverHeld = "E0408";
inline constexpr std::string_view kTypeNeverMatches = "E0409";
inline constexpr std::string_view kDataMisfit = "E0410";
inline constexpr std::string_view kConstantClash = "E0411";
inline constexpr std::string_view kRelationClash = "E0412";

// Variables
inline constexpr std::string_view kUnbound = "E0501";
inline constexpr std::string_view kSomeAlternatives = "E0502";
inline constexpr std::string_view kLocalVariable = "E0503";
inline constexpr std::string_view kVariableName = "E0504";

// Warnings
inline constexpr std::string_view kUnusedVariable = "W0001";
inline constexpr std::string_view kUnusedPattern = "W0002";
inline constexpr std::string_view kOptionAsText = "W0003";
inline constexpr std::string_view kNamelessRule = "W0004";
inline constexpr std::string_view kSameStep = "W0005";
inline constexpr std::string_view kKeyAtRoot = "W0006";

inline constexpr std::array kAll = {
    kUnreadable,
    kEmptyFile,
    kSyntax,
    kUnfinished,
    kTrailing,
    kEncoding,
    kBadString,
    kDuplicateKey,
    kNumberRange,
    kTooDeep,
    kTooLarge,
    kIncludeForm,
    kIncludeUnreadable,
    kIncludeCycle,
    kIncludeLimit,
    kIncludeMisfit,
    kUnknownTarget,
    kOverriddenAway,
    kPlacement,
    kRemovalForm,
    kNoRuleset,
    kExpression,
    kUnknownWord,
    kArgumentCount,
    kExpressionDepth,
    kExpressionNumber,
    kChainedComparison,
    kUnknownAtWord,
    kKeyForm,
    kPathForm,
    kNoLeftSide,
    kMisplacedThis,
    kValueForm,
    kDirectiveForm,
    kUnknownPattern,
    kPatternCycle,
    kPatternLimit,
    kUnknownOption,
    kPrintForm,
    kOptionValue,
    kUnknownRuleKey,
    kRuleForm,
    kRepeat,
    kSalience,
    kGroupForm,
    kUnknownTopKey,
    kTopForm,
    kDuplicateRule,
    kRuleDepth,
    kNeverMatches,
    kNoParent,
    kUnknownFunction,
    kCallArgument,
    kActionForm,
    kWritesConstant,
    kAgendaRule,
    kTypeForm,
    kDuplicateMember,
    kDomainSize,
    kUnknownType,
    kTypeCycle,
    kShapeForm,
    kNoSuchKey,
    kNeverHeld,
    kTypeNeverMatches,
    kDataMisfit,
    kConstantClash,
    kRelationClash,
    kUnbound,
    kSomeAlternatives,
    kLocalVariable,
    kVariableName,
    kUnusedVariable,
    kUnusedPattern,
    kOptionAsText,
    kNamelessRule,
    kSameStep,
    kKeyAtRoot,
};

} // namespace croupier::engine::code
