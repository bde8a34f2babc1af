// One CLIPS program and its run: constructs, facts, agenda, and what its commands print.
#pragma once

#include "engine/agenda/agenda.h"
#include "engine/clips/games.h"
#include "engine/clips/library_random.h"
#include "engine/clips/logical.h"
#include "engine/clips/network.h"
#include "engine/clips/scope.h"
#include "engine/clips/settings.h"
#include "engine/run/random.h"
#include "engine/text/diagnostic.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace croupier::engine::clips {

enum class Flow : std::uint8_t { On, Break, Return, Error };

class Session : private TimeTags {
  public:
    using Sink = std::function<void(std::string_view)>;
    // The text of a file, or nothing when it cannot be read.
    using Opener = std::function<std::optional<std::string>(const std::string&)>;
    using LineReader = std::function<std::optional<std::string>()>;
    using Clock = std::function<double()>;

    explicit Session(Sink sink, std::size_t memory_limit = std::size_t{2} << 30);
    ~Session() override;

    void set_opener(Opener opener) { open_ = std::move(opener); }
    void set_line_reader(LineReader reader) { read_line_ = std::move(reader); }
    void set_clock(Clock clock) { clock_ = std::move(clock); }
    // Asked now and then while rules run; true ends the run.
    void set_interrupted(std::function<bool()> asked) { interrupted_ = std::move(asked); }

    // Constructs and commands of a text, one after another. `as_batch`: as typed at a prompt, of
    // each line only the first command counts. False when some construct was refused.
    bool load(std::string name, std::string text, bool as_batch);
    void reset();
    // Fires up to `limit` rules; -1 means all.
    std::int64_t run(std::int64_t limit);
    void clear();

    // Many games without printing: reset, strategy's seed, run; see games.cpp.
    GameReport play(const GameOptions& options);

    [[nodiscard]] const Diagnostics& diagnostics() const { return diagnostics_; }
    Diagnostics& diagnostics() { return diagnostics_; }
    [[nodiscard]] const Sources& sources() const { return sources_; }
    [[nodiscard]] std::optional<int> exit_code() const { return exit_; }
    [[nodiscard]] Agenda& agenda() { return agenda_; }
    void set_strategy(Strategy strategy) { agenda_.set_strategy(strategy); }
    void seed(std::uint32_t seed) { random_.seed(seed); }
    [[nodiscard]] const std::deque<Rule>& rules() const { return defined_.rules; }
    [[nodiscard]] Rule* find_rule(std::string_view name);
    [[nodiscard]] Network& network() { return network_; }
    [[nodiscard]] bool halted() const { return halted_; }
    [[nodiscard]] bool limit_reached() const { return limit_reached_; }
    [[nodiscard]] bool had_error() const { return had_error_; }

    // Text as CLIPS prints it.
    [[nodiscard]] std::string shown(const Value& value, bool quoted) const;
    [[nodiscard]] std::string shown_fact(const Fact& fact) const;
    [[nodiscard]] std::string shown_basis(const Match& match) const;
    // "rule: f-1,f-2" of an activation.
    [[nodiscard]] std::string describe(Agenda::Handle handle) const;
    // The facts that it rests on, in the order of the rule's elements.
    [[nodiscard]] std::vector<const Fact*> basis(Agenda::Handle handle) const;

    // ---- for the network
    void on_assert(const Fact& fact);
    void on_retract(const Fact& fact);
    void activate(Rule& rule, Match* match);
    void withdraw(Rule& rule, Match* match);
    bool test(const Expr& expr, const Bind* left, const Bind* right, bool& failed);
    void test_failed(const Join* join);
    bool count_instead(Match* left, Join& join);
    void uncount(Match* left);
    void support_ends(const Match& match);
    void support_forgotten(const Match& match);
    void bury_markers(const Marker* markers, std::size_t count);

    // ---- for expressions (defined_.functions*.cpp, special_forms.cpp)
    Interner& interner() { return interner_; }
    Value call(const Expr& expr) { return expr.eval(*this, expr); }
    Value call_function(const Function& function, std::span<const Value> arguments);
    void print(std::string_view text) {
        if (!silent_) sink_(text);
    }
    void print_to(std::string_view router, std::string_view text);
    [[nodiscard]] bool silent() const { return silent_; }
    Value fail(std::string_view message); // prints it, stops the evaluation
    [[nodiscard]] bool stopped() const { return flow_ != Flow::On; }
    Value& local(std::uint32_t number) { return frame_[number]; }
    const Bind* left_binds() const { return left_; }
    const Bind* right_binds() const { return right_; }

