#include "engine/reference/generator.h"

#include "engine/reference/json.h"
#include "engine/reference/setting.h"
#include "engine/reference/writer.h"

#include <algorithm>

namespace croupier::engine::reference {

namespace {

const std::vector<std::string> kFieldNames = {"a", "b", "c", "d", "e", "f"};
const std::vector<std::string> kOpenKeys = {"x", "y",  "z",  "a",   "0", "1",
                                            "2", "10", "-1", "m@n", "$k"};

class Planner {
  public:
    Planner(Dice& dice, const Profile& profile) : dice_(dice), profile_(profile) {}

    DomainPlan* add_domain(std::string name, std::vector<std::string> members) {
        auto domain = std::make_unique<DomainPlan>();
        domain->name = std::move(name);
        domain->declaration = array();
        for (const std::string& member : members)
            append(domain->declaration, text(member));
        domain->members = std::move(members);
        return keep(std::move(domain));
    }

    DomainPlan* add_numbered(std::string name, std::size_t size) {
        auto domain = std::make_unique<DomainPlan>();
        domain->name = std::move(name);
        domain->numbered = true;
        for (std::size_t i = 0; i < size; ++i)
            domain->members.push_back(std::to_string(i));
        domain->declaration = integer(static_cast<std::int64_t>(size));
        return keep(std::move(domain));
    }

    // c0, c1, .., sometimes shuffled, so that the order differs from that of the texts.
    DomainPlan* add_deck(std::string name, std::size_t size) {
        std::vector<std::string> members;
        for (std::size_t i = 0; i < size; ++i)
            members.push_back("c" + std::to_string(i));
        if (dice_.chance(30)) dice_.shuffle(members);
        return add_domain(std::move(name), std::move(members));
    }

    DomainPlan* add_grid(std::string name, std::int64_t columns, std::int64_t rows) {
        auto domain = std::make_unique<DomainPlan>();
        domain->name = std::move(name);
        for (std::int64_t row = 1; row <= rows; ++row) {
            for (std::int64_t column = 0; column < columns; ++column) {
                const char letter = static_cast<char>('a' + column);
                domain->members.push_back(letter + std::to_string(row));
            }
        }
        Document grid = array();
        append(grid, integer(columns));
        append(grid, integer(rows));
        domain->declaration = entry("grid", std::move(grid));
        if (profile_.has(feature::kConstants)) {
            domain->near = true;
            add(domain->declaration, "near", text(dice_.pick({"king", "rook", "bishop", "hex"})));
            if (dice_.chance(profile_.of_form ? 70 : 40))
                domain->step = add_directions(*domain, "step");
            if (dice_.chance(profile_.of_form ? 50 : 20))
                domain->ray = add_directions(*domain, "ray");
            if (dice_.chance(30)) add(domain->declaration, "wrap", boolean(dice_.chance(70)));
        }
        return keep(std::move(domain));
    }

    std::vector<std::string> add_directions(DomainPlan& domain, const std::string& relation) {
        const std::vector<std::string> straight = {"north", "east", "south", "west"};
        const std::vector<std::string> diagonal = {"northeast", "southeast", "southwest",
                                                   "northwest"};
        const std::string ways = dice_.pick({"king", "rook", "bishop", "hex"});
        add(domain.declaration, relation, text(ways));
        std::vector<std::string> directions;
        if (ways != "bishop") directions = straight;
        if (ways == "hex") directions.insert(directions.end(), {"southeast", "northwest"});
        if (ways == "king" || ways == "bishop")
            directions.insert(directions.end(), diagonal.begin(), diagonal.end());
        return directions;
    }

    // Orders only one domain of a setting, so that `next` has one meaning.
    void order(DomainPlan& domain) {
        if (ordered_ || domain.near || !profile_.has(feature::kConstants)) return;
        ordered_ = domain.ordered = true;
        Document members = std::move(domain.declaration);
        domain.declaration = entry("members", std::move(members));
        add(domain.declaration, "order", text(dice_.pick({"linear", "cyclic"})));
    }

    Kind leaf() {
        Kind kind;
        switch (dice_.weighted({35, 5, 8, 10, 17, domains().empty() ? 0 : 20, 10})) {
        case 0:
            kind.form = Form::Int;
            if (dice_.chance(30)) {
                kind.ranged = true;
                kind.low = dice_.between(-2, 0);
                kind.high = dice_.pick({3, 9, 200, 70000});
            }
            return kind;
        case 1:
            kind.form = Form::Double;
            return kind;
        case 2:
            kind.form = Form::Number;
            return kind;
        case 3:
            kind.form = Form::Bool;
            return kind;
        case 4:
            kind.form = Form::Text;
            return kind;
        case 5:
            return member(*dice_.pick(setting_.domains));
        default:
            kind.form = Form::Mixed;
            return kind;
        }
    }

