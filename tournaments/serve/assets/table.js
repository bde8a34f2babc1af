// The table: keeps the page in the server's state, and turns clicks into moves.
import {ask, byId, cardWords, make, moveLabel, plain, remember, setting, suitSign, tell} from "/assets/common.js";
import {seatRecord, witness} from "/assets/fair.js";
import {canBeClicked, drawnFrom, drawScene} from "/assets/scene.js";

const chair = location.pathname.split("/")[2];
const api = (what) => `/api/table/${chair}${what ? "/" + what : ""}`;
let shown = null;    // the state on the page
let waiting = [];    // later states
let timer = 0;       // until the next of them is shown
let hinted = null;   // a move
let picked = null;   // a cell where a move begins
let asking = "";     // the position for which a move was sent
let streamed = 0;    // number of states from the stream

// ---- texts ----
const nameOf = (seat) => shown.seats[seat].name;
const isMine = (seat) => shown.seats[seat].who === "me";
const doer = (seat) => isMine(seat) && shown.seats.filter(({who}) => who === "me").length === 1 ? "You" : nameOf(seat);
const moveWords = (made) => made.name === "" ? "a secret move" : made.card ? cardWords(made.card) : moveLabel(made);

const resultText = (end) => {
    const mine = end.results.filter(({seat}) => isMine(seat));
    if (mine.length !== 1 || mine[0].place === undefined) return end.text + ".";
    const firsts = end.results.filter(({place}) => place === 1).length;
    if (mine[0].place !== 1) return `${end.text}: you have lost.`;
    return firsts === end.results.length ? `${end.text}: a draw.` : `${end.text}: you have won.`;
};
const statusText = () => {
    if (shown.end) return resultText(shown.end);
    const dealt = shown.shares?.dealt ?? true;
    const empty = shown.open.find(({seat}) => !dealt || seat === shown.turn);
    if (empty) return `Waiting for a person to take seat ${nameOf(empty.seat)}.`;
    if (!dealt) return "The cards are dealt once the pages of all players have given their shares of the deal.";
    if (shown.away && isMine(shown.turn)) return `${shown.away} plays for you.`;
    if (!shown.moves)
        return shown.seats[shown.turn].agent ? `${nameOf(shown.turn)} is thinking.` : `${nameOf(shown.turn)} is to move.`;
    const who = doer(shown.turn) === "You" ? "Your turn" : `Your turn, as ${nameOf(shown.turn)}`;
    if (picked) return `${who}: from ${picked} to where?`;
    if (shown.moves.every(({card}) => card)) return `${who}: play a card.`;
    const from = drawnFrom(shown);
    if (from) return `${who}: draw a card from ${from.name}.`;
    return `${who}.`;
};
const newsText = (before) => {
    if (!before || before.deal !== shown.deal || shown.ply < before.ply) return "";
    const fresh = shown.made.slice(Math.max(0, shown.made.length - (shown.ply - before.ply)));
    if (fresh.length === 0) return byId("news").textContent;
    const came = newCards(before);
    return fresh.slice(-8).map((made) => `${doer(made.seat)}: ${moveWords(made)}`).join(", ")
        + (came.length ? `. New in your hand: ${came.map(cardWords).join(", ")}` : "");
};
// New cards in my own hands since the state before.
const handCards = (state) => state.scene.piles.filter(({hand, cards}) => cards && hand !== undefined
    && state.seats[hand].who === "me").flatMap(({cards}) => cards);
const newCards = (before) => {
    const had = new Set(handCards(before).map(({name}) => name));
    const drew = shown.viewer === before.viewer && had.size > 0;
    return drew ? handCards(shown).filter(({name}) => !had.has(name)) : [];
};

