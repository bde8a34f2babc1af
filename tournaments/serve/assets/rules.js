// Shows rules: the text, a state, and the effect of the rules on it, firing by firing.
import {ask, byId, make, setting, tell} from "/assets/common.js";
import {Editor} from "/assets/editor.js";
import {drawScene} from "/assets/scene.js";
import {Tree, changedPaths} from "/assets/tree.js";

let told = null;      // the server's answer about the page's contents
let asked = 0;        // number of requests
let shownMatch = 0;   // of the selected rule
let before = null;    // the previous state
let given = "";       // the server's version of the text
const at = {group: "", firings: 0, rule: "", state: "", breaks: new Set()};

// ---- requests ----
const look = async (until = []) => {
    const number = ++asked;
    history.replaceState({game: byId("game").value, text: editor.text, given}, ""); // for reloading and going back
    byId("status").setAttribute("aria-busy", "true");
    try {
        const answer = await ask("/api/rules/look", {game: byId("game").value, text: editor.text, state: at.state, group: at.group,
            firings: at.firings, until, seed: Number(byId("seed").value) || 1, rule: at.rule, heat: true});
        if (number !== asked) return; // superseded by a later request
        before = told?.look?.group === answer.look?.group ? told?.look?.state : null;
        told = answer;
        shownMatch = 0;
        if (answer.look) {
            at.group = answer.look.group;
            at.firings = answer.look.firings;
        }
        tell(byId("wrong"), "");
        show();
    } catch (error) {
        if (number !== asked) return;
        tell(byId("wrong"), error.message);
    }
    byId("status").removeAttribute("aria-busy");
};
let timer = 0;
const lookSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(look, 250);
};

// ---- display ----
const firings = (count) => `${count} ${count === 1 ? "firing" : "firings"}`;
const values = (match) => Object.entries(match).map(([key, value]) => told.clips ? `${key} ${value}` : `${key} = ${JSON.stringify(value)}`).join(", ") || "no variables";

const showDiagnostics = () => {
    byId("diagnostics").replaceChildren(...told.diagnostics.map((each) => make("li", {class: each.error ? "error" : "warning"},
        make("button", {type: "button", class: "quiet", disabled: !each.span, onclick: () => editor.select(each.span[0])},
            each.span ? `${each.line}:${each.column}` : `${each.file}:${each.line}`),
        make("span", {}, ` ${each.code}: ${each.message}`), each.hint ? make("span", {class: "small"}, ` ${each.hint}`) : null)));
    document.body.dataset.good = told.good;
};

const showMarks = () => {
    const marks = [];
    const mark = (span, kind) => { if (span) marks.push([...span, kind]); };
    for (const {span, error} of told.diagnostics) mark(span && (span[1] > span[0] ? span : [span[0], span[0] + 1]), error ? "error" : "warning");
    if (told.good) {
        mark(told.look?.next?.span, "next");
        const rule = told.look?.rule;
        if (rule) {
            mark(rule.span, "chosen");
            for (const entry of rule.entries) if (rule.matches.length && entry.passed) mark(entry.span, "holds");
            if (rule.stop) mark(rule.stop.span, "stops");
        }
    }
    const breaks = (told.groups ?? []).flatMap(({rules}) => rules).filter(({name, span}) => span && at.breaks.has(name)).map(({span}) => span[0]);
    editor.show(marks, told.heat ?? [], breaks);
};

// Shows the position, with the cells and cards that the match names.
const showScene = (nodes, match) => {
    const {scene, players} = told.look;
    byId("scene-box").hidden = !scene;
    if (!scene) return;
    const seats = players.map((name) => ({name, who: "agent", agent: ""}));
    const chosen = new Set([...nodes.map((path) => path.split(".").at(-1)), ...Object.values(match).map(String)]);
    drawScene(byId("scene"), {scene, seats, moves: null, made: [], ply: 0, turn: null}, {chosen});
};

