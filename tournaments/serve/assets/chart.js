// Drawings for runs: the course of a test between its bounds.
const kNamespace = "http://www.w3.org/2000/svg";
const draw = (name, attributes, ...children) => {
    const element = document.createElementNS(kNamespace, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
};
const kWidth = 640, kHeight = 220, kLeft = 46, kBottom = 26;

export const courseChart = ({rule, low, high, value, verdict, points}) => {
    const values = points.map(([, at]) => at);
    const least = Math.min(0, low, high, ...values), most = Math.max(0, low, high, ...values);
    const margin = (most - least || 1) * 0.08;
    const last = Math.max(1, ...points.map(([blocks]) => blocks));
    const x = (blocks) => kLeft + (kWidth - kLeft - 8) * blocks / last;
    const y = (at) => (kHeight - kBottom) * (most + margin - at) / (most - least + 2 * margin);
    const what = rule === "sprt" ? "Log-likelihood ratio" : `Widest interval (${rule})`;
    const words = `${what}: ${value === null ? "no value yet" : value.toFixed(2)}, bounds ${low.toFixed(2)} and ${high.toFixed(2)}; ${verdict}`;
    const line = (bound, kind) => [draw("line", {x1: kLeft, x2: kWidth - 8, y1: y(bound), y2: y(bound), class: kind}),
        draw("text", {x: kLeft - 6, y: y(bound) + 4, "text-anchor": "end"}, bound.toFixed(1))];
    const svg = draw("svg", {viewBox: `0 0 ${kWidth} ${kHeight}`, role: "img", "aria-label": words, class: "course"},
        ...line(0, "zero"), ...line(low, "bound"), ...line(high, "bound"),
        draw("polyline", {points: points.map(([blocks, at]) => `${x(blocks).toFixed(1)},${y(at).toFixed(1)}`).join(" ")}),
        draw("text", {x: kWidth - 8, y: kHeight - 8, "text-anchor": "end"}, `${last} blocks`));
    const caption = document.createElement("figcaption");
    caption.textContent = words;
    const figure = document.createElement("figure");
    figure.append(svg, caption);
    return figure;
};