// ---- states, in order ----
// A full trick is removed together with the card that fills it: show it for a moment before that.
const trickOf = (state) => state.scene.piles.find(({cards, hand}) => hand === undefined && cards?.some(({by}) => by));
const fullTrick = (before, after) => {
    if (!before || before.deal !== after.deal || after.ply <= before.ply || before.scene.boards.length) return null;
    let cards = [...(trickOf(before)?.cards ?? [])];
    let full = null;
    for (const made of after.made.slice(-(after.ply - before.ply))) {
        if (!made.card) continue;
        cards.push({...made.card, by: before.seats[made.seat].name});
        if (cards.length < before.seats.length) continue;
        full = cards;
        cards = [];
    }
    if (!full || (trickOf(after)?.cards.length ?? 0) >= before.seats.length) return null;
    const piles = before.scene.piles.filter((pile) => pile !== trickOf(before));
    const played = new Set(full.map(({name}) => name));
    const left = piles.map((pile) => pile.cards && pile.hand !== undefined
        ? {...pile, cards: pile.cards.filter(({name}) => !played.has(name))} : pile);
    return {...before, turn: null, moves: undefined,
        scene: {...before.scene, piles: [...left, {name: trickOf(before)?.name ?? "trick", cards: full}]}};
};
const showNext = () => {
    timer = 0;
    if (waiting.length === 0) return;
    // A late viewer, for example after a change of tabs, is not shown all missed states.
    if (waiting.length > 4) waiting = waiting.slice(-1);
    const next = waiting.shift();
    const full = fullTrick(shown, next);
    if (full) {
        drawScene(byId("scene"), full, {});
        byId("status").textContent = "The trick is full.";
        waiting.unshift(next);
        shown = {...next, held: true, before: shown};
        timer = setTimeout(() => { timer = 0; const {before} = shown; shown = before; waiting.shift(); show(next); showNext(); },
            next.pace === 0 ? 700 : 1300);
        return;
    }
    show(next);
    if (waiting.length) timer = setTimeout(showNext, 60);
};
const receive = (state) => {
    if (shown?.version === state.version && !shown.held) return;
    if (waiting.some(({version}) => version === state.version)) return;
    witness(state, chair);
    waiting.push(state);
    if (!timer) showNext();
};

const show = (state) => {
    const before = shown;
    shown = state;
    if (!before || before.ply !== state.ply || before.deal !== state.deal) {
        picked = hinted = null;
        tell(byId("said"), "");
    }
    document.title = `${state.moves ? "● " : ""}${state.title} – croupier`;
    byId("title").textContent = state.title;
    byId("deal").textContent = state.deal > 1 ? `Deal ${state.deal}` : "";
    byId("news").textContent = newsText(before);
    draw(before);
};

// ---- drawing ----
const draw = (before = shown) => {
    byId("status").textContent = statusText();
    const fresh = before && before !== shown && before.deal === shown.deal ? new Set(newCards(before).map(({name}) => name)) : new Set();
    drawScene(byId("scene"), shown, {fresh, hinted, picked, play: playNamed, refuse: explain, cell: clickCell});
    drawMoves();
    drawEnd();
    drawOpen();
    const facts = shown.scene.facts;
    byId("facts-box").hidden = facts.length === 0 || shown.scene.boards.length + shown.scene.piles.length === 0;
    byId("facts").replaceChildren(...facts.map((fact) => make("div", {},
        make("dt", {}, plain(fact.name)),
        make("dd", {}, fact.suit ? suitSign(fact.suit) : fact.text))));
    const first = shown.ply - shown.made.length;
    byId("made").start = first + 1;
    byId("made").replaceChildren(...shown.made.map((made) =>
        make("li", {}, make("b", {}, nameOf(made.seat)), ` ${made.name === "" ? "a secret move" : moveLabel(made)}`)));
    const act = (name) => document.querySelector(`[data-act=${name}]`);
    act("hint").hidden = act("why").hidden = !shown.moves;
    act("undo").hidden = act("redo").hidden = shown.hides || shown.viewer === undefined;
    act("undo").disabled = !shown.undo;
    act("undo").title = shown.no_undo ?? "";
    act("redo").disabled = !shown.redo;
    act("new").hidden = act("same").hidden = act("shift").hidden = !shown.again;
    if (shown.shares) act("same").hidden = act("shift").hidden = true; // all know the shares
    act("resign").hidden = Boolean(shown.end) || shown.viewer === undefined || shown.shares?.dealt === false;
    act("leave").hidden = act("resign").hidden || Boolean(shown.away);
    act("back").hidden = Boolean(shown.end) || !shown.away;
    drawThinking();
    byId("record").hidden = !shown.record;
    byId("record").href = api("record");
    act("proof").hidden = !shown.record || !shown.shares;
    byId("pace").value = String(shown.pace);
    byId("advisers").replaceChildren(...shown.advisers.map((agent) => make("option", {value: agent})));
    const seed = shown.seed === undefined ? "" : `Seed ${shown.seed}. `;
    byId("kept").textContent = seed + (shown.not_kept ? "This game cannot be written to its file."
        : shown.record ? "" : "Its record is available when the game is over.");
};