const showTree = () => {
    const rule = told.look.rule;
    const match = rule ? rule.matches[shownMatch] : told.look.next && {nodes: told.look.next.nodes, values: told.look.next.match};
    showScene(match?.nodes ?? [], match?.values ?? {});
    const nodes = rule ? match?.nodes ?? [] : [];
    const stop = rule?.stop && rule.matches.length === 0 && rule.stop.node ? [rule.stop.node] : [];
    tree.show(told.look.state, {chosen: new Set(nodes), next: new Set(rule ? [] : told.look.next?.nodes ?? []),
        stops: new Set(stop), changed: before ? changedPaths(before, told.look.state) : new Set()});
    byId("state").value = JSON.stringify(told.look.state, null, 1);
    byId("state-note").textContent = told.clips ? "" : at.firings ? `after ${firings(at.firings)}; edits restart from this state`
        : told.look.scene && !at.state ? `as the group finds it first, in the deal of seed ${Number(byId("seed").value) || 1}` : "as the group finds it";
    tell(byId("state-wrong"), (told.state_wrong ?? []).map(({line, column, message}) => `${line}:${column}: ${message}`).join("\n"));
};

const showRun = () => {
    const {look} = told;
    byId("group").replaceChildren(...told.groups.map(({name}) => make("option", {value: name, selected: name === look.group}, name)));
    byId("status").textContent = look.error ? `Stopped after ${firings(look.firings)}` : look.ended ? `The end, after ${firings(look.firings)}` : `After ${firings(look.firings)}`;
    byId("next").replaceChildren(look.error ?? "", ...(look.next ? ["Next: ", make("button", {type: "button", class: "quiet", onclick: () => choose(look.next.name)},
        look.next.name), ` ${look.next.else ? "(its else) " : ""}${values(look.next.match)}`] : []));
    for (const button of document.querySelectorAll("[data-step]")) {
        const back = ["first", "back"].includes(button.dataset.step);
        button.disabled = back ? look.firings === 0 : button.dataset.step !== "take" && look.ended;
    }
    tell(byId("printed"), look.printed.join("\n"));
    byId("agenda-box").hidden = !look.agenda;
    byId("agenda").replaceChildren(...[...(look.agenda ?? [])].sort((a, b) => a.fired - b.fired || b.salience - a.salience).map((one) =>
        make("li", {class: one.fired ? "fired" : null}, make("button", {type: "button", class: "quiet", onclick: () => choose(one.rule)}, one.rule),
            make("span", {class: "small"}, ` ${one.salience}`), ` ${values(one.match)}${one.fired ? ", has fired" : ""}`)));
};

const showRules = () => {
    const group = told.groups.find(({name}) => name === told.look.group);
    const focused = document.activeElement?.closest?.(".rule-list") ? document.activeElement.dataset.rule : null;
    byId("rules").replaceChildren(...group.rules.map(({name, doc, depth}) => {
        const row = make("li", {class: name === told.look.next?.name ? "is-next" : null},
            make("input", {type: "checkbox", checked: at.breaks.has(name), "aria-label": `Breakpoint at ${name}`, onchange: () => stopAt(name)}),
            make("button", {type: "button", class: "quiet", "data-rule": name, title: doc ?? null, "aria-pressed": String(at.rule === name), onclick: () => choose(name)}, name));
        row.style.setProperty("--depth", depth);
        return row;
    }));
    if (focused) [...byId("rules").querySelectorAll("[data-rule]")].find(({dataset}) => dataset.rule === focused)?.focus();
};

const showWhy = () => {
    const {rule} = told.look;
    byId("why-box").hidden = !rule;
    if (!rule) return;
    byId("why-title").textContent = rule.name;
    byId("why-says").textContent = rule.error ?? (rule.matches.length ? `${rule.count} ${rule.count === 1 ? "match" : "matches"}`
        : rule.stop ? `No match. The nearest (${values(rule.stop.bound)}) stops: ${rule.stop.says}.` : rule.fires ? "It fires while the group runs." : "No match.");
    byId("matches").replaceChildren(...rule.matches.map((match, i) => make("li", {}, make("button", {type: "button", class: "quiet",
        "aria-pressed": String(i === shownMatch), onclick: () => { shownMatch = i; showWhy(); showTree(); }}, values(match.values)))));
    byId("why").textContent = rule.text;
};

const show = () => {
    document.body.dataset.clips = told.clips ?? false;
    byId("state-title").textContent = told.clips ? "Facts" : "State";
    showDiagnostics();
    showMarks();
    if (!told.good) {
        byId("status").textContent = "The rules have mistakes";
        return;
    }
    if (!told.look) {
        byId("status").textContent = "There are no rules yet";
        return;
    }
    showRun();
    showRules();
    showWhy();
    showTree();
};

