// The only file that includes CLIPS, because its names and macros conflict with all other code.
#include "games/clips/environment.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <set>
#include <unistd.h>
#include <utility>

extern "C" {
#include <clips/clips.h>
#include <clips/prcdrfun.h>
#include <clips/proflfun.h>
}
#undef LOCALE

namespace croupier::games::clips {

namespace {

// The functions that a program keeps: they reach nothing outside its environment. All others are
// removed, including those of later versions; some are replaced below by our own.
constexpr std::string_view kAllowed =
    " != (create-instance) (direct-duplicate) (direct-modify) (expansion-call) (get-loop-count) "
    "(get-progn$-field) (get-progn$-index) (gnrc-current-arg) (message-duplicate) (message-modify) "
    "(query-fact) (query-fact-slot) (query-instance) (query-instance-slot) (set-evaluation-error) "
    "* ** + - / < <= <> = > >= abs acos acosh acot acoth acsc acsch active-duplicate-instance "
    "active-initialize-instance active-make-instance active-message-duplicate-instance "
    "active-message-modify-instance active-modify-instance agenda and any-factp any-instancep "
    "apropos asec asech asin asinh assert assert-string atan atanh bind break browse-classes build "
    "call-next-handler call-next-method call-specific-method check-syntax class class-abstractp "
    "class-existp class-reactivep class-slots class-subclasses class-superclasses clear "
    "clear-focus-stack conserve-mem cos cosh cot coth create$ csc csch defclass-module "
    "deffacts-module deffunction-module defgeneric-module defglobal-module definstances-module "
    "defrule-module deftemplate-module deftemplate-slot-allowed-values "
    "deftemplate-slot-cardinality "
    "deftemplate-slot-default-value deftemplate-slot-defaultp deftemplate-slot-existp "
    "deftemplate-slot-facet-existp deftemplate-slot-facet-value deftemplate-slot-multip "
    "deftemplate-slot-names deftemplate-slot-range deftemplate-slot-singlep deftemplate-slot-types "
    "deg-grad deg-rad delayed-do-for-all-facts delayed-do-for-all-instances delete$ "
    "delete-instance delete-member$ dependencies dependents describe-class direct-mv-delete "
    "direct-mv-insert direct-mv-replace div do-for-all-facts do-for-all-instances do-for-fact "
    "do-for-instance duplicate duplicate-instance dynamic-get dynamic-put eq eval evenp exp "
    "expand$ "
    "explode$ fact-existp fact-index fact-relation fact-slot-names fact-slot-value facts "
    "find-all-facts find-all-instances find-fact find-instance first$ float floatp focus foreach "
    "format funcall gensym gensym* get get-auto-float-dividend get-beta-memory-resizing get-char "
    "get-class-defaults-mode get-current-module get-defclass-list get-deffacts-list "
    "get-deffunction-list get-defgeneric-list get-defglobal-list get-definstances-list "
    "get-defmessage-handler-list get-defmethod-list get-defmodule-list get-defrule-list "
    "get-deftemplate-list get-dynamic-constraint-checking get-fact-duplication get-fact-list "
    "get-focus get-focus-stack get-function-list get-function-restrictions get-incremental-reset "
    "get-method-restrictions get-profile-percent-threshold get-reset-globals "
    "get-salience-evaluation get-sequence-operator-recognition get-static-constraint-checking "
    "get-strategy get-watch-item grad-deg halt if implode$ init-slots initialize-instance insert$ "
    "instance-address instance-addressp instance-existp instance-name instance-name-to-symbol "
    "instance-namep instancep instances integer integerp join-activity join-activity-reset length "
    "length$ lexemep list-defclasses list-deffacts list-deffunctions list-defgenerics "
    "list-defglobals list-definstances list-defmessage-handlers list-defmethods list-defmodules "
    "list-defrules list-deftemplates list-focus-stack list-watch-items log log10 loop-for-count "
    "lowcase make-instance matches max mem-requests mem-used member member$ "
    "message-duplicate-instance message-handler-existp message-modify-instance min mod modify "
    "modify-instance multifieldp mv-append mv-delete mv-replace mv-slot-delete mv-slot-insert "
    "mv-slot-replace mv-subseq neq next-handlerp next-methodp not nth nth$ numberp "
    "object-pattern-match-delay oddp operating-system options or override-next-handler "
    "override-next-method pi pointerp pop-focus ppdefclass ppdeffacts ppdeffunction ppdefgeneric "
    "ppdefglobal ppdefinstances ppdefmessage-handler ppdefmethod ppdefmodule ppdefrule "
    "ppdeftemplate ppfact ppinstance preview-generic preview-send printout profile profile-info "
    "profile-reset progn progn$ put put-char rad-deg random read read-number readline refresh "
    "refresh-agenda release-mem remove-break replace$ replace-member$ reset rest$ retract return "
    "round rules run sec sech seed send sequencep set-auto-float-dividend "
    "set-beta-memory-resizing set-break set-class-defaults-mode set-current-module "
    "set-dynamic-constraint-checking set-fact-duplication set-incremental-reset "
    "set-profile-percent-threshold set-reset-globals set-salience-evaluation "
    "set-sequence-operator-recognition set-static-constraint-checking set-strategy setgen "
    "show-breaks show-defglobals sin sinh slot-allowed-classes slot-allowed-values "
    "slot-cardinality slot-default-value slot-delete$ slot-direct-accessp slot-direct-delete$ "
    "slot-direct-insert$ slot-direct-replace$ slot-existp slot-facets slot-initablep slot-insert$ "
    "slot-publicp slot-range slot-replace$ slot-sources slot-types slot-writablep sort sqrt "
    "str-assert str-cat str-compare str-explode str-implode str-index str-length string-to-field "
    "stringp sub-string subclassp subseq$ subset subsetp superclassp switch sym-cat "
    "symbol-to-instance-name symbolp tan tanh time timer timetag type undefclass undeffacts "
    "undeffunction undefgeneric undefglobal undefinstances undefmessage-handler undefmethod "
    "undefrule undeftemplate unmake-instance unwatch upcase watch while wordp ";

// Our logical names: one for loaded text, one for the text of a fact.
constexpr const char* kSource = "croupier-source";
constexpr const char* kText = "croupier-text";

volatile std::sig_atomic_t interrupted = 0;

char* mutable_name(const char* name) {
    return const_cast<char*>(name); // the library never writes to it
}

// A pattern or fact as nested lists of words.
struct Node {
    std::string word;
    std::vector<Node> items;
    bool is_list = false;
};

Node parse(const std::string& text, std::size_t& at) {
    const auto skip = [&] {
        while (at < text.size() && std::strchr(" \t\r\n", text[at]) != nullptr)
            ++at;
    };
    skip();
    Node node;
    if (at < text.size() && text[at] == '(') {
        node.is_list = true;
        for (++at, skip(); at < text.size() && text[at] != ')'; skip())
            node.items.push_back(parse(text, at));
        if (at < text.size()) ++at;
        return node;
    }
    const std::size_t begin = at;
    const bool quoted = at < text.size() && text[at] == '"';
    if (at < text.size()) ++at;
    while (at < text.size()) {
        if (quoted && text[at] == '\\')
            ++at;
        else if (quoted ? text[at] == '"' : std::strchr(" \t\r\n()\"", text[at]) != nullptr)
            break;
        ++at;
    }
    if (quoted) ++at;
    at = std::min(at, text.size());
    node.word = text.substr(begin, at - begin);
    return node;
}

using Bound = std::vector<std::pair<std::string, std::string>>;

// Matches the fields of a pattern from `p` on with those of a fact from `f` on. A nested list in a
// pattern is a slot, which may be anywhere in the fact.
bool matches_from(const Node& pattern, std::size_t p, const Node& fact, std::size_t f,
                  Bound& bound) {
    if (p == pattern.items.size())
        return f == fact.items.size() || fact.items[f].is_list; // other slots
    const Node& want = pattern.items[p];
    if (want.is_list) {
        for (std::size_t i = 1; i < fact.items.size(); ++i) {
            const Node& slot = fact.items[i];
            if (!slot.is_list || slot.items.empty() || want.items.empty() ||
                slot.items[0].word != want.items[0].word)
                continue;
            const std::size_t before = bound.size();
            if (matches_from(want, 1, slot, 1, bound) &&
                matches_from(pattern, p + 1, fact, fact.items.size(), bound))
                return true;
            bound.resize(before);
        }
        return false;
    }
    if (want.word.starts_with("$?")) {
        for (std::size_t end = f; end <= fact.items.size(); ++end)
            if (matches_from(pattern, p + 1, fact, end, bound)) return true;
        return false;
    }
    if (f >= fact.items.size()) return false;
    const std::string& word = fact.items[f].word;
    const std::size_t before = bound.size();
    if (!want.word.starts_with('?')) {
        if (word != want.word) return false;
    } else if (want.word.size() > 1) {
        const auto same = std::find_if(bound.begin(), bound.end(),
                                       [&](const auto& one) { return one.first == want.word; });
        if (same == bound.end())
            bound.emplace_back(want.word, word);
        else if (same->second != word)
            return false;
    }
    if (matches_from(pattern, p + 1, fact, f + 1, bound)) return true;
    bound.resize(before);
    return false;
}

// Calls `take` for each module, the focused one first; restores the current module.
void for_each_module(void* env, const std::function<void()>& take) {
    void* const current = EnvGetCurrentModule(env);
    std::vector<void*> modules;
    for (const auto* one = EngineData(env)->CurrentFocus; one != nullptr; one = one->next)
        modules.push_back(one->theModule);
    for (void* one = EnvGetNextDefmodule(env, nullptr); one != nullptr;
         one = EnvGetNextDefmodule(env, one))
        modules.push_back(one);
    for (auto one = modules.begin(); one != modules.end(); ++one) {
        if (std::find(modules.begin(), one, *one) != one) continue;
        EnvSetCurrentModule(env, *one);
        take();
    }
    EnvSetCurrentModule(env, current);
}

// Calls `take` for each construct except modules and templates, which come with facts.
void for_each_construct(void* env, const std::function<void(const char*, constructHeader&)>& take) {
    for_each_module(env, [&] {
        for (const auto* kind = ConstructData(env)->ListOfConstructs; kind != nullptr;
             kind = kind->next) {
            if (kind->getNextItemFunction == nullptr ||
                std::strcmp(kind->constructName, "deftemplate") == 0 ||
                std::strcmp(kind->constructName, "defmodule") == 0)
                continue;
            for (void* one = kind->getNextItemFunction(env, nullptr); one != nullptr;
                 one = kind->getNextItemFunction(env, one))
                take(kind->constructName, *static_cast<constructHeader*>(one));
        }
    });
}

std::string full_name(const constructHeader& one) {
    const std::string module = one.whichModule->theModule->name->contents;
    return (module == "MAIN" ? "" : module + "::") + one.name->contents;
}

} // namespace

// Callbacks of the library; the environment is the first argument.
struct Callbacks {
    static Environment& of(void* env) {
        return *static_cast<Environment*>(GetEnvironmentContext(env));
    }

