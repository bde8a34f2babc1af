// The list of runs, and the form that starts one.
import {ask, byId, make, setting, tell} from "/assets/common.js";

const states = {running: "running", elsewhere: "running elsewhere", stopped: "stopped", complete: "complete", failed: "could not begin"};
const kinds = {run: "tournament", compare: "comparison", ablate: "ablation", sweep: "sweep", tune: "tuning", "": "about to begin"};

const row = (run) => {
    const watched = run.kind === "run" || run.state !== "complete";
    const address = `/run/${encodeURIComponent(run.name)}`;
    const begun = run.started ? new Date(run.started) : null;
    return make("tr", {}, make("th", {scope: "row"},
        make("a", {href: watched ? address : `${address}/report`}, run.name),
        make("span", {class: "small"}, ` ${kinds[run.kind]}`)),
    make("td", {}, run.game ?? ""), make("td", {}, (run.agents ?? []).join(", ")),
    make("td", {}, begun && !Number.isNaN(begun.getTime()) ? begun.toLocaleString([], {dateStyle: "short", timeStyle: "short"}) : ""),
    make("td", {class: `state ${run.state}`}, states[run.state] ?? run.state));
};
let listed = "";
const showList = async () => {
    const {runs} = await ask("/api/runs");
    // A link that is replaced during a touch takes no click.
    if (listed === JSON.stringify(runs)) return;
    listed = JSON.stringify(runs);
    byId("none").hidden = runs.length > 0;
    byId("list").hidden = runs.length === 0;
    byId("list").tBodies[0].replaceChildren(...runs.map(row));
};

// ---- the form ----
const kind = () => byId("form").elements.kind.value;
const showKind = () => {
    for (const field of document.querySelectorAll("[data-of]")) field.hidden = !field.dataset.of.split(" ").includes(kind());
    byId("agents").rows = kind() === "ablate" ? 1 : 3;
};
const agentsOf = {}; // by game, in the server's form
const suggest = async () => {
    const game = byId("game").value;
    if (!agentsOf[game]) agentsOf[game] = (await ask(`/api/game?id=${encodeURIComponent(game)}`)).agents;
    if (byId("game").value !== game || byId("agents").dataset.typed || document.activeElement === byId("agents")) return;
    const known = agentsOf[game];
    byId("agents").value = kind() === "ablate" ? known.find((agent) => agent.startsWith("rules:")) ?? ""
        : kind() === "compare" ? "random" : [...new Set([known[0], "random"])].join("\n");
};
const start = async (event) => {
    event.preventDefault();
    byId("start").disabled = true;
    const value = (id) => byId(id).closest("[data-of]")?.hidden ? "" : byId(id).value.trim();
    try {
        const {name} = await ask("/api/runs", {kind: kind(), game: value("game"), other: value("other"), games: value("games"),
            agents: byId("agents").value.split("\n").map((agent) => agent.trim()).filter((agent) => agent), sprt: value("sprt"),
            schedule: value("schedule"), seed: value("seed"), threads: Number(value("threads")) || 0});
        location.assign(`/run/${name}`);
    } catch (error) {
        tell(byId("wrong"), error.message);
    }
    byId("start").disabled = false;
};

byId("form").addEventListener("submit", start);
byId("agents").addEventListener("input", () => { byId("agents").dataset.typed = "1"; });
for (const choice of document.querySelectorAll("[name=kind]"))
    choice.addEventListener("change", () => { showKind(); suggest().catch(() => {}); });
showKind();
try {
    const {games} = await ask("/api/games");
    for (const id of ["game", "other"])
        byId(id).replaceChildren(...games.map((game) => make("option", {value: game.id}, game.id.replace(/^own\//, ""))));
    const wanted = new URLSearchParams(location.search);
    const last = wanted.get("game") ?? setting("game") ?? "belote";
    if (games.some((game) => game.id === last)) byId("game").value = last;
    if (wanted.get("other")) {
        byId("form").elements.kind.value = "compare";
        byId("other").value = wanted.get("other");
        showKind();
    }
    byId("game").addEventListener("change", () => suggest().catch(() => {}));
    await showList();
    await suggest();
} catch (error) {
    tell(byId("wrong"), error.message);
}
setInterval(() => { if (!document.hidden) showList().catch(() => {}); }, 3000);
