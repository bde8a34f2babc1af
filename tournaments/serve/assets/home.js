// The page for creating a table: game, seats, deal, house rules.
import {ask, byId, forget, make, plain, remember, setting, tables, tell} from "/assets/common.js";

const form = byId("form");
let games = [];  // [{id, own}]
let facts = null; // of the chosen game

// ---- earlier tables ----
const showMine = () => {
    const all = tables();
    byId("mine").hidden = all.length === 0;
    byId("mine").querySelector("ul").replaceChildren(...all.map(({chair, title, since}) => make("li", {},
        make("a", {href: `/table/${chair}`}, title),
        make("span", {class: "small"}, new Date(since).toLocaleString([], {dateStyle: "medium", timeStyle: "short"})),
        make("button", {type: "button", class: "quiet", "aria-label": `Forget ${title}`,
            onclick: () => { forget(chair); showMine(); }}, "Forget"))));
};

// ---- games ----
const baseOf = (id) => id.split(":")[0];
const titleOf = (id) => id.replace(/^own\//, "");
const showGames = () => {
    const bases = [...new Set(games.map(({id}) => baseOf(id)))];
    const options = (own) => bases.filter((id) => id.startsWith("own/") === own)
        .map((id) => make("option", {value: id}, titleOf(id)));
    const own = options(true);
    byId("game").replaceChildren(...(own.length
        ? [make("optgroup", {label: "Your rules"}, ...own), make("optgroup", {label: "Shipped"}, ...options(false))]
        : options(false)));
};
const showRevisions = () => {
    const base = byId("game").value;
    const ids = games.map(({id}) => id).filter((id) => baseOf(id) === base);
    byId("revision").replaceChildren(...ids.map((id) =>
        make("option", {value: id}, id === base ? "as it is" : id.slice(base.length + 1))));
    byId("revision").disabled = ids.length < 2;
};

// ---- the chosen game ----
const showFair = () => {
    const others = [...byId("seats").querySelectorAll("select")].some(({value}) => value === "person");
    byId("fair-field").hidden = !facts.hides || !others;
};
const showSeats = () => {
    const last = facts.agents[0] ?? "random";
    byId("agents").replaceChildren(...facts.agents.map((agent) => make("option", {value: agent})));
    const team = (seat) => facts.teams.find(({seats}) => seats.includes(seat));
    byId("seats").replaceChildren(...facts.players.map((name, seat) => {
        const partner = team(seat);
        const agent = make("input", {list: "agents", value: last, "aria-label": `Agent on seat ${name}`,
            autocomplete: "off", maxlength: 300, hidden: seat === 0});
        const who = make("select", {"aria-label": `Who sits on seat ${name}`, onchange: () => {
            agent.hidden = who.value !== "agent";
            showFair();
        }}, make("option", {value: "me", selected: seat === 0}, "you"),
            make("option", {value: "agent", selected: seat > 0}, "an agent"),
            make("option", {value: "person"}, "another person"));
        return make("div", {class: "seat-row", "data-seat": seat},
            make("span", {class: "seat-name"}, name, partner ? make("span", {class: "small"}, ` team ${partner.name}`) : null),
            who, agent);
    }));
    showFair();
};

// A selection of listed values, or a field with its range as hint.
const optionField = (option) => {
    const id = `option-${option.name}`;
    const text = typeof option.value === "string" ? option.value : JSON.stringify(option.value);
    const listed = Array.isArray(option.values) ? option.values : option.values === "bool" ? [true, false] : null;
    const doc = option.doc ? make("div", {id: `${id}-doc`, class: "small"}, option.doc) : null;
    const common = {id, "aria-describedby": doc?.id, "data-option": option.name, "data-value": text};
    const field = listed
        ? make("select", common, ...listed.map((value) => {
            const shown = typeof value === "string" ? value : JSON.stringify(value);
            return make("option", {value: shown, selected: shown === text}, shown === "" ? "none" : shown);
        }))
        : make("input", {...common, value: text, autocomplete: "off", maxlength: 500,
            placeholder: typeof option.values === "string" ? option.values : ""});
    return make("div", {class: "field"}, make("label", {for: id}, plain(option.name)), field, doc);
};

// Answers may come in any order, even two for one game: only the last one requested is used, as others would undo what
// has been filled in meanwhile.
let choices = 0;
const choose = async () => {
    const id = byId("revision").value;
    const number = ++choices;
    byId("details").inert = true;
    try {
        const told = await ask(`/api/game?id=${encodeURIComponent(id)}`);
        if (number !== choices) return;
        facts = told;
        setting("game", id);
        tell(byId("game-wrong"), "");
        tell(byId("about"), facts.doc);
        showSeats();
        byId("options").replaceChildren(...facts.options.map(optionField));
        byId("rules").hidden = facts.options.length === 0;
        byId("details").dataset.game = id;
        byId("details").hidden = byId("details").inert = false;
    } catch (error) {
        if (number !== choices) return;
        tell(byId("about"), "");
        tell(byId("game-wrong"), error.message);
        byId("details").hidden = true;
    }
};

const sitDown = async (event) => {
    event.preventDefault();
    const options = {};
    for (const field of byId("options").querySelectorAll("[data-option]"))
        if (field.value !== field.dataset.value) options[field.dataset.option] = field.value;
    const seats = [...byId("seats").children].map((row) => {
        const who = row.querySelector("select").value;
        return who === "agent" ? {who, agent: row.querySelector("input").value.trim() || "random"} : {who};
    });
    setting("pace", byId("pace").value);
    byId("sit").disabled = true;
    try {
        const {chair} = await ask("/api/tables", {game: byId("revision").value, options, seats,
            seed: byId("seed").value.trim(), pace: Number(byId("pace").value),
            fair: byId("fair").checked && !byId("fair-field").hidden});
        remember(chair, facts.title);
        location.assign(`/table/${chair}`);
    } catch (error) {
        tell(byId("wrong"), error.message);
    }
    byId("sit").disabled = false;
};

showMine();
window.addEventListener("pageshow", showMine); // back from a table
byId("pace").value = setting("pace") ?? "700";
byId("game").addEventListener("change", () => { showRevisions(); choose(); });
byId("revision").addEventListener("change", choose);
form.addEventListener("submit", sitDown);
try {
    ({games} = await ask("/api/games"));
    showGames();
    const last = setting("game") ?? "belote";
    if (games.some(({id}) => id === last)) byId("game").value = baseOf(last);
    showRevisions();
    if (games.some(({id}) => id === last)) byId("revision").value = last;
    await choose();
} catch (error) {
    tell(byId("game-wrong"), error.message);
    byId("details").hidden = true;
}