    Fact* assert_fact(Fact* made); // null when it was there already
    void retract_fact(Fact* fact);
    void check_constraint(const Slot& slot, const Value& value);

    // How the evaluation goes on after a call.
    [[nodiscard]] Flow flow() const { return flow_; }
    void go_on() { flow_ = Flow::On; }
    void break_off() { flow_ = Flow::Break; }
    void end_break() {
        if (flow_ == Flow::Break) flow_ = Flow::On;
    }
    void give_back(const Value& value) {
        returned_ = value;
        flow_ = Flow::Return;
    }
    [[nodiscard]] Value returned_or(const Value& otherwise) const {
        return flow_ == Flow::Return ? returned_ : otherwise;
    }
    void halt() { halted_ = true; }
    void leave(int code) {
        exit_ = code;
        halted_ = true;
    }
    std::uint64_t next_symbol() { return gensym_++; }

    // The surroundings; what was not set is not there.
    [[nodiscard]] std::optional<std::string> open(const std::string& name) const {
        return open_ ? open_(name) : std::nullopt;
    }
    [[nodiscard]] std::optional<std::string> read_line() const {
        return read_line_ ? read_line_() : std::nullopt;
    }
    [[nodiscard]] bool has_clock() const { return clock_ != nullptr; }
    [[nodiscard]] double now() const { return clock_ ? clock_() : 0.0; }

    [[nodiscard]] Settings& settings() { return settings_; }
    [[nodiscard]] Watches& watches() { return watches_; }
    // What the constructs have come to; the indexes by name follow add_template and remove_rule.
    [[nodiscard]] Definitions& defined() { return defined_; }

    Template* find_template(const Text* name);
    Template& ordered_template(const Text* name);
    Template& add_template(Template&& made);
    bool remove_rule(std::string_view name);
    void keep(const Value& value) { constants_.push_back(value); }
    // Whether a firing of the rule always takes its own match away, so that matches may be counted.
    [[nodiscard]] bool may_count(const Rule& rule, std::span<const Form> actions,
                                 const Scope& scope) const;
    static constexpr std::size_t kLargestFile = std::size_t{256} << 20;
    Function* find_function(const Text* name);
    Global* find_global(const Text* name);
    void refresh_agenda();
    int salience_of(Rule& rule);
    void show_agenda(std::string_view indent = "");
    void show_matches(std::string_view rule);
    void show_facts(std::int64_t from, std::int64_t to, std::int64_t most);
    [[nodiscard]] Value fact_value(Fact* fact);
    void set_global(Global& global, const Value& value);
    bool interrupted_now() { return interrupted_ && (++ticks_ & 1023) == 0 && interrupted_(); }
    // Values that a loop goes on reading stay where they are.
    void hold(const Value& value) { held_.push_back(value); }
    void release() { held_.pop_back(); }
    std::vector<Value>& scratch() { return scratch_; }
    std::int64_t draw();
    // The tokens of a text as values: what explode$ makes of it.
    void read_fields(std::string_view text, std::vector<Value>& into);
    Value evaluate_text(const std::string& text, bool construct);
    Value assert_text(const std::string& text);
    // A function by name, to be called with values.
    std::function<Value(std::span<const Value>)> callable(const Text* name, int arguments);

