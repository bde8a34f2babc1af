// Reads test files and says what is wrong with their form.
#include "games/checks/test_file.h"

#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/ruleset/codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace croupier::games {

using engine::Document;
using engine::DocumentKind;
using engine::Member;
using Words = std::vector<std::string>;

namespace {

enum class Form { Text, Texts, Object, List, Count, Anything };

struct Key {
    std::string name;
    Form form;
};

const std::vector<Key> kFileKeys = {
    {"$schema", Form::Text},     {"doc", Form::Text},   {"game", Form::Texts},
    {"set", Form::Object},       {"tests", Form::List}, {"coverage", Form::Object},
    {"one_place", Form::Object},
};
const std::vector<Key> kCaseKeys = {
    {"name", Form::Text},     {"doc", Form::Text},       {"set", Form::Object},
    {"seed", Form::Count},    {"state", Form::Object},   {"play", Form::List},
    {"expect", Form::Object}, {"sequences", Form::List}, {"random", Form::Object},
};
const std::vector<Key> kExpectKeys = {
    {"turn", Form::Text},     {"moves", Form::Anything}, {"state", Form::Object},
    {"sees", Form::Object},   {"ending", Form::Text},    {"scores", Form::Object},
    {"places", Form::Object}, {"roles", Form::Object},   {"refused", Form::Text},
};
const std::vector<Key> kMovesKeys = {{"includes", Form::List}, {"excludes", Form::List}};
const std::vector<Key> kRandomKeys = {
    {"games", Form::Count}, {"seed", Form::Count}, {"moves", Form::Count}, {"check", Form::List}};
const std::vector<Key> kCoverageKeys = {{"except", Form::List}, {"percent", Form::Count}};
const Words kChecks = {"views", "draws", "reload", "one_place"};

bool is_count(const Document& value) {
    const auto* number =
        value.kind == DocumentKind::Scalar ? std::get_if<std::int64_t>(&value.scalar) : nullptr;
    return number != nullptr && *number >= 0;
}

bool all_texts(const Document& list) {
    return list.is_array() && std::ranges::all_of(list.members, [](const Member& each) {
               return each.value.is_string();
           });
}

bool has_form(const Document& value, Form form) {
    switch (form) {
    case Form::Text:
        return value.is_string();
    case Form::Texts:
        return value.is_string() || (all_texts(value) && !value.members.empty());
    case Form::Object:
        return value.is_object();
    case Form::List:
        return value.is_array();
    case Form::Count:
        return is_count(value);
    case Form::Anything:
        break;
    }
    return true;
}

std::string_view form_name(Form form) {
    constexpr std::string_view kNames[] = {"a text", "a text or a list of texts", "an object",
                                           "a list", "a number from 0",           "a value"};
    return kNames[static_cast<std::size_t>(form)];
}

} // namespace

class TestFile::Reader {
  public:
    Reader(TestFile& file) : file_(file) {}

    void read(const Document& document) {
        if (!document.is_object())
            return wrong(document.span, "a file of tests is an object with a list \"tests\"");
        keys(document, kFileKeys, "a file of tests");
        file_.coverage_ = part(document, "coverage");
        file_.one_place_ = part(document, "one_place");
        if (file_.coverage_ != nullptr) {
            keys(*file_.coverage_, kCoverageKeys, "coverage");
            texts(part(*file_.coverage_, "except"));
        }
        games(part(document, "game"));
        set(part(document, "set"), options_);
        const Document* tests = part(document, "tests");
        if (tests == nullptr) return wrong(document.span, "there is no list \"tests\"");
        for (const Member& test : tests->members)
            read_case(test.value);
    }

  private:
    // Null where it is missing or of another form.
    const Document* part(const Document& object, std::string_view key) {
        const Member* member = object.is_object() ? object.find(key) : nullptr;
        if (member == nullptr || unfit_.contains(&member->value)) return nullptr;
        return &member->value;
    }

    void games(const Document* named) {
        const auto add = [&](const std::string& path) {
            const std::filesystem::path folder = std::filesystem::path(file_.path_).parent_path();
            file_.games_.push_back((folder / path).lexically_normal().generic_string());
        };
        if (named == nullptr) return add("../rules.json");
        if (named->is_string()) return add(named->text());
        for (const Member& each : named->members)
            add(each.value.text());
    }

    void set(const Document* options, std::vector<std::pair<std::string, engine::Scalar>>& into) {
        if (options == nullptr) return;
        for (const Member& option : options->members) {
            if (option.value.kind != DocumentKind::Scalar) {
                wrong(option.value.span, "the value of an option is neither a list nor an object");
                continue;
            }
            std::erase_if(into, [&](const auto& each) { return each.first == option.key; });
            into.emplace_back(option.key, option.value.scalar);
        }
    }

