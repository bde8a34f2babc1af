"use strict";

// ---- sections: a link unfolds its target, and print unfolds everything ----
const unfold = (element) => {
    for (let at = element; at; at = at.parentElement)
        if (at.tagName === "DETAILS") at.open = true;
};
const follow = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    unfold(target);
    target.scrollIntoView();
};
window.addEventListener("hashchange", follow);
follow();
for (const link of document.querySelectorAll("a[href^='#']")) // also if the address is already that
    link.addEventListener("click", () => unfold(document.getElementById(link.hash.slice(1))));

const parts = [...document.querySelectorAll("details.part")];
const fold = document.createElement("button");
fold.type = "button";
fold.className = "fold";
const label = () => { fold.textContent = parts.every((part) => part.open) ? "Close all sections" : "Open all sections"; };
fold.addEventListener("click", () => {
    const open = !parts.every((part) => part.open);
    for (const part of parts) part.open = open;
});
for (const part of parts) part.addEventListener("toggle", label);
label();
if (parts.length > 1) document.querySelector("nav").append(fold);

let opened = [];
window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const details of opened) details.open = true;
});
window.addEventListener("afterprint", () => { for (const details of opened) details.open = false; });

// ---- tables: keyboard focus stops only at those that scroll ----
const fit = new ResizeObserver((entries) => {
    for (const {target} of entries) {
        if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
        else target.removeAttribute("tabindex");
    }
});
for (const wide of document.querySelectorAll(".wide")) fit.observe(wide);

// ---- flame graphs: a touched frame becomes as wide as the page ----
for (const flame of document.querySelectorAll(".flame")) {
    const detail = flame.querySelector(".detail");
    const percent = (frame, name) => parseFloat(frame.getAttribute(name)) / 100;
    // In document order each frame comes before its children.
    const frames = [...flame.querySelectorAll(".frame")].map((element) => ({element,
        depth: Number(element.getAttribute("y")), x: percent(element, "x"), width: percent(element, "width")}));
    const isShown = (index) => !frames[index].element.classList.contains("outside");
    // Hides frames of less than two pixels, which cannot be distinguished; labels have the letters that fit into their
    // frame.
    const fit = () => {
        const letters = flame.clientWidth / 7.3;
        if (letters === 0) return;
        for (const {element} of frames) {
            element.classList.toggle("outside", percent(element, "width") * flame.clientWidth < 2);
            const told = element.querySelector("title").textContent, name = told.slice(0, told.lastIndexOf(": "));
            const most = Math.floor(percent(element, "width") * letters - 1);
            element.querySelector("text").textContent = name.length <= most ? name : most < 3 ? "" : name.slice(0, most - 1) + "…";
        }
    };
    new ResizeObserver(fit).observe(flame);
    let at = 0;
    const tell = (index) => {
        frames[at].element.classList.remove("at");
        at = index;
        frames[at].element.classList.add("at");
        detail.textContent = frames[at].element.querySelector("title").textContent;
    };
    const widen = (index) => {
        const {x: from, width} = frames[index];
        for (const frame of frames) {
            const x = Math.max(from, frame.x), end = Math.min(from + width, frame.x + frame.width);
            frame.element.setAttribute("x", 100 * (x - from) / width + "%");
            frame.element.setAttribute("width", Math.max(0, 100 * (end - x) / width) + "%");
        }
        fit();
        tell(index);
    };
    const find = (way, wanted) => {
        for (let i = at + way; i >= 0 && i < frames.length; i += way)
            if (isShown(i) && wanted(frames[i])) return i;
        return at;
    };
    const moves = {
        ArrowRight: () => find(1, (frame) => frame.depth === frames[at].depth),
        ArrowLeft: () => find(-1, (frame) => frame.depth === frames[at].depth),
        ArrowUp: () => find(-1, (frame) => frame.depth < frames[at].depth),
        ArrowDown: () => frames[at + 1]?.depth > frames[at].depth && isShown(at + 1) ? at + 1 : at,
    };
    frames.forEach((frame, index) => frame.element.addEventListener("click", () => widen(index)));
    flame.addEventListener("keydown", (event) => {
        if (moves[event.key]) tell(moves[event.key]());
        else if (event.key === "Enter") widen(at);
        else if (event.key === "Escape") widen(0);
        else return;
        event.preventDefault();
    });
}

// ---- games ----
const suits = {S: "♠", H: "♥", D: "♦", C: "♣"};
const add = (parent, name, text, kind) => {
    const element = document.createElement(name);
    if (kind) element.className = kind;
    element.textContent = text;
    parent.append(element);
    return element;
};