// An agent that takes long can be told to move at once.
let thinks = {at: "", since: 0};
const drawThinking = () => {
    const at = shown.hurry && !shown.held ? `${shown.deal}.${shown.ply}` : "";
    if (thinks.at !== at) thinks = {at, since: Date.now()};
    const seconds = Math.floor((Date.now() - thinks.since) / 1000);
    const button = document.querySelector("[data-act=hurry]");
    button.hidden = !at || seconds < 2;
    button.textContent = `Play now (${seconds} s)`;
    byId("actions").hidden = [...byId("actions").children].every(({hidden}) => hidden);
};
setInterval(() => { if (shown) drawThinking(); }, 1000);

const moveButton = (move) => make("button", {type: "button", "data-move": move.name,
    class: [move.card && (move.card.suit === "H" || move.card.suit === "D") ? "red" : "", hinted === move.name ? "hinted" : ""].join(" ").trim() || null,
    onclick: () => playNamed(move.name)}, ...(move.card
    ? [make("span", {"aria-hidden": "true"}, moveLabel(move)), make("span", {class: "heard"}, cardWords(move.card))]
    : [moveLabel(move)]));
const kManyMoves = 24;
const drawMoves = () => {
    const box = byId("moves-box");
    box.hidden = !shown.moves;
    if (!shown.moves) return byId("moves").replaceChildren();
    const many = shown.moves.length > kManyMoves;
    byId("filter-field").hidden = !many;
    const wanted = many ? byId("filter").value.trim().toLowerCase() : "";
    const found = shown.moves.filter((move) => move.name.toLowerCase().startsWith(wanted)
        || moveLabel(move).toLowerCase().startsWith(wanted));
    const some = found.slice(0, many ? 48 : found.length);
    // Hide moves that can be made on the table itself.
    const onTable = shown.moves.every(({name}) => canBeClicked(shown, name));
    const title = onTable ? "Moves as a list" : "Your moves";
    if (byId("moves-title").textContent !== title) {
        byId("moves-title").textContent = title;
        box.open = !onTable;
    }
    const focused = document.activeElement?.dataset?.move;
    byId("moves").replaceChildren(...some.map(moveButton),
        ...(some.length < found.length ? [make("span", {class: "small"}, `and ${found.length - some.length} more`)] : []));
    if (focused) [...byId("moves").children].find((button) => button.dataset.move === focused)?.focus();
};

