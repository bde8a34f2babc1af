// Draws a position of any game: boards, hands and tricks as on a table. Cards and cells that can make a move are
// buttons; illegal ones are buttons as well, and explain why.
import {cardWords, isRed, make, plain, suitSign} from "/assets/common.js";

// ---- cards ----
const face = (card) => {
    // A pip in the middle shows the suit; other cards show a word.
    const sign = card.suit ? suitSign(card.suit) : "";
    return [make("span", {class: "rank", "aria-hidden": "true"}, card.rank), sign ? make("span", {class: "pip", "aria-hidden": "true"}, sign) : null];
};
// Text for screen readers in place of what is seen.
const heard = (text) => make("span", {class: "heard"}, text);
const cardClass = (card, ...more) => ["playing", card.suit && isRed(card.suit) ? "red" : "",
    card.suit ? "" : card.rank.length > 3 ? "wordy" : "plain", ...more].filter(Boolean).join(" ");
let chosen = new Set(); // marked cards and cells
const cardElement = (card, ...more) =>
    make("span", {class: cardClass(card, chosen.has(card.name) ? "hinted" : "", ...more), role: "img", "aria-label": cardWords(card)}, ...face(card));
const back = () => make("span", {class: "back", "aria-hidden": "true"});

const hand = (pile, state, how, legal) => make("div", {class: "hand", role: "group", "aria-label": `Hand of ${pile.name}`},
    ...pile.cards.map((card) => {
        const can = legal.has(card.name);
        const classes = [can ? "legal" : "", how.hinted === card.name ? "hinted" : "", how.fresh?.has(card.name) ? "fresh" : ""];
        // If no card can be played, none is a button.
        if (legal.size === 0) return cardElement(card, ...classes);
        return make("button", {type: "button", class: cardClass(card, ...classes), "aria-disabled": can ? null : "true", "data-card": card.name,
            onclick: () => can ? how.play(card.name) : how.refuse(card.name, cardWords(card))},
        ...face(card), heard(cardWords(card) + (can ? "" : ", not legal now")));
    }));

// ---- seats ----
// The side of a player as seen by the viewer: 0 is the near side, then clockwise.
const sideOf = (seat, state) => {
    const players = state.seats.length;
    const from = (seat - (state.viewer ?? 0) + players) % players;
    if (from === 0) return "near";
    if (players === 2) return "far";
    if (players === 3) return from === 1 ? "left" : "right";
    return from === 1 ? "left" : from === players - 1 ? "right" : "far";
};
const who = (seat) => {
    const person = seat.who === "me" ? "you" : "a person";
    return seat.who === "agent" ? seat.agent : seat.agent ? `${seat.agent} for ${person}` : person;
};

// Backs of cards that a move draws from: one per move, which is its number.
const drawn = (pile, moves) => moves && pile.notes && pile.hidden === moves.length
    && moves.every(({name}) => /^\d+$/.test(name)) ? moves : null;

// The pile of the player to draw from, if drawing is the move to make.
export const drawnFrom = (state) => state.scene.piles.find((pile) => drawn(pile, state.moves));

const seatElement = (seat, index, piles, state, how) => {
    const kMostBacks = 14;
    const turn = state.turn === index;
    const parts = piles.map((pile) => {
        if (pile.cards) return make("div", {class: "open-cards"}, ...pile.cards.map((card) => cardElement(card, "small-card")));
        const moves = drawn(pile, state.moves);
        if (moves) return make("div", {class: "backs", role: "group", "aria-label": `Cards of ${seat.name} to draw from`},
            ...moves.map((move, place) => make("button", {type: "button", class: how.hinted === move.name ? "back hinted" : "back",
                "aria-label": `Card ${place + 1} of ${moves.length}`, "data-draw": move.name, onclick: () => how.play(move.name)})));
        if (pile.hidden === 0) return make("p", {class: "small"}, "no cards");
        if (pile.hidden === null) return make("span", {class: "small"}, "hidden cards");
        return make("div", {class: "backs", role: "img", "aria-label": `${pile.hidden} cards`},
            ...Array.from({length: Math.min(pile.hidden, kMostBacks)}, back),
            make("span", {class: "count", "aria-hidden": "true"}, String(pile.hidden)));
    });
    const notes = piles.flatMap((pile) => pile.notes ?? []).map((note) => make("span", {class: "note"}, plain(note)));
    return make("div", {class: `seat ${sideOf(index, state)}${turn ? " turn" : ""} player${index % 4}`},
        make("div", {class: "plate"}, make("b", {}, seat.name),
            make("span", {class: "who"}, who(seat)), seat.team ? make("span", {class: "who"}, `team ${seat.team}`) : null,
            ...notes, turn ? make("span", {class: "to-move"}, "to move") : null),
        ...parts);
};

