"use strict";

// ---- flame graphs: a frame that is touched becomes as wide as the page ----
for (const flame of document.querySelectorAll(".flame")) {
    const detail = flame.querySelector(".detail");
    const frames = [...flame.querySelectorAll(".frame")];
    const widen = (wanted) => {
        const from = Number(wanted.dataset.x), width = Number(wanted.dataset.w);
        for (const frame of frames) {
            const x = Math.max(from, Number(frame.dataset.x));
            const end = Math.min(from + width, Number(frame.dataset.x) + Number(frame.dataset.w));
            frame.classList.toggle("outside", end - x <= width * 1e-4);
            frame.setAttribute("x", 100 * (x - from) / width + "%");
            frame.setAttribute("width", Math.max(0, 100 * (end - x) / width) + "%");
        }
        detail.textContent = wanted.dataset.told;
    };
    for (const frame of frames) frame.addEventListener("click", () => widen(frame));
}

// ---- games ----
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
        if (!data) return; // it could not be played again
        this.frames = JSON.parse(data.textContent).frames;
        this.cells = [...root.querySelectorAll(".cell")];
        this.part = (name) => root.querySelector("." + name);
        this.slider = root.querySelector("input");
        this.at = 0;
        this.timer = 0;
        this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
        for (const button of root.querySelectorAll("button"))
            button.addEventListener("click", () => this.act(button.dataset.act));
        this.draw();
    }

    act(what) {
        const last = this.frames.length - 1;
        if (what === "play") return this.timer ? this.stop() : this.play();
        this.stop();
        this.show({first: 0, back: this.at - 1, next: this.at + 1, last}[what]);
    }

    play() {
        if (this.at === this.frames.length - 1) this.show(0);
        this.root.querySelector("[data-act=play]").textContent = "||";
        // Long games go faster: none takes more than a minute.
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
        this.root.querySelector("[data-act=play]").textContent = "▶▶";
    }

    show(wanted) {
        wanted = Math.min(Math.max(wanted, 0), this.frames.length - 1);
        if (wanted < this.at) { // frames hold what changes: from the beginning
            for (let cell = 0; cell < this.cells.length; ++cell) this.put(cell, "", 0);
            this.apply(0);
            this.at = 0;
        }
        while (this.at < wanted) this.apply(++this.at);
        this.draw();
    }

    apply(at) {
        for (const [cell, letter, owner] of this.frames[at].cells || []) this.put(cell, letter, owner);
    }

    put(cell, letter, owner) {
        this.cells[cell].setAttribute("class", letter ? "cell owner" + owner : "cell");
        this.cells[cell].querySelector("text").textContent = letter;
    }

    draw() {
        const frame = this.frames[this.at];
        this.slider.value = this.at;
        this.part("move").textContent = frame.move
            ? `${this.at}. ${frame.player} ${frame.move}, one of ${frame.legal}` : "the beginning";
        const table = this.part("table");
        table.textContent = "";
        for (const pile of frame.cards || []) {
            const whose = pile.hand && frame.turn === pile.name ? "pile turn" : "pile";
            const box = add(table, "div", "", whose);
            add(box, "b", pile.name);
            for (const [label, red] of pile.cards || [])
                add(box, "span", label, red ? "playing red" : "playing");
            if (pile.hidden !== undefined) add(box, "span", `${pile.hidden} hidden`, "unseen");
        }
        const facts = this.part("facts");
        facts.textContent = "";
        const turn = frame.turn === undefined ? [] : [["turn", frame.turn]];
        for (const [name, value] of [...turn, ...(frame.facts || [])]) {
            const pair = add(facts, "div", "");
            add(pair, "dt", name);
            add(pair, "dd", value);
        }
        this.part("log").querySelector("pre").textContent = (frame.log || []).join("\n");
        this.part("log").hidden = !frame.log;
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
}