const drawEnd = () => {
    const box = byId("end");
    box.hidden = !shown.end;
    if (!shown.end) return box.replaceChildren();
    const scored = shown.end.results.some(({score}) => score !== undefined);
    const placed = shown.end.results.some(({place}) => place !== undefined);
    const rows = shown.end.results.map(({seat, place, score, role}) => make("tr", {class: isMine(seat) ? "me" : null},
        make("th", {scope: "row"}, nameOf(seat) + (role ? ` (${role})` : "")),
        scored ? make("td", {}, String(Number((score ?? 0).toFixed(2)))) : null,
        placed ? make("td", {}, String(place)) : null));
    box.replaceChildren(make("h2", {}, shown.end.text),
        ...(placed || scored ? [make("table", {}, make("thead", {}, make("tr", {}, make("th", {scope: "col"}, "Player"),
            scored ? make("th", {scope: "col"}, "Points") : null, placed ? make("th", {scope: "col"}, "Place") : null)),
        make("tbody", {}, ...rows))] : []),
        make("div", {class: "actions"}, ...(shown.again ? [
            make("button", {type: "button", class: "main", onclick: () => act("new")}, "New deal"),
            shown.shares ? null : make("button", {type: "button", onclick: () => act("shift")}, "Same deal, one seat on")] : []).filter(Boolean)));
};

// The creator of the table passes these links on.
const drawOpen = () => {
    const links = shown.open.filter(({code}) => code);
    byId("open").hidden = links.length === 0;
    byId("open").replaceChildren(make("h2", {}, "Seats for others"),
        make("p", {class: "small"}, "Each address gives one seat, to the first person to take it. Open it in another window, or pass it on."),
        ...links.map(({seat, code}) => make("p", {}, `Seat ${nameOf(seat)}: `,
            make("a", {href: `/join/${code}`, target: "_blank", rel: "noopener"}, `${location.origin}/join/${code}`))));
};

// ---- actions ----
const say = (title, lines, wrong = false) => {
    const box = byId("said");
    box.replaceChildren(make("h2", {}, title), ...(lines.length ? [make("pre", {tabindex: 0}, lines.join("\n"))] : []));
    box.classList.toggle("wrong", wrong);
    box.hidden = false;
    box.scrollIntoView({block: "nearest"});
};
const post = async (what, body) => {
    try {
        return await ask(api(what), body);
    } catch (error) {
        if (error.status !== 409) say(error.message, [], true);
        return null;
    }
};
const playNamed = async (name) => {
    // News of a move may come before the answer to it: then the next move can be made.
    const at = `${shown.deal}.${shown.ply}`;
    if (asking === at || !shown.moves || shown.held) return;
    asking = at;
    document.body.classList.add("asking");
    const done = await post("move", {ply: shown.ply, move: name});
    if (asking === at) {
        asking = "";
        document.body.classList.remove("asking");
    }
    if (!done) refresh();
};
const explain = async (name, label) => {
    if (!shown.moves) return;
    const told = await post("why", {move: name});
    if (told) say(`${label} cannot be played now`, told.lines);
};

// Moves that name a cell, or one cell and then another ("Kd1e2").
const choose = (moves) => {
    if (moves.length === 1) return playNamed(moves[0].name);
    const dialog = byId("which");
    dialog.querySelector(".moves").replaceChildren(...moves.map((move) => make("button", {type: "button",
        onclick: () => { dialog.close(); playNamed(move.name); }}, moveLabel(move))));
    dialog.showModal();
};
const clickCell = (cell, choices) => {
    if (!shown.moves || shown.held) return;
    if (picked) {
        const from = picked;
        picked = null;
        const moves = choices.pairs.get(from)?.get(cell);
        if (moves) return choose(moves);
        if (from === cell) return draw();
    }
    if (choices.cells.has(cell)) return choose(choices.cells.get(cell));
    if (choices.pairs.has(cell)) {
        picked = cell;
        return draw();
    }
    draw();
    if (choices.single) explain(cell, cell);
    else say(`Nothing can be done with ${cell} now`, []);
};