    void read_case(const Document& test) {
        if (!test.is_object()) return wrong(test.span, "a test is an object");
        keys(test, kCaseKeys, "a test");
        TestCase read;
        const Document* name = part(test, "name");
        if (name == nullptr || name->text().empty()) return wrong(test.span, "a test has a name");
        if (!names_.insert(name->text()).second)
            wrong(name->span, "a second test named \"" + name->text() + "\"");
        read.name = name->text();
        read.span = name->span;
        read.options = options_;
        set(part(test, "set"), read.options);
        if (const Document* seed = part(test, "seed"))
            read.seed = static_cast<std::uint64_t>(std::get<std::int64_t>(seed->scalar));
        read.state = part(test, "state");
        read.play = part(test, "play");
        read.expect = part(test, "expect");
        read.sequences = part(test, "sequences");
        read.random = part(test, "random");
        check_parts(test, read);
        file_.tests_.push_back(std::move(read));
    }

    void check_parts(const Document& test, const TestCase& read) {
        if (read.expect != nullptr) expectations(*read.expect);
        if (read.play != nullptr) {
            for (const Member& step : read.play->members) {
                if (step.value.is_object())
                    expectations(step.value);
                else if (!step.value.is_string())
                    wrong(step.value.span,
                          "play holds moves, and objects of what is expected then");
            }
        }
        if (read.sequences != nullptr) {
            for (const Member& count : read.sequences->members)
                if (!is_count(count.value)) wrong(count.value.span, "this is not a count");
        }
        if (read.random != nullptr) {
            keys(*read.random, kRandomKeys, "random");
            texts(part(*read.random, "check"), kChecks);
            if (read.state != nullptr || read.play != nullptr || read.expect != nullptr ||
                read.sequences != nullptr)
                wrong(test.span, "a test of random games begins with the deal and expects no more");
        } else if (read.expect == nullptr && read.play == nullptr && read.sequences == nullptr) {
            wrong(test.span, "this test expects nothing",
                  "a test has expect, play, sequences or random");
        }
    }

    void expectations(const Document& expected) {
        keys(expected, kExpectKeys, "what is expected");
        const Document* moves = part(expected, "moves");
        if (moves != nullptr && moves->is_object()) {
            keys(*moves, kMovesKeys, "moves");
            texts(part(*moves, "includes"));
            texts(part(*moves, "excludes"));
        } else if (moves != nullptr && !all_texts(*moves)) {
            wrong(moves->span,
                  "moves are a list of names, or an object with includes and excludes");
        }
    }

    void texts(const Document* list, const Words& known = {}) {
        if (list == nullptr) return;
        for (const Member& each : list->members)
            if (!each.value.is_string())
                wrong(each.value.span, "this is not a text");
            else if (!known.empty() && std::ranges::find(known, each.value.text()) == known.end())
                unknown(each.value.span, "there is no check", each.value.text(), known);
    }

    void keys(const Document& object, const std::vector<Key>& known, const std::string& what) {
        Words words;
        for (const Key& key : known)
            words.push_back(key.name);
        for (const Member& member : object.members) {
            const auto key = std::ranges::find_if(
                known, [&](const Key& each) { return each.name == member.key; });
            if (key == known.end()) {
                unknown(member.key_span, what + " has no key", member.key, words);
            } else if (!has_form(member.value, key->form)) {
                unfit_.insert(&member.value);
                wrong(member.value.span,
                      member.key + " takes " + std::string(form_name(key->form)));
            }
        }
    }

    void unknown(engine::Span place, const std::string& what, const std::string& word,
                 const Words& known) {
        wrong(place, what + " \"" + word + "\"",
              engine::hint_for(word, known, fmt::format("known are {}", fmt::join(known, ", "))));
    }

    void wrong(engine::Span place, std::string what, std::string hint = {}) {
        file_.diagnostics_.error(code::kTestForm, place, std::move(what), std::move(hint));
    }

    TestFile& file_;
    std::vector<std::pair<std::string, engine::Scalar>> options_;
    std::set<std::string> names_;
    std::set<const Document*> unfit_;
};

TestFile::TestFile(const std::string& path, const engine::FileOpener& open) : path_(path) {
    const engine::FileText file = open(path);
    const std::uint32_t source = sources_.add(path, file.text.value_or(""));
    if (!file.text) {
        diagnostics_.error(code::kTestForm, {source, 0, 0}, "cannot be read: " + file.error);
        return;
    }
    document_ = engine::read_json(sources_, source, diagnostics_);
    if (document_) Reader(*this).read(*document_);
    if (diagnostics_.has_errors()) tests_.clear();
}

} // namespace croupier::games
