// Stacks with the same beginning share frames, which stand side by side, widest first.
#include "results/html/flame.h"

#include "results/html/markup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace croupier::results {
namespace {

constexpr int kFrame = 20; // pixels
constexpr double kLeast = 0.001;
constexpr unsigned kHues = 6; // in the style sheet

struct Frame {
    std::string name;
    double ns = 0;
    std::vector<Frame> inner;
};

void add(Frame& root, const Stack& stack) {
    Frame* at = &root;
    const auto ns = static_cast<double>(stack.ns);
    at->ns += ns;
    for (const std::string& name : stack.frames) {
        auto found = std::find_if(at->inner.begin(), at->inner.end(),
                                  [&](const Frame& each) { return each.name == name; });
        if (found == at->inner.end()) found = at->inner.insert(found, Frame{name, 0, {}});
        at = &*found;
        at->ns += ns;
    }
}

void sort(Frame& frame) {
    std::stable_sort(frame.inner.begin(), frame.inner.end(),
                     [](const Frame& a, const Frame& b) { return a.ns > b.ns; });
    for (Frame& each : frame.inner)
        sort(each);
}

// Frames of one name have one colour wherever they stand.
unsigned hue_of(const std::string& name) {
    unsigned sum = 0;
    for (const char c : name)
        sum = 31 * sum + static_cast<unsigned char>(c);
    return sum % kHues;
}

class Drawing {
  public:
    Drawing(double all, double games) : all_(all), games_(games) {}

    void draw(const Frame& frame, double from, int depth) {
        const double width = frame.ns / all_;
        if (width < kLeast) return;
        deepest_ = std::max(deepest_, depth);
        const std::string told =
            games_ > 0 ? fmt::format("{}: {:.1f} %, {:.0f} ns a game", frame.name, 100 * width,
                                     frame.ns / games_)
                       : fmt::format("{}: {:.1f} %, {:.0f} ns", frame.name, 100 * width, frame.ns);
        // The script reads places and words from here: a page may have a thousand frames.
        svg_.open("svg", {{"class", fmt::format("frame hue{}", hue_of(frame.name))},
                          {"x", fmt::format("{:.4f}%", 100 * from)},
                          {"y", std::to_string(depth * kFrame)},
                          {"width", fmt::format("{:.4f}%", 100 * width)},
                          {"height", std::to_string(kFrame - 1)}});
        svg_.element("title", {}, told);
        svg_.empty("rect", {});
        svg_.element("text", {{"x", "3"}, {"y", "14"}}, frame.name);
        svg_.close();
        for (const Frame& inner : frame.inner) {
            draw(inner, from, depth + 1);
            from += inner.ns / all_;
        }
    }

    [[nodiscard]] std::string finished() const {
        Markup graph;
        graph.open("figure", {{"class", "flame"},
                              {"data-chart", "flames"},
                              {"tabindex", "0"},
                              {"aria-label", "Flame graph of rule costs"}});
        graph.open("svg", {{"role", "img"},
                           {"aria-label", "Flame graph of rule costs"},
                           {"width", "100%"},
                           {"height", std::to_string((deepest_ + 1) * kFrame)}});
        graph.raw(svg_.str());
        graph.close();
        graph.element("p", {{"class", "detail"}, {"aria-live", "polite"}},
                      "Touch a frame to see what it took, and to widen it; or move with the arrow "
                      "keys, widen with Enter, and go back with Escape.");
        graph.close();
        return graph.str();
    }

  private:
    double all_;
    double games_;
    int deepest_ = 0;
    Markup svg_;
};

} // namespace

std::string flame_graph(std::span<const Stack> stacks, double games) {
    Frame root{"all rules", 0, {}};
    for (const Stack& stack : stacks)
        add(root, stack);
    if (!(root.ns > 0)) return {};
    sort(root);
    Drawing drawing(root.ns, games);
    drawing.draw(root, 0, 0);
    return drawing.finished();
}

} // namespace croupier::results