class Game {
    constructor(root) {
        this.root = root;
        const data = root.querySelector("script");
        if (!data) return; // it could not be replayed
        this.frames = JSON.parse(data.textContent).frames;
        this.cells = [...root.querySelectorAll(".cell")];
        this.part = (name) => root.querySelector("." + name);
        this.slider = root.querySelector("input");
        this.at = 0;
        this.scene = {}; // turn, piles and facts
        this.timer = 0;
        this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
        for (const button of root.querySelectorAll("button"))
            button.addEventListener("click", () => this.act(button.dataset.act));
        root.addEventListener("keydown", (event) => this.press(event));
        this.show(0);
    }

    act(what) {
        const last = this.frames.length - 1;
        if (what === "play") return this.timer ? this.stop() : this.play();
        this.stop();
        this.show({first: 0, back: this.at - 1, next: this.at + 1, last}[what]);
    }

    // The slider has its own keys, and space presses the focused button.
    press(event) {
        const what = {ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play"}[event.key];
        const taken = event.target === this.slider || event.target.closest("summary")
            || (event.key === " " && event.target.closest("button"));
        if (!what || taken || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        this.act(what);
    }

    play() {
        if (this.at === this.frames.length - 1) this.show(0);
        this.root.querySelector("[data-act=play]").textContent = "Pause";
        // Long games are played faster: none takes more than a minute.
        const pause = Math.min(700, 60000 / this.frames.length);
        this.timer = setInterval(() => {
            this.show(this.at + 1);
            if (this.at === this.frames.length - 1) this.stop();
        }, pause);
    }

    stop() {
        if (!this.timer) return;
        clearInterval(this.timer);
        this.timer = 0;
        this.root.querySelector("[data-act=play]").textContent = "Play";
    }

    show(wanted) {
        wanted = Math.min(Math.max(wanted, 0), this.frames.length - 1);
        if (wanted <= this.at) { // frames hold only changes: start from the beginning
            for (let cell = 0; cell < this.cells.length; ++cell) this.put(cell, "", 0);
            this.apply(0);
            this.at = 0;
        }
        while (this.at < wanted) this.apply(++this.at);
        this.draw();
    }

    apply(at) {
        const frame = this.frames[at];
        for (const [cell, letter, owner] of frame.cells || []) this.put(cell, letter, owner);
        if (frame.turn !== undefined) this.scene.turn = frame.turn;
        for (const list of ["piles", "facts"])
            if (frame[list] !== undefined) this.scene[list] = (frame[list] ?? []).map((one, i) => one ?? this.scene[list][i]);
    }

    put(cell, letter, owner) {
        this.cells[cell].setAttribute("class", letter ? "cell owner" + owner : "cell");
        this.cells[cell].querySelector("text").textContent = letter;
    }

    draw() {
        const frame = this.frames[this.at], {turn, piles = [], facts = []} = this.scene;
        this.slider.value = this.at;
        this.part("move").textContent = frame.move
            ? `${this.at}. ${frame.player} ${frame.move}, one of ${frame.legal}` : "The beginning";
        const table = this.part("table");
        table.textContent = "";
        for (const pile of piles) {
            const whose = pile.hand !== undefined && turn === pile.name ? "pile turn" : "pile";
            const box = add(table, "div", "", whose);
            add(box, "b", [pile.name, ...(pile.notes || [])].join(" "));
            for (const {rank, suit, by} of pile.cards || [])
                add(box, "span", (by ? by + ": " : "") + rank + (suits[suit] || ""), "HD".includes(suit) ? "playing red" : "playing");
            if (pile.hidden !== undefined) add(box, "span", `${pile.hidden ?? ""} hidden`, "unseen");
        }
        const list = this.part("facts");
        list.textContent = "";
        for (const {name, text, suit} of [...(turn ? [{name: "turn", text: turn}] : []), ...facts]) {
            const pair = add(list, "div", "");
            add(pair, "dt", name);
            add(pair, "dd", suit ? suits[suit] : text);
        }
        for (const name of ["log", "refused"]) {
            this.part(name).querySelector("pre").textContent = (frame[name] || []).join("\n");
            this.part(name).hidden = !frame[name];
        }
    }
}

for (const viewer of document.querySelectorAll(".viewer")) {
    const roots = [...viewer.querySelectorAll(".game")];
    const games = roots.map((root) => new Game(root));
    const select = viewer.querySelector("select");
    select.addEventListener("change", () => {
        roots.forEach((root, i) => { root.hidden = i !== select.selectedIndex; });
        games.forEach((game) => game.frames && game.stop());
    });
    // A blunder links to its game, with the move just played.
    for (const link of viewer.closest(".chapter").querySelectorAll("a[data-game]"))
        link.addEventListener("click", () => {
            const index = roots.findIndex((root) => root.dataset.name === link.dataset.game);
            unfold(viewer);
            select.selectedIndex = index;
            select.dispatchEvent(new Event("change"));
            games[index].show(Number(link.dataset.ply) + 1);
        });
}