    static int query(void*, const char* name) {
        constexpr std::array kOurs{"stdout",  "stdin",    "werror", "wwarning", "wtrace",
                                   "wdialog", "wdisplay", WPROMPT,  kSource,    kText};
        return static_cast<int>(std::any_of(kOurs.begin(), kOurs.end(), [&](const char* one) {
            return std::strcmp(one, name) == 0;
        }));
    }

    static int print(void* env, const char* name, const char* text) {
        Environment& self = of(env);
        if (text == nullptr) text = "(null)"; // as printf writes it for the library's router
        if (self.captured_ != nullptr) {
            *self.captured_ += text;
            return 1;
        }
        if (self.exiting_) return 1; // the library reports that actions were halted
        const bool error = std::strcmp(name, WERROR) == 0;
        if (error) {
            self.failed_ = true;
            if (!self.source_name_.empty() && self.told_at_ != self.source_at_) {
                self.told_at_ = self.source_at_;
                const auto line = std::count(
                    self.source_->begin(),
                    self.source_->begin() + static_cast<std::ptrdiff_t>(self.source_at_), '\n');
                self.host_.print(self.source_name_ + ":" + std::to_string(line + 1) + ":", true);
            }
        }
        self.host_.print(text, error || std::strcmp(name, WWARNING) == 0);
        return 1;
    }