// ---- actions ----
const choose = (name) => {
    at.rule = at.rule === name ? "" : name;
    const span = told.groups.flatMap(({rules}) => rules).find((rule) => rule.name === name)?.span;
    if (span && at.rule) editor.reveal(span[0]);
    look();
};
const stopAt = (name) => {
    if (!at.breaks.delete(name)) at.breaks.add(name);
    show();
};
const begin = (state) => {
    at.state = state;
    at.firings = 0;
    look();
};
const steps = {first: () => { at.firings = 0; look(); }, back: () => { at.firings -= 1; look(); }, one: () => { at.firings += 1; look(); },
    some: () => { at.firings += Math.max(1, Number(byId("some").value) || 1); look(); }, until: () => look([...at.breaks]),
    last: () => { at.firings = 100000; look(); }, take: () => begin(JSON.stringify(told.look.state))};
for (const button of document.querySelectorAll("[data-step]"))
    button.addEventListener("click", () => { if (told?.look) steps[button.dataset.step](); });

const editor = new Editor(lookSoon, (line) => {
    const rules = (told?.groups ?? []).flatMap((group) => group.rules).filter(({span}) => span && editor.lineOf(span[0]) <= line && line <= editor.lineOf(span[1] - 1));
    if (rules.length) stopAt(rules.at(-1).name);
});
const tree = new Tree(byId("tree"), (keys, value) => {
    const state = structuredClone(told.look.state);
    const above = keys.slice(0, -1).reduce((node, key) => node[key], state);
    if (value === undefined) delete above[keys.at(-1)];
    else above[keys.at(-1)] = value;
    begin(JSON.stringify(state));
});
byId("group").addEventListener("change", () => { at.group = byId("group").value; at.firings = 0; at.rule = ""; look(); });
byId("seed").addEventListener("change", () => look());
byId("set-state").addEventListener("click", () => begin(byId("state").value));
byId("own-state").addEventListener("click", () => begin(""));

let base = "";  // the game that the text is from
let opened = 0; // games
const open = async (draft = null) => {
    const id = byId("game").value;
    const number = ++opened;
    const {text, keeps} = await ask(`/api/rules?id=${encodeURIComponent(id)}`);
    if (number !== opened) return; // another one was chosen since
    Object.assign(at, {group: "", firings: 0, rule: "", state: "", breaks: new Set()});
    base = id;
    setting("rules", id);
    byId("keep").disabled = !keeps;
    byId("kept").textContent = keeps ? "" : "croupier serve --rules FOLDER keeps rules of your own";
    told = null;
    given = text;
    editor.text = draft?.game === id && draft.text !== draft.given ? draft.text : text;
    byId("editor").scrollTop = 0;
    await look();
};
const keep = async (replace) => {
    try {
        const {id} = await ask("/api/rules/keep", {game: byId("game").value, text: editor.text, name: byId("name").value.trim(), replace});
        byId("kept").replaceChildren("Kept. ", make("a", {href: "/"}, "Play it"), ", or ",
            make("a", {href: `/runs?game=${encodeURIComponent(base)}&other=${encodeURIComponent(id)}`}, `compare it with ${base}`), ".");
        tell(byId("wrong"), "");
    } catch (error) {
        if (error.status === 409 && !replace) {
            byId("kept").replaceChildren(`${error.message} `, make("button", {type: "button", onclick: () => keep(true)}, "Replace it"));
            return;
        }
        tell(byId("wrong"), error.message);
    }
};
byId("keep").addEventListener("click", () => keep(false));
byId("game").addEventListener("change", () => open().catch((error) => tell(byId("wrong"), error.message)));
try {
    const {games} = await ask("/api/games");
    byId("game").replaceChildren(...games.map(({id}) => make("option", {value: id}, id.replace(/^own\//, ""))));
    const wanted = new URLSearchParams(location.search).get("id") ?? setting("rules") ?? "belote";
    if (games.some(({id}) => id === wanted)) byId("game").value = wanted;
    await open(history.state);
} catch (error) {
    tell(byId("wrong"), error.message);
}
