// Deliberate mistakes of the model, so that a test can show that the differential test would find
// such a mistake in the engine.
#pragma once

namespace croupier::engine::reference {

enum class Fault {
    None,
    SiblingsReversed,   // children are tried last to first
    FirstIgnored,       // `first` acts on all matches
    AtOnceIgnored,      // an at_once group runs in sequence
    RepeatIgnored,      // `repeat` acts once
    ElseForgotten,      // `else` never runs
    NewNodesFirst,      // a created node goes before its siblings
    KeysAreText,        // an integer key is unequal to its integer
    EmptyIsAbsent,      // "@absent" passes for a node without value
    DomainOrderIgnored, // children of domain maps keep their order of creation
    AnyTakesFirst,      // @any stops at the first alternative that matches
    DivisionRounds,     // 3 / 2 is 1
    FiresOnceForEver,   // a match of an agenda does not fire again when its nodes have changed
    DepthIsBreadth,     // an agenda's oldest activations come first under depth
    SalienceIgnored,    // all activations of an agenda have the same salience
};

} // namespace croupier::engine::reference