    static int get(void* env, const char* name) {
        Environment& self = of(env);
        if (std::strcmp(name, kSource) == 0) {
            if (self.source_at_ >= self.source_->size()) return EOF;
            return static_cast<unsigned char>((*self.source_)[self.source_at_++]);
        }
        if (!self.line_ || self.line_at_ >= self.line_->size()) {
            // CLIPS itself would read forever.
            if (self.input_ended_ && self.in_prompt_) self.host_.exit(0);
            self.line_ = self.input_ended_ ? std::nullopt : self.host_.read_line();
            self.line_at_ = 0;
            if (!self.line_ || self.line_->empty()) {
                self.input_ended_ = true;
                return EOF;
            }
        }
        return static_cast<unsigned char>((*self.line_)[self.line_at_++]);
    }

    static int unget(void* env, int letter, const char* name) {
        if (letter == EOF) return 1;
        Environment& self = of(env);
        std::size_t& at = std::strcmp(name, kSource) == 0 ? self.source_at_ : self.line_at_;
        if (at > 0) --at;
        return 1;
    }

    static int leave(void* env, int code) {
        of(env).host_.exit(code);
        return 1;
    }

    static void tick(void* env) {
        Environment& self = of(env);
        ++self.steps_;
        if (interrupted == 0 && !self.is_over_budget()) return;
        EnvHalt(env);
        SetHaltExecution(env, TRUE);
    }

