// Shared by all pages: requests to the server, making elements, remembering tables. Text is only ever set as text, so
// that no name is parsed as markup.

export const byId = (id) => document.getElementById(id);

export const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value === undefined || value === null || value === false) continue;
        if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
        else element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
};

export class Refused extends Error {
    constructor(status, message) {
        super(message);
        this.status = status;
    }
}

let key; // the server's, which pages of other sites cannot read
// Posts if there is something to send.
export const ask = async (address, said) => {
    const post = async () => {
        key ??= (await (await fetch("/api/key")).json()).key;
        return fetch(address, {method: "POST", body: JSON.stringify(said),
            headers: {"Content-Type": "application/json", "X-Croupier-Key": key}});
    };
    let answer;
    try {
        answer = await (said === undefined ? fetch(address) : post());
        if (said !== undefined && answer.status === 403) { // a restarted server has another key
            key = undefined;
            answer = await post();
        }
    } catch {
        throw new Refused(0, "croupier serve does not answer. Is it still running?");
    }
    const told = await answer.json().catch(() => ({error: "The answer cannot be read."}));
    if (!answer.ok) throw new Refused(answer.status, told.error);
    return told;
};

export const tell = (place, text) => {
    place.textContent = text;
    place.hidden = !text;
};

// ---- tables of this browser ----
const kTables = "croupier.tables";
export const tables = () => {
    try {
        return JSON.parse(localStorage.getItem(kTables)) ?? [];
    } catch {
        return [];
    }
};
const keep = (all) => {
    try {
        localStorage.setItem(kTables, JSON.stringify(all.slice(0, 30)));
    } catch { /* then the history has to do */ }
};
export const remember = (chair, title) => {
    const known = tables().find((table) => table.chair === chair);
    keep([{chair, title, since: known?.since ?? Date.now()}, ...tables().filter((table) => table.chair !== chair)]);
};
export const forget = (chair) => keep(tables().filter((table) => table.chair !== chair));

export const setting = (name, value) => {
    try {
        if (value !== undefined) localStorage.setItem(`croupier.${name}`, value);
        return localStorage.getItem(`croupier.${name}`);
    } catch {
        return null;
    }
};

// ---- words ----
const suits = {S: "♠", H: "♥", D: "♦", C: "♣"};
const names = {S: "spades", H: "hearts", D: "diamonds", C: "clubs"};
const ranks = {J: "jack", Q: "queen", K: "king", A: "ace"};
export const suitSign = (suit) => suits[suit] + "\ufe0e"; // as text, never as a picture
export const isRed = (suit) => suit === "H" || suit === "D";
// "10♠", and for screen readers "10 of spades".
export const cardLabel = (card) => card.suit ? card.rank + suitSign(card.suit) : card.rank;
export const cardWords = (card) => card.suit ? `${ranks[card.rank] ?? card.rank} of ${names[card.suit]}` : card.rank;
// A move that is not a card: "130D" is a bid of 130 diamonds.
export const moveLabel = (move) => move.card ? cardLabel(move.card)
    : move.name.replace(/^(\d+)-?([SHDC])$/, (all, number, suit) => `${number} ${suitSign(suit)}`);
// "max_plies" in a readable form.
export const plain = (name) => {
    const words = name.replaceAll("_", " ");
    return words.charAt(0).toUpperCase() + words.slice(1);
};