    static Kind unit() {
        Kind kind;
        kind.form = Form::Unit;
        return kind;
    }
    static Kind member(const DomainPlan& domain) {
        Kind kind;
        kind.form = Form::Member;
        kind.domain = &domain;
        return kind;
    }
    static Kind range(std::int64_t low, std::int64_t high) {
        Kind kind;
        kind.form = Form::Int;
        kind.ranged = true;
        kind.low = low;
        kind.high = high;
        return kind;
    }
    static Kind record(std::vector<KindField> fields) {
        Kind kind;
        kind.form = Form::Record;
        kind.fields = std::move(fields);
        return kind;
    }
    static Kind map(const DomainPlan& domain, Kind child, int density = 60) {
        Kind kind;
        kind.form = Form::Map;
        kind.domain = &domain;
        kind.density = density;
        kind.fields.emplace_back("", std::move(child));
        return kind;
    }

    static Kind keyed(std::vector<std::string> keys, Kind child) {
        Kind kind;
        kind.form = Form::Map;
        kind.keys = std::move(keys);
        kind.fields.emplace_back("", std::move(child));
        return kind;
    }

    Kind open_map(Kind child) {
        Kind kind;
        kind.form = Form::Map;
        kind.integer_keys = dice_.chance(25);
        for (const std::string& key : kOpenKeys) {
            const bool is_integer = key.find_first_not_of("-0123456789") == std::string::npos;
            if ((!kind.integer_keys || is_integer) && dice_.chance(70)) kind.keys.push_back(key);
        }
        if (kind.keys.empty()) kind.keys.push_back("0");
        kind.fields.emplace_back("", std::move(child));
        return kind;
    }

    Kind anything(int depth) {
        if (depth == 0 || dice_.chance(30)) return leaf();
        switch (dice_.weighted(
            {25, domains().empty() ? 0 : 30, 25, profile_.has(feature::kArrays) ? 10 : 0})) {
        case 0:
            return some_record(depth - 1);
        case 1: {
            Kind child = dice_.chance(25) ? unit() : anything(depth - 1);
            const DomainPlan& domain = *dice_.pick(setting_.domains);
            return map(domain, std::move(child), static_cast<int>(dice_.between(30, 100)));
        }
        case 2:
            return open_map(dice_.chance(20) ? unit() : anything(depth - 1));
        default: {
            Kind kind;
            kind.form = Form::List;
            kind.keys = {"0", "1", "2", "3"};
            kind.fields.emplace_back("", anything(std::min(depth - 1, 1)));
            return kind;
        }
        }
    }

    Kind some_record(int depth) {
        std::vector<std::string> names = kFieldNames;
        dice_.shuffle(names);
        names.resize(static_cast<std::size_t>(dice_.between(1, 3)));
        std::vector<KindField> fields;
        fields.reserve(names.size());
        for (const std::string& name : names)
            fields.emplace_back(name, anything(depth));
        return record(std::move(fields));
    }

    void add_relations() {
        for (const auto& domain : domains()) {
            if (domain->near)
                setting_.constants.fields.emplace_back("near", map(*domain, map(*domain, unit())));
            if (!domain->step.empty()) {
                setting_.constants.fields.emplace_back(
                    "step", keyed(domain->step, map(*domain, member(*domain))));
            }
            if (!domain->ray.empty()) {
                setting_.constants.fields.emplace_back(
                    "ray", keyed(domain->ray, map(*domain, map(*domain, range(1, 9)))));
            }
            if (domain->ordered)
                setting_.constants.fields.emplace_back("next", map(*domain, member(*domain)));
        }
    }

    void add_constant(const std::string& name, Kind kind) {
        // A literal key missing from a constant is an error of the ruleset; a missing variable key
        // is not.
        Document value = random_state(kind, dice_, dice_.chance(80));
        add_constant(name, std::move(kind), std::move(value));
    }

    void add_constant(const std::string& name, Kind kind, Document value) {
        add(setting_.constants_json, name, std::move(value));
        setting_.constants.fields.emplace_back(name, std::move(kind));
    }

