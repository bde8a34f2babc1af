// A run in progress: the server sends news whenever something was written.
import {ask, byId, make, tell} from "/assets/common.js";
import {courseChart} from "/assets/chart.js";

const name = location.pathname.split("/")[2]; // as in addresses
const none = "\u2013";
const states = {running: "Running", elsewhere: "Running elsewhere", stopped: "Stopped; the games played count, and Resume continues",
    complete: "Complete", failed: "It could not be started"};
const number = (value, digits) => value === null || value === undefined ? none : value.toFixed(digits).replace(/^-(0\.?0*)$/, "$1");
const percent = (rate) => rate.value === null ? none : `${number(100 * rate.value, 1)} %`;
const range = (of, times, digits) => of.low === null && of.high === null ? ""
    : `${of.low === null ? "" : number(times * of.low, digits)} to ${of.high === null ? "" : number(times * of.high, digits)}`;
const tableOf = (heads, rows) => make("table", {class: "list"},
    make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", {scope: "col"}, head)))),
    make("tbody", {}, ...rows.map(([first, ...cells]) => make("tr", {}, make("th", {scope: "row"}, first),
        ...cells.map((cell) => cell instanceof HTMLTableCellElement ? cell : make("td", {}, cell))))));

// ---- speed: the games of the last ten seconds ----
const seen = []; // [time, games]
const speed = (games) => {
    const now = performance.now();
    if (seen.length === 0 || seen.at(-1)[1] !== games) seen.push([now, games]);
    while (seen.length > 2 && now - seen[0][0] > 10000) seen.shift();
    const [[from, first], [to, last]] = [seen[0], seen.at(-1)];
    return to - from > 500 && last > first ? 1000 * (last - first) / (to - from) : null;
};

const showProgress = ({progress, run}) => {
    const report = run.report ?? run.answer; // of a run, of a comparison
    const perBlock = report?.blocks ? report.games / report.blocks : 0;
    const games = Math.max(Math.round(progress.blocks * perBlock), report?.games ?? 0);
    byId("status").textContent = states[progress.state] ?? progress.state;
    document.body.dataset.state = progress.state;
    document.body.dataset.games = report?.games ?? 0;
    byId("bar").hidden = !run.planned;
    if (run.planned) byId("bar").value = games / run.planned;
    const live = progress.state === "running" || progress.state === "elsewhere";
    const rate = live ? speed(games) : null;
    const left = rate && run.planned ? Math.round((run.planned - games) / rate) : null;
    byId("rate").textContent = report
        ? [`${games} ${run.planned ? `of ${run.planned} ` : ""}games`, rate && `${Math.round(rate)} games a second`,
            left !== null && left > 0 && `${left} s left`].filter((part) => part).join(" \u00b7 ") : "";
    byId("stop").hidden = !progress.here;
    byId("resume").hidden = progress.state !== "stopped";
    byId("report").href = `/run/${name}/report`;
    byId("report").hidden = !run.report && progress.state !== "complete";
    byId("said").hidden = !progress.said;
    byId("said").textContent = progress.said ?? "";
};

// Draws the interval between 0 and 1.
const intervalBar = (score) => {
    if (score.low === null || score.value === null) return make("td", {});
    const bar = make("span", {class: "interval", "aria-hidden": "true"}, make("i", {}), make("b", {}));
    for (const key of ["low", "high", "value"]) bar.style.setProperty(`--${key}`, score[key]);
    return make("td", {}, bar);
};
const eloText = ({elo}) => elo.value !== null ? `${number(elo.value, 1)} (${range(elo, 1, 1)})`
    : elo.low !== null ? `at least ${number(elo.low, 1)}` : elo.high !== null ? `at most ${number(elo.high, 1)}` : none;
const showStandings = ({contestants = [], meetings = []}) => {
    byId("standings").hidden = contestants.length === 0;
    byId("standings").querySelector("div").replaceChildren(
        tableOf(["Agent", "Games", "Won", "95 %", "Score", "95 %", "0 to 1"], contestants.map((one) => [one.name, String(one.games),
            percent(one.win_rate), range(one.win_rate, 100, 1), number(one.score.value, 3), range(one.score, 1, 3), intervalBar(one.score)])),
        ...(meetings.length ? [tableOf(["Meeting", "Games", "Elo (95 %)", "Stronger"], meetings.slice(0, 40).map((one) =>
            [`${one.first} against ${one.second}`, String(one.games), eloText(one), one.los === null ? none : `${number(100 * one.los, 1)} %`]))] : []));
};