    // ---- functions of the program ----

    static void complain(void* env, const char* module, int number, const std::string& text) {
        PrintErrorID(env, module, number, FALSE);
        EnvPrintRouter(env, WERROR, text.c_str());
    }

    static void taken_away(void* env) {
        const auto* called =
            static_cast<struct FunctionDefinition*>(EvaluationData(env)->CurrentExpression->value);
        complain(env, "CROUPIER", 1,
                 std::string("Function ") + called->callFunctionName->contents +
                     " is taken away from programs.\n");
        SetEvaluationError(env, TRUE);
        SetHaltExecution(env, TRUE);
    }

    // Debian's library only prints this, and example programs then continue.
    static void no_system(void* env) {
        EnvPrintRouter(env, WERROR, "System function not fully defined for this system.\n");
    }

    static void exits(void* env) {
        Environment& self = of(env);
        int code = 0;
        if (EnvRtnArgCount(env) > 0) {
            code = static_cast<int>(EnvRtnLong(env, 1));
            if (GetEvaluationError(env) != 0) return;
        }
        if (!self.in_game_) self.host_.exit(code);
        self.exiting_ = true;
        EnvHalt(env);
        SetHaltExecution(env, TRUE);
    }

    // The text of the file that the argument names.
    static std::optional<std::string> file(void* env, const char* function, std::string& name) {
        const char* named = GetFileName(env, function, 1);
        if (named == nullptr) return {};
        name = named;
        std::optional<std::string> text = of(env).host_.open(name);
        if (!text) OpenErrorMessage(env, function, name.c_str());
        return text;
    }

    // Loads `text`, also while another file is being loaded.
    static bool load_text(void* env, const std::string& text, const std::string& name) {
        Environment& self = of(env);
        const auto before = std::make_tuple(self.source_, self.source_at_, self.source_name_);
        self.source_ = &text;
        self.source_at_ = 0;
        self.told_at_ = std::string::npos;
        self.source_name_ = name;
        const bool good = LoadConstructsFromLogicalName(env, kSource) != 0;
        std::tie(self.source_, self.source_at_, self.source_name_) = before;
        return good;
    }

    static int load_aloud(void* env) {
        std::string name;
        const auto text = file(env, "load", name);
        if (!text) return FALSE;
        SetPrintWhileLoading(env, TRUE);
        const bool good = load_text(env, *text, "");
        SetPrintWhileLoading(env, FALSE);
        return good ? TRUE : FALSE;
    }

    static int load_quietly(void* env) {
        std::string name;
        const auto text = file(env, "load*", name);
        return text && load_text(env, *text, "") ? TRUE : FALSE;
    }

    static int batch(void* env) {
        std::string name;
        auto text = file(env, "batch", name);
        if (!text) return FALSE;
        return OpenStringBatch(env, kept(std::move(name)), kept(std::move(*text)), FALSE);
    }

    // The library reads the text later and does not copy it.
    static const char* kept(std::string text) {
        static std::deque<std::string> all;
        return all.emplace_back(std::move(text)).c_str();
    }

    static int batch_star(void* env) {
        std::string name;
        const auto text = file(env, "batch", name);
        if (!text) return FALSE;
        of(env).batch(*text);
        return TRUE;
    }

    static int load_facts(void* env) {
        std::string name;
        const auto text = file(env, "load-facts", name);
        return text && EnvLoadFactsFromString(env, text->c_str(), -1) != 0 ? TRUE : FALSE;
    }