    // Constants about the cells of a board, with keys in any order: to which cells a piece leaps
    // from each one, the cell above it, some other cell, numbers among which are texts.
    void add_cells(const DomainPlan& cell, const DomainPlan& suit, std::int64_t columns) {
        const auto rows = static_cast<std::int64_t>(cell.members.size()) / columns;
        struct Leap {
            std::int64_t east = 0;
            std::int64_t north = 0;
        };
        std::vector<Leap> leaps = {{1, 2},  {2, 1},  {-1, 2}, {1, 0},   {0, 1},
                                   {-1, 0}, {0, -1}, {1, 1},  {-2, -1}, {3, 0}};
        dice_.shuffle(leaps);
        leaps.resize(static_cast<std::size_t>(dice_.between(1, 5)));
        const int missing = dice_.pick({0, 8, 8, 30});
        const bool one_order = dice_.chance(40);
        Document targets = object();
        Document up = object();
        Document jump = object();
        Document risk = object();
        for (std::size_t i = 0; i < cell.members.size(); ++i) {
            if (!one_order) dice_.shuffle(leaps);
            const std::string& name = cell.members[i];
            Document of_cell = object();
            for (const Leap& leap : leaps) {
                const std::int64_t column = static_cast<std::int64_t>(i) % columns + leap.east;
                const std::int64_t row = static_cast<std::int64_t>(i) / columns + leap.north;
                if (column < 0 || column >= columns || row < 0 || row >= rows ||
                    dice_.chance(missing))
                    continue;
                const auto place = static_cast<std::size_t>(row * columns + column);
                add(of_cell, cell.members[place], integer(dice_.between(0, 9)));
            }
            if (!of_cell.members.empty()) add(targets, name, std::move(of_cell));
            const std::size_t above = i + static_cast<std::size_t>(columns);
            if (above < cell.members.size() && !dice_.chance(missing))
                add(up, name, text(cell.members[above]));
            if (dice_.chance(80)) add(jump, name, text(dice_.pick(cell.members)));
            add(risk, name, dice_.chance(15) ? text("x") : integer(dice_.between(0, 4)));
        }
        add_constant("leaps", map(cell, map(cell, range(0, 9))), std::move(targets));
        add_constant("up", map(cell, member(cell)), std::move(up));
        add_constant("jump", map(cell, member(cell)), std::move(jump));
        add_constant("risk", map(cell, Kind{}), std::move(risk));
        Kind fine;
        fine.form = Form::Double;
        add_constant("fine", map(cell, std::move(fine)));
        add_constant("lanes", map(suit, map(cell, unit(), 15)),
                     shuffled(map(suit, map(cell, unit(), 15))));
    }

    // A value of a map whose maps have some of their keys, in any order.
    Document shuffled(const Kind& kind) {
        Document value = random_state(kind, dice_);
        shuffle_below(value);
        return value;
    }

    std::vector<std::unique_ptr<DomainPlan>>& domains() { return setting_.domains; }
    Setting& setting() { return setting_; }

  private:
    void shuffle_below(Document& value) {
        if (dice_.chance(70)) dice_.shuffle(value.members);
        for (Member& each : value.members)
            shuffle_below(each.value);
    }

    DomainPlan* keep(std::unique_ptr<DomainPlan> domain) {
        setting_.domains.push_back(std::move(domain));
        return setting_.domains.back().get();
    }