let sure = 0;
const act = async (what) => {
    const button = document.querySelector(`[data-act=${what}]`);
    if (what === "hint") {
        button.disabled = true;
        const told = await post("hint", {ply: shown.ply, agent: byId("adviser").value.trim()});
        button.disabled = false;
        if (!told) return;
        hinted = told.move ?? null;
        draw();
        const move = shown.moves?.find(({name}) => name === told.move);
        say(told.resigns ? `${told.agent} would resign` : `${told.agent} would play ${move?.card ? cardWords(move.card) : moveLabel(move ?? {name: told.move})}`,
            told.reasons);
    } else if (what === "why") {
        const told = await post("why", {move: ""});
        if (told) say("The rules that make these moves legal", told.lines);
    } else if (what === "new" || what === "same" || what === "shift") {
        await post("again", {same_deal: what !== "new", on: what === "shift" ? 1 : 0});
    } else if (what === "resign") {
        // A second click confirms.
        if (Date.now() - sure > 4000) {
            sure = Date.now();
            button.textContent = "Really resign?";
            setTimeout(() => { button.textContent = "Resign"; }, 4000);
            return;
        }
        sure = 0;
        button.textContent = "Resign";
        await post("resign", {});
    } else if (what === "proof") {
        const answer = await fetch(api("record"));
        const record = answer.ok ? seatRecord(shown, await answer.text()) : null;
        if (!record) return say("This browser has not seen the deal from its beginning.", [], true);
        const link = make("a", {href: URL.createObjectURL(new Blob([record])), download: "seat.jsonl"});
        link.click();
        URL.revokeObjectURL(link.href);
        say("croupier replay --check seat.jsonl", ["checks that nobody chose the deal, and that what this page", "was shown follows from it"]);
    } else if (what === "leave") {
        await post("leave", {agent: byId("adviser").value.trim()});
    } else {
        await post(what, {});
    }
};
for (const button of document.querySelectorAll("[data-act]"))
    button.addEventListener("click", () => act(button.dataset.act));
byId("which").querySelector(".close").addEventListener("click", () => byId("which").close());
byId("filter").addEventListener("input", drawMoves);
byId("pace").addEventListener("change", () => { setting("pace", byId("pace").value); post("pace", {ms: Number(byId("pace").value)}); });
byId("adviser").value = setting("adviser") ?? "";
byId("adviser").addEventListener("change", () => setting("adviser", byId("adviser").value.trim()));
const still = () => document.documentElement.classList.toggle("still", !byId("motion").checked);
byId("motion").checked = setting("motion") !== "off";
byId("motion").addEventListener("change", () => { setting("motion", byId("motion").checked ? "on" : "off"); still(); });
still();
// A click ends the display of a full trick.
byId("scene").addEventListener("click", () => {
    if (!shown?.held) return;
    clearTimeout(timer);
    timer = 0;
    const next = waiting.shift();
    shown = shown.before;
    show(next);
    showNext();
});

// ---- news from the server ----
const refresh = async () => {
    const before = streamed;
    try {
        const state = await ask(api(""));
        if (streamed === before) receive(state); // otherwise it may be older than the state on the page
    } catch (error) {
        byId("status").textContent = error.message;
        if (error.status === 404) events?.close();
    }
};
// A browser opens few connections to one server: a hidden page keeps none.
let events = null;
const listen = () => {
    events?.close();
    events = null;
    if (document.hidden) return;
    events = new EventSource(api("events"));
    events.onmessage = (message) => {
        ++streamed;
        receive(JSON.parse(message.data));
    };
    events.onerror = () => {
        if (events.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
        if (shown) byId("status").textContent = "The connection is lost. Trying again.";
    };
    events.onopen = () => { if (shown && !shown.held) byId("status").textContent = statusText(); };
};
document.addEventListener("visibilitychange", listen);
// It still has its seat.
setInterval(() => { if (document.hidden && shown && !shown.end) ask(api("here"), {}).catch(() => {}); }, 20000);
try {
    receive(await ask(api("")));
    remember(chair, shown.title);
    listen();
} catch (error) {
    byId("status").textContent = error.message;
}