    static long long instances(void* env, const char* function,
                               long (*load)(void*, const char*, int)) {
        const char* name = GetFileName(env, function, 1);
        if (name == nullptr) return -1;
        if (const auto text = of(env).host_.open(name)) return load(env, text->c_str(), -1);
        complain(env, "INSFILE", 1,
                 std::string("Function ") + function + " could not completely process file " +
                     name + ".\n");
        return -1;
    }

    static long long load_instances(void* env) {
        return instances(env, "load-instances", EnvLoadInstancesFromString);
    }

    static long long restore_instances(void* env) {
        return instances(env, "restore-instances", EnvRestoreInstancesFromString);
    }

    // Files can be opened only for reading.
    static std::set<std::string>& opened() {
        static std::set<std::string> names;
        return names;
    }

    static int open(void* env) {
        if (EnvRtnArgCount(env) > 2) {
            const char* mode = EnvRtnLexeme(env, 3);
            if (mode == nullptr || std::strcmp(mode, "r") != 0) {
                taken_away(env);
                return FALSE;
            }
        }
        const char* named = GetFileName(env, "open", 1);
        const char* logical = named == nullptr ? nullptr : GetLogicalName(env, 2, nullptr);
        if (logical == nullptr) return FALSE;
        if (opened().contains(logical)) {
            complain(env, "IOFUN", 2,
                     std::string("Logical name ") + logical + " already in use.\n");
            SetEvaluationError(env, TRUE);
            SetHaltExecution(env, TRUE);
            return FALSE;
        }
        auto text = of(env).host_.open(named);
        if (!text) return FALSE;
        OpenStringSource(env, logical, kept(std::move(*text)), 0);
        opened().insert(logical);
        return TRUE;
    }

    static int close(void* env) {
        std::vector<std::string> names(opened().begin(), opened().end());
        if (EnvRtnArgCount(env) > 0) {
            const char* logical = GetLogicalName(env, 1, nullptr);
            if (logical == nullptr || !opened().contains(logical)) return FALSE;
            names = {logical};
        }
        for (const std::string& name : names) {
            CloseStringSource(env, name.c_str());
            opened().erase(name);
        }
        return names.empty() ? FALSE : TRUE;
    }