    Dice& dice_;
    const Profile& profile_;
    Setting setting_;
    bool ordered_ = false;
};

// A kind that the shape language cannot describe exactly stays undeclared.
bool can_declare(const Kind& kind) {
    if (kind.form == Form::List) return false;
    return std::all_of(kind.fields.begin(), kind.fields.end(),
                       [](const auto& field) { return can_declare(field.kind); });
}

void declare_fields(Setting& setting, Dice& dice, int percent) {
    for (const auto& [name, kind] : setting.root.fields)
        if (can_declare(kind) && dice.chance(percent)) setting.declared.push_back(name);
}

void finish(Planner& planner, Dice& dice) {
    planner.add_relations();
    for (const char* option : {"limit", "bonus"})
        if (dice.chance(50)) add(planner.setting().options, option, integer(dice.between(0, 3)));
}

} // namespace

Setting make_free_setting(Dice& dice, const Profile& profile) {
    Planner planner(dice, profile);
    if (dice.chance(50)) {
        auto* seat = planner.add_numbered("Seat", static_cast<std::size_t>(dice.between(1, 5)));
        if (dice.chance(40)) planner.order(*seat);
    }
    if (dice.chance(50)) {
        std::vector<std::string> members = {"x", "y", "z", "2", "10", "red"};
        dice.shuffle(members);
        members.resize(static_cast<std::size_t>(dice.between(1, 6)));
        auto* color = planner.add_domain("Color", std::move(members));
        if (dice.chance(40)) planner.order(*color);
    }
    if (dice.chance(20)) planner.add_grid("Cell", dice.between(1, 3), dice.between(1, 3));
    Setting& setting = planner.setting();
    setting.root.form = setting.constants.form = Form::Record;
    std::vector<std::string> names = {"a", "b", "c", "p", "q", "r"};
    dice.shuffle(names);
    names.resize(static_cast<std::size_t>(dice.between(1, 4)));
    for (const std::string& name : names)
        setting.root.fields.emplace_back(name, planner.anything(3));
    if (profile.has(feature::kConstants) && dice.chance(40))
        planner.add_constant("table", planner.anything(2));
    if (profile.has(feature::kShapes)) declare_fields(setting, dice, dice.pick({0, 0, 50, 100}));
    finish(planner, dice);
    return std::move(setting);
}

Setting make_table_setting(Dice& dice, const Profile& profile) {
    Planner planner(dice, profile);
    const std::size_t sizes[] = {1, 3, 8, 31, 32, 33, 52, 63, 64, 65, 80, 150};
    const auto* seat = planner.add_numbered("Seat", static_cast<std::size_t>(dice.between(2, 4)));
    if (dice.chance(60)) planner.order(*planner.domains()[0]);
    const auto* suit = planner.add_domain("Suit", {"red", "x", "y", "2"});
    const auto* card = planner.add_deck("Card", sizes[dice.below(std::size(sizes))]);
    Setting& setting = planner.setting();
    setting.root.form = setting.constants.form = Form::Record;
    auto& fields = setting.root.fields;
    const int density = dice.pick({10, 25, 50, 90});
    fields.emplace_back("turn", Planner::member(*seat));
    fields.emplace_back("hands",
                        Planner::map(*seat, Planner::map(*card, Planner::unit(), density), 100));
    if (dice.chance(75)) fields.emplace_back("led", Planner::member(*suit));
    if (dice.chance(65)) fields.emplace_back("best", Planner::member(*card));
    if (dice.chance(40)) fields.emplace_back("pick", Planner::member(*card));
    if (dice.chance(60)) fields.emplace_back("trick", Planner::map(*seat, Planner::member(*card)));
    if (dice.chance(60)) fields.emplace_back("score", Planner::map(*seat, planner.leaf()));
    if (dice.chance(60))
        fields.emplace_back("moves", Planner::map(*card, Planner::unit(), dice.pick({0, 0, 10})));
    if (dice.chance(30))
        fields.emplace_back("marks", Planner::map(*card, Planner::unit(), dice.pick({0, 10})));
    if (dice.chance(40))
        fields.emplace_back("points", Planner::map(*seat, Planner::range(-2, 70'000)));
    if (dice.chance(40)) {
        // A domain whose first members are those of the seats.
        const auto* slot =
            planner.add_numbered("Slot", static_cast<std::size_t>(dice.between(5, 12)));
        fields.emplace_back("round", Planner::member(*slot));
        fields.emplace_back("rounds", Planner::map(*slot, Planner::unit(), 40));
        fields.emplace_back("piles", Planner::map(*slot, Planner::member(*card)));
    }
    if (dice.chance(profile.of_form ? 60 : 35)) {
        std::int64_t columns = dice.between(1, 9);
        std::int64_t rows = dice.between(1, 8);
        if (profile.of_form && columns > 6) { // sets of several words
            columns = dice.pick<std::int64_t>({9, 10, 20});
            rows = columns < 20 ? dice.between(8, 10) : rows * (rows > 6 ? 4 : 2);
        }
        const auto* cell = planner.add_grid("Cell", columns, rows);
        fields.emplace_back("board", Planner::map(*cell,
                                                  dice.chance(profile.of_form ? 15 : 50)
                                                      ? Planner::unit()
                                                      : Planner::member(*suit),
                                                  dice.pick({10, 40, 80})));
        if (profile.of_form) {
            std::vector<std::string> drops = {"skip", "stay"};
            drops.insert(drops.end(), cell->members.begin(), cell->members.end());
            const auto* drop = planner.add_domain("Drop", std::move(drops));
            fields.emplace_back("drops", Planner::map(*drop, Planner::unit(), 0));
            fields.emplace_back("seen", Planner::map(*cell, Planner::member(*cell), 10));
            if (profile.has(feature::kConstants)) { // facts about stones by number
                planner.add_constant(
                    "laws", Planner::map(*suit, Planner::keyed({"0", "1", "2", "3", "5", "many"},
                                                               Planner::unit())));
                planner.add_cells(*cell, *suit, columns);
            }
            const auto* side = planner.add_domain("Side", {"w", "b"});
            fields.emplace_back("side", Planner::member(*side));
            fields.emplace_back(
                "stones", Planner::map(*cell, Planner::member(*side), dice.pick({30, 60, 90})));
        }
    }
    if (profile.of_form) { // several maps of bytes
        fields.emplace_back("bids",
                            Planner::map(*seat, Planner::map(*suit, Planner::member(*seat))));
        if (profile.has(feature::kConstants)) { // cards in any order
            const auto add_shuffled = [&](const char* name, const Kind& kind) {
                planner.add_constant(name, kind, planner.shuffled(kind));
            };
            add_shuffled("tops",
                         Planner::map(*suit, Planner::map(*card, Planner::unit(), 40), 100));
            add_shuffled(
                "deals",
                Planner::map(*seat,
                             Planner::map(*suit, Planner::map(*card, Planner::member(*card), 5)),
                             90));
            add_shuffled(
                "shares",
                Planner::map(*suit,
                             Planner::record({{"by", Planner::range(1, 5)},
                                              {"to", Planner::map(*card, Planner::unit(), 20)}}),
                             100));
        }
    }
    Kind face = Planner::record(
        {{"suit", Planner::member(*suit)}, {"rank", Planner::range(0, dice.pick({7, 300}))}});
    if (dice.chance(30)) face.fields.emplace_back("worth", planner.leaf());
    if (profile.has(feature::kConstants) && dice.chance(70))
        planner.add_constant("cards", Planner::map(*card, std::move(face), 100));
    else
        fields.emplace_back("cards", Planner::map(*card, std::move(face), 100));
    if (profile.has(feature::kConstants) && dice.chance(20)) {
        Kind mixed; // numbers, texts and more
        planner.add_constant("odd", Planner::map(*card, std::move(mixed), 80));
    }
    if (profile.has(feature::kConstants) && dice.chance(15)) {
        planner.add_constant("heights",
                             Planner::keyed({"red", "x", "other"}, Planner::range(0, 9)));
    }
    if (profile.of_form) {
        std::vector<std::string> ways;
        for (const std::string& each : card->members)
            for (const std::string& other : seat->members)
                ways.push_back(each + "-" + other);
        const auto* way = planner.add_domain("Way", std::move(ways));
        fields.emplace_back("way", Planner::member(*way));
        fields.emplace_back("ways", Planner::map(*way, Planner::unit(), 10));
    }
    if (dice.chance(20)) fields.emplace_back("a", planner.anything(2));
    if (profile.has(feature::kShapes))
        declare_fields(setting, dice, dice.pick({0, 70, 100, 100, 100}));
    finish(planner, dice);
    return std::move(setting);
}

bool Setting::is_declared(const std::string& field) const {
    return std::find(declared.begin(), declared.end(), field) != declared.end();
}

const DomainPlan* Setting::deck() const {
    const auto found = std::find_if(domains.begin(), domains.end(),
                                    [](const auto& domain) { return domain->name == "Card"; });
    return found == domains.end() ? nullptr : found->get();
}

// States, shapes and types of a setting as JSON.

const std::vector<std::string>& common_texts() {
    static const std::vector<std::string> kTexts = {"x",  "y", "z",  "red", "2",
                                                    "10", "",  "'q", "<3"};
    return kTexts;
}

namespace {

double random_double(Dice& dice) {
    return dice.pick({0.5, 2.0, -1.25, 3.0, 1e300, 0.1, 0.0});
}

std::int64_t random_integer(const Kind& kind, Dice& dice) {
    if (!kind.ranged && dice.chance(2)) return dice.pick({INT64_MAX, INT64_MIN, INT64_MAX - 1});
    return dice.between(kind.low, dice.chance(85) ? std::min(kind.high, kind.low + 4) : kind.high);
}

} // namespace

Scalar random_leaf(const Kind& kind, Dice& dice) {
    switch (kind.form) {
    case Form::Unit:
        return true;
    case Form::Int:
        return random_integer(kind, dice);
    case Form::Double:
        return dice.chance(80) ? Scalar{random_double(dice)} : Scalar{dice.between(-4, 4)};
    case Form::Number:
        return dice.chance(60) ? Scalar{random_integer(kind, dice)} : Scalar{random_double(dice)};
    case Form::Bool:
        return dice.chance(50);
    case Form::Text:
        return common_texts()[dice.below(dice.chance(75) ? 3 : common_texts().size())];
    case Form::Member: {
        const std::size_t index = dice.below(kind.domain->members.size());
        if (kind.domain->numbered) return static_cast<std::int64_t>(index);
        return kind.domain->members[index];
    }
    default:
        break;
    }
    switch (dice.below(6)) {
    case 0:
        return std::monostate{};
    case 1:
        return dice.chance(50);
    case 2:
        return random_double(dice);
    case 3:
        return dice.pick(common_texts());
    default:
        return random_integer(kind, dice);
    }
}

Document random_state(const Kind& kind, Dice& dice, bool complete) {
    if (kind.is_leaf()) return scalar(random_leaf(kind, dice));
    if (kind.form == Form::List) {
        Document list = array();
        for (std::size_t i = complete ? 4 : dice.below(4); i > 0; --i)
            append(list, random_state(kind.fields[0].kind, dice, complete));
        return list;
    }
    Document result = object();
    if (kind.form == Form::Record) {
        for (const auto& [name, field] : kind.fields)
            if (complete || dice.chance(90)) add(result, name, random_state(field, dice, complete));
    } else {
        for (const std::string& key : kind.key_pool()) {
            if (!complete && !dice.chance(kind.density)) continue;
            add(result, key, random_state(kind.fields[0].kind, dice, complete));
        }
    }
    if (dice.chance(20)) dice.shuffle(result.members);
    return result;
}

Document shape_of(const Kind& kind) {
    switch (kind.form) {
    case Form::Unit:
        return boolean(true);
    case Form::Int:
        return text(kind.ranged ? std::to_string(kind.low) + ".." + std::to_string(kind.high)
                                : "int");
    case Form::Double:
        return text("double");
    case Form::Number:
        return text("number");
    case Form::Bool:
        return text("bool");
    case Form::Text:
        return text("string");
    case Form::Member:
        return text(kind.domain->name);
    case Form::Mixed:
    case Form::List:
        return text("any");
    default:
        break;
    }
    Document result = object();
    if (kind.form == Form::Map) {
        const std::string key = kind.domain != nullptr ? "$:" + kind.domain->name
                                : kind.integer_keys    ? "$:int"
                                                       : "$";
        add(result, key, shape_of(kind.fields[0].kind));
        return result;
    }
    for (const auto& [name, field] : kind.fields)
        add(result, name, shape_of(field));
    return result;
}

Document types_of(const Setting& setting) {
    Document types = object();
    for (const auto& domain : setting.domains)
        add(types, domain->name, domain->declaration);
    return types;
}

namespace {

constexpr std::uint64_t kStream = 0x67656e65; // differs from the rules' streams

Case generate(Dice dice, std::uint64_t seed, const Profile& profile) {
    const bool table = dice.chance(profile.table_percent);
    const Setting setting =
        table ? make_table_setting(dice, profile) : make_free_setting(dice, profile);
    Case result;
    result.seed = seed;
    const Document state = random_state(setting.root, dice);
    result.ruleset = write_json(Writer(dice, profile, setting).ruleset(table, state));
    result.state = write_json(state);
    if (profile.has(feature::kBudgets) && dice.chance(table ? 10 : 4))
        result.budgets.matches_per_rule = 1 + dice.below(table ? 40 : 8);
    if (profile.has(feature::kBudgets) && dice.chance(table ? 12 : 4))
        result.budgets.firings = 1 + dice.below(table ? 60 : 8);
    return result;
}

} // namespace

Case generate_case(std::uint64_t seed, const Profile& profile) {
    return generate(Dice(Random(seed).stream(kStream)), seed, profile);
}

Case generate_case(std::span<const std::uint8_t> choices, const Profile& profile) {
    constexpr std::uint64_t kSeed = 1;
    return generate(Dice(choices, Random(kSeed).stream(kStream)), kSeed, profile);
}

} // namespace croupier::engine::reference
