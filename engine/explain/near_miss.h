// Watches a rule's condition being searched, and keeps the partial match that came nearest.
#pragma once

#include "engine/explain/entry_places.h"
#include "engine/explain/why_stop.h"
#include "engine/run/observer.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::engine {

// Variables of the rules around one, the outermost first.
using Around = std::vector<std::pair<std::string, Value>>;

// The partial matches of one rule; told of what happens to its entries.
class NearMiss {
  public:
    explicit NearMiss(const RulePlan& rule) : rule_(rule), places_(*rule.source) {
        standing_.resize(places_.all().size());
    }

    // A search begins; what came before is forgotten.
    void begins(Around around = {});
    void entry_stands(const Note& note, NodeRef at, bool child, std::span<const Value> values,
                      const Runtime& runtime);
    void entry_tried(std::uint32_t entry);
    void entry_passed(std::uint32_t entry);
    void entry_stopped(const Stopped& stopped);
    // Keeps besides what came nearest of the partial matches in which a variable is that text.
    void ask_about(std::string text) { asked_ = std::move(text); }

    // The path of the node that the entry has let a partial match through at; nothing: of none.
    [[nodiscard]] std::optional<std::string> node_of(std::uint32_t entry,
                                                     std::span<const Value> values);
    [[nodiscard]] const EntryPlaces& places() const { return places_; }
    [[nodiscard]] const std::optional<WhyStop>& nearest() const { return nearest_; }
    [[nodiscard]] const std::optional<WhyStop>& nearest_asked() const { return nearest_asked_; }

  private:
    struct Standing {
        NodeRef at;    // the entry's pattern is laid on it
        NodeRef child; // that its loop has come to
    };
    // What is known of the search that an entry makes inside.
    struct Inside {
        std::map<std::uint32_t, WhyStop> nearest; // by the part that it stopped in
        std::uint32_t tried = kNone;              // the last entry
        std::uint32_t last = kNone;               // the last that leads to a node
    };
    // A place of the tree, whether something is there or not.
    struct Place {
        NodeRef node;
        std::string path;
    };

    [[nodiscard]] const Value* variable(const std::string& name) const;
    [[nodiscard]] std::string key_text(const KeyTemplate& key) const;
    [[nodiscard]] Place child(const Place& above, const std::string& key) const;
    [[nodiscard]] std::string path_of(NodeRef node) const;
    [[nodiscard]] Place place_of(const Entry& entry) const;
    [[nodiscard]] bool is_loop(const Entry& entry) const;
    [[nodiscard]] const Pattern& asked_of(const Entry& entry) const;
    [[nodiscard]] WhyStop make_stop(const Stopped& stopped);
    void find_reason(const Entry& entry, const Stopped& stopped, WhyStop& stop);
    void find_reason_at_node(const Entry& entry, const Stopped& stopped, WhyStop& stop);
    void find_reason_inside(const Entry& entry, WhyStop& stop);
    void find_match(const Entry& search, WhyStop& stop);
    void compare(const Entry& entry, const Stopped& stopped, WhyStop& stop) const;
    [[nodiscard]] double distance_to(const Pattern& pattern, const WhyStop& stop) const;
    [[nodiscard]] bool is_bound(const Variable& variable, const Stopped& stopped,
                                bool in_each) const;
    [[nodiscard]] NamedValues bound_at(const Stopped& stopped) const;
    void add_inside(NamedValues& bound, std::uint32_t scope, std::uint32_t part,
                    const Stopped* stopped) const;
    [[nodiscard]] std::uint32_t shared_beside(const Entry& entry) const;
    [[nodiscard]] bool surely_holds(const Entry& entry, NodeRef at) const;
    [[nodiscard]] std::optional<Value> plain_value(const Expr& expr) const;
    [[nodiscard]] bool holds_asked(const Stopped& stopped) const;
    static void keep_nearer(std::optional<WhyStop>& kept, const WhyStop& stop);

    const RulePlan& rule_;
    EntryPlaces places_;
    std::string asked_;
    Around around_;
    std::vector<Standing> standing_;
    std::map<std::uint32_t, Inside> inside_; // by entry
    std::optional<WhyStop> nearest_;
    std::optional<WhyStop> nearest_asked_;
    // During a call:
    std::span<const Value> values_;
    const Runtime* runtime_ = nullptr;
    std::uint32_t part_ = 0; // of the entry that stops, where it is one of several
};

} // namespace croupier::engine