// ---- the middle of the table ----
let lying = new Set(); // cards of the last trick drawn, which are not animated again
const trick = (pile, state) => make("div", {class: `trick of${state.seats.length}`, role: "group", "aria-label": plain(pile.name)},
    ...pile.cards.map((card) => {
        const seat = state.seats.findIndex(({name}) => name === card.by);
        const fresh = lying.has(card.name) ? "" : "put";
        return make("div", {class: `played ${seat < 0 ? "" : sideOf(seat, state)} ${fresh}`}, cardElement(card),
            make("span", {class: "by"}, card.by));
    }));
const heap = (pile) => {
    const kMany = 8;
    const label = make("span", {class: "pile-name"}, plain(pile.name));
    if (!pile.cards) return make("div", {class: "pile"}, label, make("span", {class: "backs"}, back(),
        pile.hidden === null ? null : make("span", {class: "count"}, String(pile.hidden))));
    const cards = pile.cards.map((card) => cardElement(card, "small-card"));
    if (cards.length <= kMany) return make("div", {class: "pile"}, label, make("div", {class: "open-cards"}, ...cards));
    return make("details", {class: "pile"}, make("summary", {}, `${plain(pile.name)}: ${cards.length} cards`),
        make("div", {class: "open-cards"}, ...cards));
};

// For a game with neither cards nor boards, shows its facts.
const plainFacts = (state) => make("dl", {class: "plain-facts"}, ...state.scene.facts.map((fact) => make("div", {},
    make("dt", {}, plain(fact.name)), make("dd", {}, fact.suit ? suitSign(fact.suit) : fact.text))));

// ---- boards ----
// Finds the cells that moves name; `single`: the name of a cell is a move.
const choicesOn = (boards, moves) => {
    const known = new Set(boards.flatMap((board) => board.columns.flatMap((column) =>
        Array.from({length: board.rows}, (_, row) => column + (row + 1)))));
    const cells = new Map(), pairs = new Map();
    let single = false;
    const put = (map, key, move) => map.has(key) ? map.get(key).push(move) : map.set(key, [move]);
    for (const move of moves ?? []) {
        const named = (move.name.match(/[a-z]+\d+/g) ?? []).filter((cell) => known.has(cell));
        if (named.length === 1) put(cells, named[0], move);
        if (named.length === 2) {
            if (!pairs.has(named[0])) pairs.set(named[0], new Map());
            put(pairs.get(named[0]), named[1], move);
        }
        single ||= named.length === 1 && named[0] === move.name;
    }
    return {cells, pairs, single};
};
let tabStop = null; // the cell with the keyboard focus
const boardElement = (board, state, how, choices, before) => {
    const last = new Set(state.made.at(-1)?.name.match(/[a-z]+\d+/g) ?? []);
    const width = board.columns.length;
    const pieces = new Map(board.pieces.map(([cell, sign, owner]) => [cell, {sign, owner}]));
    const grid = make("div", {class: `board ${board.look}${board.hex ? " hex" : ""}`, role: "group", "aria-label": `${plain(board.name)}; arrow keys move`});
    grid.style.setProperty("--columns", width);
    // Rows of hexagons are half a cell apart: a cell takes two of the grid's columns.
    if (board.hex) grid.style.setProperty("--halves", 2 * width + board.rows - 1);
    const put = (element, column, row) => {
        if (board.hex) element.style.gridColumn = `${2 * column + row + 1} / span 2`;
        grid.append(element);
    };
    const buttons = [];
    for (let row = board.rows; row >= 1; --row) {
        const number = make("span", {class: "coordinate", "aria-hidden": "true"}, String(row));
        if (board.hex) number.style.gridColumn = row;
        grid.append(number);
        for (let column = 0; column < width; ++column) {
            const name = board.columns[column] + row, place = (row - 1) * width + column;
            const piece = pieces.get(place);
            const can = choices.cells.has(name) || choices.pairs.has(name) || (how.picked && choices.pairs.get(how.picked)?.has(name));
            const target = how.picked && choices.pairs.get(how.picked)?.has(name);
            const hint = chosen.has(name) || how.hinted && how.hinted.match(/[a-z]+\d+/g)?.includes(name);
            const changed = before && before.get(name) !== (piece ? piece.sign + piece.owner : undefined);
            const chess = board.look === "chess";
            const sign = !piece || board.look === "stones" ? "" : piece.sign + (chess ? "\ufe0e" : ""); // as text
            const button = make("button", {type: "button", tabindex: "-1", "data-cell": name,
                class: ["cell", (column + row) % 2 ? "dark" : "light", can ? "legal" : "", target ? "target" : "", hint ? "hinted" : "",
                    how.picked === name ? "picked" : "", last.has(name) ? "just-made" : changed ? "changed" : ""].filter(Boolean).join(" "),
                "aria-label": name + (piece ? `, ${piece.sign}${chess ? ` of ${state.seats[piece.owner].name}` : ""}` : "") + (can ? ", legal" : ""),
                onclick: () => { tabStop = name; how.cell?.(name, choices); }},
            ...(piece ? [make("span", {class: `piece owner${piece.owner}`, "aria-hidden": "true"}, sign)] : []));
            buttons.push(button);
            put(button, column, row);
        }
    }
    grid.append(make("span", {}));
    board.columns.forEach((name, column) => put(make("span", {class: "coordinate under", "aria-hidden": "true"}, name), column, 1));
    const at = buttons.findIndex((button) => button.dataset.cell === tabStop);
    (buttons[at] ?? buttons.find((button) => button.classList.contains("legal")) ?? buttons[0]).tabIndex = 0;
    grid.addEventListener("keydown", (event) => {
        const step = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -width, ArrowDown: width}[event.key];
        const from = buttons.indexOf(event.target), to = from + step;
        if (!step || from < 0 || to < 0 || to >= buttons.length) return;
        if (Math.abs(step) === 1 && Math.floor(from / width) !== Math.floor(to / width)) return;
        event.preventDefault();
        buttons[from].tabIndex = -1;
        buttons[to].tabIndex = 0;
        tabStop = buttons[to].dataset.cell;
        buttons[to].focus();
    });
    return grid;
};

