// Where in the tree of every possible state a pattern or action stands, as far as it is declared.
#pragma once

#include "engine/lang/reading.h"
#include "engine/lang/ruleset.h"
#include "engine/text/member_index.h"

#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

namespace croupier::engine {

// A node of the declared tree, or a node about which nothing is known.
struct Spot {
    enum class Kind { Unknown, Root, Shaped, Constant, Options };
    Kind kind = Kind::Unknown;
    const Shape* shape = nullptr;   // Shaped
    const Document* data = nullptr; // Constant: what stands there; null inside near and next
    std::string key = {};           // as a condition writes it, without a type
};

// What a step down to a named child leads to.
struct Descent {
    Spot spot;
    bool exists = true;
    Words known; // siblings, when it does not exist
};

class Places {
  public:
    explicit Places(const Ruleset& ruleset);

    [[nodiscard]] static Spot root() { return {Spot::Kind::Root, nullptr, nullptr}; }
    // The child with that key.
    [[nodiscard]] Descent child(const Spot& spot, const std::string& key) const;
    // Some child: what all children have in common.
    [[nodiscard]] static Spot any_child(const Spot& spot);

  private:
    void note_relations();
    void note_directions(const std::string& relation, Ways ways);
    [[nodiscard]] Descent root_child(const std::string& key) const;
    [[nodiscard]] Descent shaped_child(const Shape& shape, const std::string& key) const;

    const Ruleset& ruleset_;
    MemberIndex state_;
    MemberIndex constants_;
    std::unordered_map<std::string_view, const Shape*> fields_; // of the root
    bool open_root_ = true;           // undeclared, or some action makes keys of any name there
    std::set<std::string> written_;   // keys that actions make at the root
    std::set<std::string> relations_; // near, step, ray, next: where some domain brings them
    std::map<std::string, Document, std::less<>> directions_; // the children of step and of ray
};

} // namespace croupier::engine