    // ---- for building (construct.cpp, rule_*.cpp)
    Expr compile(const Form& form, Scope& scope);
    // What an assert makes: one expression a slot.
    bool compile_fact(const Form& form, Scope& scope, Expr& into);
    // The deftemplate of the fact that a variable names, when that is known.
    const Template* template_of(const Form& form, const Scope& scope);
    // Both refuse what was read up to `until`.
    void unknown_slot(const Template& of, const Form& name, std::string_view rule,
                      std::uint32_t until);
    bool check_literal(const Slot& slot, const Form& literal, std::string_view command,
                       std::string_view rule, std::uint32_t until);
    void mistake(std::string_view code, Span span, std::string message, std::string hint = {},
                 std::string_view rule = {});
    bool define(const Form& form, std::string_view source);
    // What `load` prints as it goes; nothing unless a command asked for it.
    void tell_loading(bool on) { telling_ = on; }
    [[nodiscard]] bool tells_words() const { return telling_ && watches_.compilations; }
    void tell_construct(std::string_view kind, std::string_view name, char mark, bool again);
    // "[PRNTUTIL2] Syntax Error:  Check appropriate syntax for .."
    void refuse_syntax(std::string_view of, std::uint32_t until);
    // Prints what CLIPS says of a construct or command that it refuses, having read it up to the
    // place `until`. Of several mistakes it tells the first.
    void refuse(std::string_view text, std::uint32_t until);
    // A whole construct as CLIPS writes it.
    [[nodiscard]] std::string indented(const std::string& construct);
    // An expression in one line, as CLIPS writes it.
    [[nodiscard]] std::string shown_form(const Form& form) const;

  private:
    friend struct Builder;
    friend class Frame;

    [[nodiscard]] std::string echo(const Form& construct, std::uint32_t until) const;
    void append_time_tags(std::uint64_t payload, std::vector<std::uint64_t>& tags) const override;
    bool define_now(const Form& form, std::string_view source);
    void execute(const Form& form);
    void fire(Rule& rule, const Bind* binds); // which stay while it acts
    void fire(Rule& rule, const Match& match);
    enum class Fired : std::uint8_t { No, Yes, Listed };
    Fired fire_bundle(int top_salience, bool any);
    std::int64_t run_sought(std::int64_t limit);
    struct Games;
    bool watch_patterns(Games& games);
    void begin_sought(Games& games);
    void end_sought(Games& games);
    void begin_counting(bool counting);
    void end_counting();
    void play_all(Games& games);
    void support_by(const Match& match, std::uint16_t elements);
    bool after_firing(const Rule* rule);
    void list_bundle(std::size_t at);
    void collect_garbage();
    void watch_reset_instances(bool deleting);
    void insert_initial_fact();
    void focus_on();
    void focus_off();

    // Takes away facts that have lost what they rested on.
    void retract_due();

    Flow flow_ = Flow::On;
    Value returned_;
    std::vector<Value> stack_;
    Value* frame_ = nullptr;
    const Bind* left_ = nullptr;
    const Bind* right_ = nullptr;
    LibraryRandom random_;
    std::uint64_t gensym_ = 1;
    bool halted_ = false;
    std::optional<int> exit_;
    Settings settings_;
    Watches watches_;
    Definitions defined_;
    Opener open_;
    LineReader read_line_;
    Clock clock_;
    std::string rule_being_built_;
    Diagnostics diagnostics_;
    std::optional<std::uint32_t> refused_; // what is being read, and how far it was
    Sink sink_;
    bool silent_ = false;
    bool telling_ = false;
    Dependencies dependencies_;
    bool supporting_ = false;          // a rule with logical elements acts,
    const Match* supporter_ = nullptr; // resting on this; null: it is gone already
    bool retracting_due_ = false;
    Interner interner_;
    Network network_;
    Agenda agenda_;
    Sources sources_;
    std::function<bool()> interrupted_;
    std::unordered_map<const Text*, Template*> templates_by_name_;
    std::uint32_t current_file_ = 0;
    int depth_ = 0; // of runs and calls
    bool running_ = false;
    std::vector<Value> constants_; // multifields in compiled expressions
    std::uint64_t next_activation_ = 0;
    bool focus_ = true;
    bool limit_reached_ = false;
    bool had_error_ = false;
    bool counting_ = false; // matches of rules that allow it are counted, not listed
    Random game_random_;
    Random game_draws_;        // named: see activation_draw
    bool free_random_ = false; // activations draw from game_draws_
    std::vector<Match*> bundles_;
    std::vector<std::pair<const Marker*, std::size_t>> buried_markers_;
    bool facts_escaped_ = false; // some value outlives its firing and names a fact
    std::size_t garbage_mark_ = std::size_t{8} << 20;
    std::vector<Value> held_;
    std::vector<Value> scratch_;
    std::uint32_t ticks_ = 0;
    std::uint64_t draws_ = 0; // by programs, not by activations
    std::vector<Agenda::Handle> listed_;
};

} // namespace croupier::engine::clips
