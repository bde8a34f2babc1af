// A text editor with marks below the text and a margin beside it. The text is on top, transparent except for its
// letters; it is as large as its contents, so that all three scroll together.
import {byId, make} from "/assets/common.js";

export class Editor {
    constructor(changed, lineClicked) {
        this.area = byId("text");
        this.marks = [];  // [begin, end, class]
        this.heat = [];   // by line
        this.breaks = new Set(); // lines
        this.area.addEventListener("input", () => { this.layOut(); changed(); });
        byId("gutter").addEventListener("click", ({target}) => {
            if (target.dataset.line) lineClicked(Number(target.dataset.line));
        });
    }

    get text() { return this.area.value; }
    set text(text) {
        this.area.value = text;
        this.layOut();
    }

    // Finds the beginnings of lines.
    find() {
        this.begins = [0];
        for (let at = this.text.indexOf("\n"); at >= 0; at = this.text.indexOf("\n", at + 1)) this.begins.push(at + 1);
    }
    lineOf(letter) {
        let low = 0, high = this.begins.length;
        while (high - low > 1) {
            const middle = (low + high) >> 1;
            if (this.begins[middle] <= letter) low = middle;
            else high = middle;
        }
        return low;
    }

    layOut() {
        this.find();
        const longest = this.begins.reduce((most, begin, i) => Math.max(most, (this.begins[i + 1] ?? this.text.length + 1) - begin), 0);
        byId("paper").style.setProperty("--lines", this.begins.length);
        byId("paper").style.setProperty("--letters", longest + 2);
        this.marks = this.marks.filter(([, end]) => end <= this.text.length);
        this.draw();
    }

    show(marks, heat, breaks) {
        this.marks = marks;
        this.heat = new Map();
        for (const [letter, tried] of heat) {
            const line = this.lineOf(letter);
            this.heat.set(line, (this.heat.get(line) ?? 0) + tried);
        }
        this.breaks = new Set(breaks.map((letter) => this.lineOf(letter)));
        this.draw();
    }

    draw() {
        const cuts = [...new Set([0, this.text.length, ...this.marks.flatMap(([begin, end]) => [begin, end])])].sort((a, b) => a - b);
        byId("marks").replaceChildren(...cuts.slice(0, -1).map((begin, i) => {
            const kinds = this.marks.filter(([from, to]) => from <= begin && cuts[i + 1] <= to).map(([, , kind]) => kind);
            const piece = this.text.slice(begin, cuts[i + 1]);
            return kinds.length ? make("span", {class: [...new Set(kinds)].join(" ")}, piece) : piece;
        }));
        const most = Math.log(1 + Math.max(1, ...(this.heat.values?.() ?? [])));
        byId("gutter").replaceChildren(...this.begins.map((begin, line) => {
            const tried = this.heat.get?.(line) ?? 0;
            const row = make("div", {"data-line": line, class: this.breaks.has(line) ? "break" : null,
                title: tried ? `tried ${tried} times` : null}, String(line + 1));
            if (tried) row.style.setProperty("--heat", Math.log(1 + tried) / most);
            return row;
        }));
    }

    reveal(letter) {
        const row = byId("gutter").children[this.lineOf(letter)];
        const box = byId("editor");
        if (row && (row.offsetTop < box.scrollTop || row.offsetTop > box.scrollTop + box.clientHeight - 60))
            box.scrollTop = row.offsetTop - box.clientHeight / 3;
    }
    select(letter) {
        this.area.focus({preventScroll: true});
        this.area.setSelectionRange(letter, letter);
        this.reveal(letter);
    }
}