    template <typename Function>
    static void define(void* env, const char* name, char type, Function function,
                       const char* arguments) {
        EnvDefineFunction2(env, mutable_name(name), type,
                           reinterpret_cast<int (*)(void*)>(reinterpret_cast<void (*)()>(function)),
                           "croupier", arguments);
    }
};

Environment::Environment(ClipsHost host) : host_(std::move(host)), env_(CreateEnvironment()) {
    SetEnvironmentContext(env_, this);
    std::vector<std::pair<std::string, char>> gone;
    for (const auto* one = GetFunctionList(env_); one != nullptr; one = one->next) {
        const std::string name = one->callFunctionName->contents;
        if (kAllowed.find(" " + name + " ") == std::string_view::npos)
            gone.emplace_back(name, one->returnValueType);
    }
    for (const auto& [name, type] : gone) {
        UndefineFunction(env_, name.c_str());
        // Programs that use it can be loaded, and get an error when they call it.
        Callbacks::define(env_, name.c_str(), 'v', Callbacks::taken_away, nullptr);
    }
    for (const char* name : {"exit", "load", "load*", "batch", "batch*", "load-facts",
                             "load-instances", "restore-instances", "open", "close", "system"})
        UndefineFunction(env_, name);
    Callbacks::define(env_, "exit", 'v', Callbacks::exits, "*1i");
    Callbacks::define(env_, "system", 'v', Callbacks::no_system, "1*k");
    Callbacks::define(env_, "load", 'b', Callbacks::load_aloud, "11k");
    Callbacks::define(env_, "load*", 'b', Callbacks::load_quietly, "11k");
    Callbacks::define(env_, "batch", 'b', Callbacks::batch, "11k");
    Callbacks::define(env_, "batch*", 'b', Callbacks::batch_star, "11k");
    Callbacks::define(env_, "load-facts", 'b', Callbacks::load_facts, "11k");
    Callbacks::define(env_, "load-instances", 'g', Callbacks::load_instances, "11k");
    Callbacks::define(env_, "restore-instances", 'g', Callbacks::restore_instances, "11k");
    Callbacks::define(env_, "open", 'b', Callbacks::open, "23*k");
    Callbacks::define(env_, "close", 'b', Callbacks::close, "*1");
    // Above the library's own routers for the terminal (0), below those of (batch) and
    // (dribble-on).
    EnvAddRouterWithContext(env_, "croupier", 10, Callbacks::query, Callbacks::print,
                            Callbacks::get, Callbacks::unget, Callbacks::leave, this);
    EnvAddPeriodicFunction(env_, "croupier", Callbacks::tick, 0);
    EnvSetOutOfMemoryFunction(env_, [](void*, size_t) -> int { _exit(kOutOfMemory); });
}

bool Environment::load(const std::string& name, const std::string& text) {
    failed_ = false;
    return Callbacks::load_text(env_, text, name);
}

// Like the library's (batch*), but the text is not a file.
void Environment::batch(const std::string& text) {
    SetHaltExecution(env_, FALSE);
    SetEvaluationError(env_, FALSE);
    std::string typed;
    for (const char letter : text) {
        typed += letter;
        // Skip obviously incomplete text: the check takes quadratic time.
        if ((letter != '\n' && letter != '\r') || CompleteCommand(typed.c_str()) == 0) continue;
        command(typed);
        typed.clear();
    }
}

void Environment::command(const std::string& text) {
    FlushPPBuffer(env_);
    SetPPBufferStatus(env_, OFF);
    RouteCommand(env_, text.c_str(), in_prompt_ ? TRUE : FALSE);
    FlushPPBuffer(env_);
    SetHaltExecution(env_, FALSE);
    SetEvaluationError(env_, FALSE);
    FlushBindList(env_);
}

void Environment::prompt() {
    in_prompt_ = true;
    CommandLoop(env_);
}

void Environment::seed(std::uint32_t seed) {
    std::srand(seed);
}

bool Environment::set_strategy(const std::string& name) {
    constexpr std::array<std::pair<std::string_view, int>, 7> kStrategies{
        {{"depth", DEPTH_STRATEGY},
         {"breadth", BREADTH_STRATEGY},
         {"lex", LEX_STRATEGY},
         {"mea", MEA_STRATEGY},
         {"complexity", COMPLEXITY_STRATEGY},
         {"simplicity", SIMPLICITY_STRATEGY},
         {"random", RANDOM_STRATEGY}}};
    for (const auto& [known, number] : kStrategies)
        if (known == name) {
            EnvSetStrategy(env_, number);
            return true;
        }
    return false;
}

void Environment::reset() {
    failed_ = false;
    steps_ = 0;
    EnvReset(env_);
}

void Environment::begin_game(std::uint32_t first) {
    in_game_ = true;
    DATA_OBJECT ignored;
    EnvEval(env_, "(setgen 1)", &ignored);
    EnvSetResetGlobals(env_, TRUE);
    // Remove what the last game left first: removing facts puts rules with `not` on the agenda,
    // each with a random number.
    RemoveAllFacts(env_);
    DestroyAllInstances(env_);
    seed(first);
    reset();
}

long long Environment::run(long long limit) {
    steps_ = 0;
    exiting_ = false;
    const long long fired = EnvRun(env_, limit);
    exiting_ = false;
    SetHaltExecution(env_, FALSE);
    SetEvaluationError(env_, FALSE);
    return fired;
}

bool Environment::has_more() const {
    return NextActivationToFire(env_) != nullptr;
}

void Environment::interrupt() {
    interrupted = 1;
}

bool Environment::take_interrupt() {
    return std::exchange(interrupted, 0) != 0;
}

void Environment::watch(const std::string& item) {
    EnvSetWatchItem(env_, item.c_str(), 1, nullptr);
}

void Environment::profile() {
    Profile(env_, "constructs");
}

std::string Environment::captured(const std::function<void()>& print) {
    std::string text;
    captured_ = &text;
    print();
    captured_ = nullptr;
    return text;
}

std::vector<ConstructCost> Environment::costs() {
    std::vector<ConstructCost> all;
    const unsigned char id = ProfileFunctionData(env_)->ProfileDataID;
    for_each_construct(env_, [&](const char* kind, constructHeader& one) {
        const auto* cost = reinterpret_cast<constructProfileInfo*>(TestUserData(id, one.usrData));
        if (cost == nullptr || cost->numberOfEntries == 0) return;
        all.push_back({kind, full_name(one), cost->numberOfEntries, cost->totalSelfTime,
                       cost->totalWithChildrenTime});
    });
    return all;
}

std::vector<ListedFact> Environment::facts() {
    std::vector<ListedFact> all;
    for (void* one = EnvGetNextFact(env_, nullptr); one != nullptr; one = EnvGetNextFact(env_, one))
        all.push_back({"f-" + std::to_string(EnvFactIndex(env_, one)), captured([&] {
                           PrintFact(env_, kText, static_cast<struct fact*>(one), FALSE, FALSE);
                       })});
    return all;
}

std::vector<std::string> Environment::told(std::uint64_t& hash) {
    std::vector<std::string> all;
    hash = 0;
    for (void* one = EnvGetNextFact(env_, nullptr); one != nullptr;
         one = EnvGetNextFact(env_, one)) {
        auto* const fact = static_cast<struct fact*>(one);
        std::string text = captured([&] { PrintFact(env_, kText, fact, FALSE, FALSE); });
        std::uint64_t its = 0xcbf29ce484222325;
        for (const char letter : text)
            its = (its ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
        hash += its * its; // a sum of squares, all of whose bits depend on each fact
        if (text.starts_with("(game-")) all.push_back(std::move(text));
    }
    return all;
}

void Environment::choose(const std::string& fact) {
    for (void *one = EnvGetNextFact(env_, nullptr), *next = nullptr; one != nullptr; one = next) {
        next = EnvGetNextFact(env_, one);
        const std::string_view relation =
            static_cast<struct fact*>(one)->whichDeftemplate->header.name->contents;
        if (relation == "game-turn" || relation == "game-move") EnvRetract(env_, one);
    }
    EnvAssertString(env_, fact.c_str());
}

std::vector<std::string> Environment::matching(const std::string& pattern) {
    std::size_t at = 0;
    const Node wanted = parse(pattern, at);
    std::vector<std::string> all;
    for (void* one = EnvGetNextFact(env_, nullptr); one != nullptr;
         one = EnvGetNextFact(env_, one)) {
        auto* const fact = static_cast<struct fact*>(one);
        if (wanted.items.empty() ||
            wanted.items[0].word != fact->whichDeftemplate->header.name->contents)
            continue;
        std::string text = captured([&] { PrintFact(env_, kText, fact, FALSE, FALSE); });
        at = 0;
        Bound bound;
        if (matches_from(wanted, 1, parse(text, at), 1, bound)) all.push_back(std::move(text));
    }
    return all;
}

std::vector<ListedActivation> Environment::agenda() {
    std::vector<ListedActivation> all;
    std::string text(std::size_t{1} << 16, '\0');
    for_each_module(env_, [&] {
        for (void* one = EnvGetNextActivation(env_, nullptr); one != nullptr;
             one = EnvGetNextActivation(env_, one)) {
            EnvGetActivationPPForm(env_, text.data(), text.size() - 1, one);
            const std::string name = EnvGetActivationName(env_, one);
            const std::string_view shown = text.c_str();
            const std::size_t basis = shown.find(": ", shown.find(name) + name.size());
            all.push_back(
                {EnvGetActivationSalience(env_, one),
                 full_name(EnvGetActivationRule(env_, one)->header),
                 basis == std::string_view::npos ? "" : std::string(shown.substr(basis + 2))});
        }
    });
    return all;
}

std::vector<std::string> Environment::rules() {
    std::vector<std::string> all;
    for_each_construct(env_, [&](const char* kind, constructHeader& one) {
        if (std::strcmp(kind, "defrule") == 0) all.push_back(full_name(one));
    });
    return all;
}

std::string Environment::rule_text(const std::string& rule) {
    void* const found = EnvFindDefrule(env_, rule.c_str());
    const char* text = found == nullptr ? nullptr : EnvGetDefrulePPForm(env_, found);
    return text == nullptr ? "" : text;
}

std::string Environment::matches(const std::string& rule) {
    void* const found = EnvFindDefrule(env_, rule.c_str());
    if (found == nullptr) return {};
    return captured([&] {
        DATA_OBJECT result;
        EnvMatches(env_, found, VERBOSE, &result);
    });
}

std::uint64_t Environment::fingerprint() {
    std::uint64_t print = static_cast<std::uint64_t>(EnvGetStrategy(env_)) * 64 +
                          static_cast<std::uint64_t>(EnvGetSalienceEvaluation(env_)) * 4 +
                          static_cast<std::uint64_t>(EnvGetFactDuplication(env_));
    for_each_construct(env_, [&](const char*, constructHeader& one) {
        print = (print ^ reinterpret_cast<std::uintptr_t>(&one)) * 0x9e3779b97f4a7c15;
    });
    return print;
}

} // namespace croupier::games::clips