// ---- a comparison, an ablation, a sweep: what differs, and how sure that is ----
const shares = new Set(["win", "draws", "forced", "aborted", "unfinished", "fault", "win_rate", "settled", "comebacks", "seats", "roles", "skill"]);
const marks = {higher: " +", lower: " -", equivalent: " ="};
const showPoints = (answer) => {
    const columns = answer.metrics.map((metric, at) => ({...metric, at})).filter(({of, at}) => of === null || at < answer.sought.length).slice(0, 8);
    const value = (cell) => cell.value.value === null ? none
        : shares.has(cell.metric) ? `${number(100 * cell.value.value, 1)} %` : number(cell.value.value, 2);
    byId("verdicts").hidden = false;
    byId("verdicts").querySelector("p").textContent = `+, - and =: surely higher, lower or equivalent to point 1. `
        + (answer.interrupted ? `After ${answer.games} games so far.` : `After all ${answer.games} games.`);
    byId("verdicts").querySelector("div").replaceChildren(tableOf(
        ["Point", ...answer.factors.map((factor) => factor.name), "Sought", ...columns.map(({metric, of}) => of ? `${metric}, ${of}` : metric)],
        answer.points.map((point) => [String(point.point), ...answer.factors.map((factor) => point.values[factor.name]),
            point.given_up ? "given up" : point.among_best ? "best" : "",
            ...columns.map(({at}) => value(point.metrics[at]) + (marks[point.metrics[at].verdict] ?? ""))])));
    byId("title").textContent = `${name}: a sweep of ${answer.game}`;
    document.title = `${name} - croupier`;
};
const showVerdicts = (answer) => {
    const compares = answer.metrics !== undefined;
    const rows = (compares ? answer.metrics : answer.rules).map((row) => {
        const [times, digits, sign] = !compares || shares.has(row.metric) ? [100, 1, " %"] : [1, 2, ""];
        const value = ({value}) => value === null ? none : number(times * value, digits) + sign;
        const difference = compares ? row.difference : row.win_rate;
        const verdict = row.verdict === "undecided" && row.games_to_decide
            ? `undecided; about ${Math.round(row.games_to_decide)} games would tell` : row.verdict;
        return [...(compares ? [row.of ? `${row.metric}, ${row.of}` : row.metric, value(row.a), value(row.b)] : [`${row.group}.${row.rule}`]),
            value(difference), range(difference, times, digits), verdict];
    });
    byId("verdicts").hidden = false;
    byId("verdicts").querySelector("p").textContent = (compares ? `A is ${answer.a}, B is ${answer.b}. ` : `What each rule of ${answer.agent} is worth. `)
        + (answer.interrupted ? `After ${answer.games} games so far.` : `After all ${answer.games} games.`);
    byId("verdicts").querySelector("div").replaceChildren(tableOf(
        compares ? ["Metric", "A", "B", "B - A", "95 %", "Verdict"] : ["Rule", "Games won by it", "95 %", "Verdict"], rows));
    byId("title").textContent = `${name}: ${compares ? `${answer.a} and ${answer.b}` : `the rules of ${answer.agent}`}`;
    document.title = `${name} - croupier`;
};

const showCosts = (rules) => {
    byId("costs").hidden = rules.length === 0;
    const most = Math.max(1e-12, ...rules.map(({share}) => share ?? 0));
    byId("costs").querySelector("div").replaceChildren(tableOf(["Rule", "Whose", "Of the time", "Tried", "Matched", "Fired"],
        rules.map((rule) => {
            const heat = make("td", {class: "heat"}, rule.share === null ? none : `${number(100 * rule.share, 1)} %`);
            heat.style.setProperty("--heat", (rule.share ?? 0) / most);
            return [rule.name, rule.owner, heat, String(rule.tried), String(rule.passed), String(rule.firings)];
        })));
};

const show = (news) => {
    const {run} = news;
    showProgress(news);
    if (run.answer) (run.answer.kind === "sweep" ? showPoints : showVerdicts)(run.answer);
    if (!run.report) return;
    byId("title").textContent = `${run.name}: ${run.game}`;
    document.title = `${run.name} - croupier`;
    showStandings(run.report);
    byId("courses").hidden = run.courses.length === 0;
    byId("courses").querySelector("div").replaceChildren(...run.courses.map(courseChart));
    showCosts(run.costs);
    const facts = ["agents", "seed", "started", "machine", "program", "command", "warning"].filter((key) => run[key]);
    byId("facts").replaceChildren(...facts.map((key) => make("div", {}, make("dt", {}, key.charAt(0).toUpperCase() + key.slice(1)),
        make("dd", {}, Array.isArray(run[key]) ? run[key].join(", ") : String(run[key])))));
};

// ---- games, to look at from any ply ----
let from = 0;
const showGames = async () => {
    const told = await ask(`/api/runs/${name}/games?from=${from}`);
    byId("games").querySelector(".scrolls").replaceChildren(tableOf(["Game", ...told.players, "Moves", "End"],
        told.games.map((game) => [make("a", {href: `/run/${name}/report?game=${game.id}#games`}, game.id),
            ...game.seats.map(([agent, place]) => `${agent}${place ? ` (${place}.)` : ""}`), String(game.plies), game.end])));
    byId("earlier").disabled = from === 0;
    byId("later").disabled = !told.more;
};
const askGames = (first) => {
    from = Math.max(0, first);
    showGames().catch((error) => tell(byId("wrong"), error.message));
};
byId("games").addEventListener("toggle", () => { if (byId("games").open) askGames(from); });
byId("earlier").addEventListener("click", () => askGames(from - 50));
byId("later").addEventListener("click", () => askGames(from + 50));

for (const what of ["stop", "resume"])
    byId(what).addEventListener("click", async () => {
        byId(what).disabled = true;
        await ask(`/api/runs/${name}/${what}`, {}).then(() => tell(byId("wrong"), ""), (error) => tell(byId("wrong"), error.message));
        byId(what).disabled = false;
    });

const news = new EventSource(`/api/runs/${name}/events`);
news.onmessage = ({data}) => show(JSON.parse(data));
news.onerror = () => {
    byId("status").textContent = news.readyState === EventSource.CLOSED ? "There is no such run." : "croupier serve does not answer.";
};
window.addEventListener("pagehide", () => news.close());
