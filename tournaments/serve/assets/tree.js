// A state as a tree with editable leaves.
import {make} from "/assets/common.js";

const isInner = (value) => value !== null && typeof value === "object";
const join = (path, key) => path ? `${path}.${key}` : key;

// Paths that differ between two states.
export const changedPaths = (before, after, path = "", into = new Set()) => {
    if (!isInner(before) || !isInner(after)) {
        if (before !== after) into.add(path);
        return into;
    }
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
        if (key in before !== key in after) into.add(join(path, key));
        else changedPaths(before[key], after[key], join(path, key), into);
    return into;
};

// `marks`: paths by kind. `edit(keys, value)`: called to set a leaf, or with undefined to remove it.
export class Tree {
    constructor(root, edit) {
        this.root = root;
        this.edit = edit;
        this.closed = new Set();
    }

    show(state, marks) {
        const leads = new Set(); // to a marked node
        for (const paths of Object.values(marks))
            for (const path of paths)
                for (let at = path.lastIndexOf("."); at > 0; at = path.lastIndexOf(".", at - 1)) leads.add(path.slice(0, at));
        const focused = document.activeElement?.closest?.(".tree") ? document.activeElement.dataset.path : null;
        this.root.replaceChildren(this.list(state, "", [], marks, leads));
        if (focused) [...this.root.querySelectorAll("[data-path]")].find(({dataset}) => dataset.path === focused)?.focus();
    }

    list(node, path, keys, marks, leads) {
        return make("ul", {}, ...Object.entries(node).map(([key, value]) => {
            const own = join(path, key);
            const kinds = Object.keys(marks).filter((kind) => marks[kind].has(own)).join(" ") || null;
            if (!isInner(value)) return make("li", {class: kinds}, this.leaf(key, value, own, [...keys, key]));
            const size = Object.keys(value).length;
            const box = make("details", {class: kinds, open: leads.has(own) || (size <= 40 && !this.closed.has(own))},
                make("summary", {"data-path": own}, key, make("span", {class: "small"}, size ? ` ${size}` : Array.isArray(value) ? " []" : " {}")));
            box.addEventListener("toggle", () => { if (box.open) this.closed.delete(own); else this.closed.add(own); });
            if (size) box.append(this.list(value, own, [...keys, key], marks, leads));
            return make("li", {}, box);
        }));
    }

    leaf(key, value, path, keys) {
        const button = make("button", {type: "button", class: "leaf", "data-path": path, title: "change"},
            make("span", {class: "key"}, key), " ", make("span", {class: "value"}, JSON.stringify(value)));
        button.addEventListener("click", () => {
            const field = make("input", {value: JSON.stringify(value), "aria-label": `Value of ${path}`, "data-path": path});
            let done = false;
            const end = (keep) => {
                if (done) return;
                done = true;
                field.replaceWith(button);
                if (!keep || field.value === JSON.stringify(value)) return;
                let wanted = field.value;
                try {
                    wanted = JSON.parse(field.value);
                } catch { /* a text without quotes */ }
                this.edit(keys, field.value.trim() === "" ? undefined : wanted);
            };
            field.addEventListener("keydown", (event) => {
                if (event.key === "Enter") end(true);
                if (event.key === "Escape") end(false);
            });
            field.addEventListener("blur", () => end(true));
            button.replaceWith(field);
            field.focus();
            field.select();
        });
        return button;
    }
}