// Whether a move can be made by clicking on the table.
export const canBeClicked = (state, name) => {
    const {boards, piles} = state.scene;
    if (piles.some((pile) => pile.hand === state.viewer && pile.cards?.some((card) => card.name === name))) return true;
    if (drawnFrom(state)) return true;
    const {cells, pairs} = choicesOn(boards, state.moves.filter((move) => move.name === name));
    return cells.size + pairs.size > 0;
};

// ---- all of it ----
let piecesBefore = null; // by board and cell
export const drawScene = (place, state, how) => {
    chosen = how.chosen ?? new Set();
    const focus = document.activeElement;
    const key = place.contains(focus) ? ["card", "cell", "draw"].find((name) => focus.dataset[name]) : null;
    const value = key && focus.dataset[key];
    const {boards, piles} = state.scene;
    const legal = new Set((state.moves ?? []).filter(({card}) => card).map(({name}) => name));
    const choices = choicesOn(boards, state.moves);
    const cardGame = piles.length > 0;
    const nearHand = piles.filter(({hand, cards}) => hand !== undefined && hand === state.viewer && cards);
    const seats = state.seats.map((seat, index) => seatElement(seat, index,
        piles.filter((pile) => pile.hand === index && !nearHand.includes(pile)), state, how));
    const middle = piles.filter((pile) => pile.hand === undefined);
    const lies = middle.filter(({cards}) => cards?.some(({by}) => by));
    const rest = middle.filter((pile) => !lies.includes(pile) && (pile.cards?.length ?? 1) > 0);
    const now = new Map(boards.map((board) => [board.name, new Map(board.pieces.map(([cell, sign, owner]) =>
        [board.columns[cell % board.columns.length] + (Math.floor(cell / board.columns.length) + 1), sign + owner]))]));
    const notes = (pile) => pile.notes?.length ? [make("p", {class: "small"}, pile.notes.map(plain).join(", "))] : [];
    place.className = `scene ${cardGame ? "felt" : "boards"} look-${boards[0]?.look ?? "none"}`;
    place.replaceChildren(
        ...(cardGame ? ["left", "far", "right"].map((side) => make("div", {class: `side-${side}`},
            ...state.seats.flatMap((seat, index) => sideOf(index, state) === side ? [seats[index]] : [])))
            : [make("div", {class: "plates"}, ...seats)]),
        make("div", {class: "middle"},
            ...boards.map((board) => boardElement(board, state, how, choices, state.ply > 0 ? piecesBefore?.get(board.name) : null)),
            ...lies.map((pile) => trick(pile, state)),
            rest.length ? make("div", {class: lies.length ? "piles" : "piles large"}, ...rest.map(heap)) : null,
            ...(cardGame || boards.length ? [] : [plainFacts(state)])),
        ...(cardGame ? [make("div", {class: "side-near"},
            ...state.seats.flatMap((seat, index) => sideOf(index, state) === "near" ? [seats[index]] : []),
            ...nearHand.flatMap((pile) => [hand(pile, state, how, legal), ...notes(pile)]))] : []));
    if (how.play) piecesBefore = now;
    lying = new Set(lies.flatMap(({cards}) => cards.map(({name}) => name)));
    if (value) place.querySelector(`[data-${key}="${CSS.escape(value)}"]`)?.focus();
};
