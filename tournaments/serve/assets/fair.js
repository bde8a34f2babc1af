// Where each player gives a share of the deal: the share, and a record of what this page was shown, which
// `croupier replay --check` compares with the deal that is opened after the end. Both stay in this browser.
import {ask, setting} from "/assets/common.js";

// SHA-256, since browsers have it only for pages that came encrypted.
const roots = (power, count) => {
    const found = [];
    for (let n = 2; found.length < count; ++n) {
        let prime = true;
        for (let d = 2; d * d <= n; ++d) prime = prime && n % d !== 0;
        if (prime) found.push((n ** power % 1) * 2 ** 32 | 0);
    }
    return found;
};
const turned = (x, by) => x >>> by | x << 32 - by;
export const sha256 = (text) => {
    const bytes = [...new TextEncoder().encode(text)];
    const length = bytes.length * 8;
    bytes.push(0x80);
    while (bytes.length % 64 !== 56) bytes.push(0);
    for (let shift = 56; shift >= 0; shift -= 8) bytes.push(Math.floor(length / 2 ** shift) % 256);
    const constants = roots(1 / 3, 64);
    const hash = roots(1 / 2, 8);
    for (let begin = 0; begin < bytes.length; begin += 64) {
        const words = Array.from({length: 16}, (_, i) => bytes.slice(begin + 4 * i, begin + 4 * i + 4).reduce((word, byte) => word << 8 | byte, 0));
        for (let i = 16; i < 64; ++i) {
            const [early, late] = [words[i - 15], words[i - 2]];
            words.push(words[i - 16] + (turned(early, 7) ^ turned(early, 18) ^ early >>> 3)
                + words[i - 7] + (turned(late, 17) ^ turned(late, 19) ^ late >>> 10) | 0);
        }
        let [a, b, c, d, e, f, g, h] = hash;
        for (let i = 0; i < 64; ++i) {
            const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + (e & f ^ ~e & g) + constants[i] + words[i] | 0;
            const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + (a & b ^ a & c ^ b & c) | 0;
            [a, b, c, d, e, f, g, h] = [one + two | 0, a, b, c, d + one | 0, e, f, g];
        }
        [a, b, c, d, e, f, g, h].forEach((word, i) => { hash[i] = hash[i] + word | 0; });
    }
    return hash.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
};

const random = () => [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// What this browser keeps of a deal: {deal, share, ply, lines}.
let own = null;
const load = (chair, deal) => {
    if (own?.deal === deal) return;
    own = JSON.parse(setting(`deal.${chair}`) ?? "null");
    if (own?.deal !== deal) own = {deal, share: random(), ply: 0, lines: []};
};
const keep = (chair) => setting(`deal.${chair}`, JSON.stringify(own));

// Gives what is needed for the deal, and notes each new position.
export const witness = (state, chair) => {
    if (!state.shares) return;
    load(chair, state.deal);
    const {need, dealt, hashes, head} = state.shares;
    const give = (what, said) => {
        keep(chair);
        ask(`/api/table/${chair}/${what}`, said).catch(() => {}); // another page of this chair may have been first
    };
    if (need === "hash") return give("hash", {hash: sha256(own.share)});
    if (need === "share") {
        // A host that asks again, with other hashes, knows the share by then: the first ones count.
        if (own.lines.length === 0) own.lines = [JSON.stringify({...head, shares: hashes, share: own.share})];
        return give("share", {share: own.share});
    }
    if (!dealt || own.lines.length === 0 || (own.lines.length > 1 && own.ply === state.ply)) return;
    const made = state.made.slice(Math.max(0, state.made.length - (state.ply - own.ply))).map(({name}) => name);
    own.ply = state.ply;
    own.lines.push(JSON.stringify({ply: state.ply, viewer: state.seats[state.viewer].name, made,
        moves: state.moves?.map(({name}) => name), scene: state.scene}));
    keep(chair);
};
// The record of this seat, once the host has opened that of the game; nothing if this browser has none.
export const seatRecord = (state, opened) => own?.deal === state.deal && own.lines.length > 1 ? own.lines.join("\n") + "\n" + opened : null;
