// Pages as readers meet them: html_test.mjs BROWSER FOLDER [SCREENSHOTS]
//
// FOLDER has a page of each kind, as html_test.sh makes them.
import assert from "node:assert/strict";
import {createRequire} from "node:module";
import {chromium} from "playwright-core";
import {pathToFileURL} from "node:url";

const [, , browserPath, folder, screenshots] = process.argv;
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
// Milliseconds, as a guard against hanging: nothing here depends on the speed of the machine.
const patience = 300000;
const browser = await chromium.launch({executablePath: browserPath, args: ["--no-sandbox"], timeout: patience});
const kinds = ["life", "knockout", "swiss", "evals", "sequential", "compare", "ablate", "sweep", "tune", "all"];

// One tab for all: each new one is a process.
const page = await browser.newPage();
page.setDefaultTimeout(patience);
await page.clock.install();
let url = "";
let said = [];
page.on("console", (message) => said.push(message.text()));
page.on("pageerror", (error) => said.push(String(error)));
page.on("request", (request) => { if (request.url() !== url) said.push(request.url()); });

async function open(kind, width, colorScheme) {
    url = pathToFileURL(`${folder}/${kind}.html`).href;
    said = [];
    await page.setViewportSize({width, height: 800});
    await page.emulateMedia({colorScheme});
    await page.goto(url);
}

const unfoldAll = (page) => page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
});

// Nothing is wider than the screen; what scrolls by itself shows and says so.
async function checkWidth(page, kind, width) {
    // Who watches sizes is told some time after the layout; where it never settles, the answer is below.
    await page.waitForFunction(() => [...document.querySelectorAll(".wide")].every((table) =>
        !table.checkVisibility() || (table.tabIndex === 0) === (table.scrollWidth > table.clientWidth)),
        null).catch(() => {});
    const {scroll, wide, tables} = await page.evaluate(() => {
        const inScroller = (element) => element.closest(".wide, svg") !== null;
        const beyond = (element) => element.getBoundingClientRect().right > window.innerWidth + 1;
        return {
            scroll: document.documentElement.scrollWidth,
            wide: [...document.querySelectorAll("body *")]
                .filter((element) => !inScroller(element) && beyond(element))
                .concat([...document.querySelectorAll("figure:not(.flame) text")].filter(beyond))
                .map((element) => element.outerHTML.slice(0, 120)),
            tables: [...document.querySelectorAll(".wide")]
                .filter((table) => table.checkVisibility())
                .map((table) => ({
                    name: table.getAttribute("aria-label"),
                    scrolls: table.scrollWidth > table.clientWidth,
                    focusable: table.tabIndex === 0,
                    edges: getComputedStyle(table).backgroundImage.split("gradient").length - 1,
                })),
        };
    });
    assert.ok(scroll <= width, `${kind} scrolls sideways at ${width}: ${scroll}`);
    assert.deepEqual(wide, [], `${kind} at ${width}`);
    for (const table of tables) {
        assert.equal(table.focusable, table.scrolls, `${kind} at ${width}: ${table.name}`);
        assert.equal(table.edges, 4, "a cover and a shadow at each edge");
    }
    return tables.filter((table) => table.scrolls).length;
}

async function checkScrolling(page) {
    const table = page.locator(".wide[tabindex]").first();
    await table.focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((element) => element.scrollLeft > 0, await table.elementHandle());
}

// What is not a matter of colours is looked at in one scheme for each width.
async function checkAccess(page, kind, coloursOnly) {
    await page.addScriptTag({path: axe});
    const rules = coloursOnly ? {runOnly: ["color-contrast", "link-in-text-block"]} : {};
    const found = await page.evaluate(
        (rules) => window.axe.run(document, {resultTypes: ["violations"], ...rules}), rules);
    const told = found.violations.map(({id, impact, nodes}) => `${impact} ${id}: ${nodes[0].html.slice(0, 160)}`);
    assert.deepEqual(told, [], `${kind}: axe`);
    // What axe does not look at: text of drawings against what it stands on.
    const faint = await page.evaluate(() => {
        const light = (colour) => {
            const [r, g, b] = colour.match(/[\d.]+/g).slice(0, 3).map((part) => part / 255)
                .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const paper = getComputedStyle(document.body).backgroundColor;
        return [...document.querySelectorAll("figure text")].map((text) => {
            const below = text.previousElementSibling;
            const ground = text.closest(".frame") ? getComputedStyle(below).fill : paper;
            const [a, b] = [light(getComputedStyle(text).fill), light(ground)];
            return {text: text.textContent, ratio: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)};
        }).filter(({ratio}) => ratio < 4.5);
    });
    assert.deepEqual(faint, [], `${kind}: contrast in drawings`);
}

// What a page says, as far as it is shown.
async function checkWords(page, kind) {
    const text = await page.locator("body").innerText();
    assert.doesNotMatch(text, /undefined|NaN|null/, kind);
    const heads = await page.locator("h1, h2, h3").evaluateAll((all) => all.map((each) => each.textContent));
    for (const head of heads) assert.match(head, /^[A-Z]/, `${kind}: ${head}`);
    for (const word of ["Played", "Program", "Command"]) assert.ok(text.includes(`\n${word}\n`), `${kind}: ${word}`);
    assert.match(text, /\d{4}-\d\d-\d\d, \d\d:\d\d UTC/);
    assert.match(text, /croupier \d+\.\d+/);
    assert.match(text, /croupier (run|compare|ablate|sweep|tune) /);
}

// What a game shows.
const look = (game) => game.evaluate((game) => ({
    move: game.querySelector(".move").textContent,
    stones: [...game.querySelectorAll(".cell")].map((cell) => cell.querySelector("text").textContent),
    cards: [...game.querySelectorAll(".playing")].map((card) => card.textContent),
    log: game.querySelector(".log pre").textContent,
}));
const press = (game, name) => game.getByRole("button", {name, exact: true}).click();
const gamesOf = (page, prefix) => page.locator(`#${prefix}games .viewer`);

// A game that plays by itself would be over where the machine is slow.
const stopTime = async (page) => page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));

async function checkBoard(page, prefix) {
    const game = gamesOf(page, prefix).locator(".game").nth(0);
    const begin = await look(game);
    assert.equal(begin.move, "The beginning");
    assert.equal(begin.stones.length, 361);
    await press(game, "Next");
    const first = await look(game);
    assert.match(first.move, /^1\. [BW] [a-s]\d+, one of \d+$/);
    assert.notDeepEqual(first.stones, begin.stones);
    await press(game, "Next");
    await press(game, "Back");
    assert.deepEqual(await look(game), first, "back and forth is the same");
    await press(game, "First");
    assert.deepEqual(await look(game), begin);
    await press(game, "Last");
    const slider = game.locator("input");
    assert.equal(await slider.inputValue(), await slider.getAttribute("max"));
    const end = await look(game);
    const alive = new Set(end.stones.filter((stone) => stone !== ""));
    assert.ok(alive.size < 2, "who has no stones left has lost");
    await press(game, "First");
    await stopTime(page);
    await press(game, "Play");
    await page.clock.runFor(1500);
    const stopped = await slider.inputValue();
    assert.ok(Number(stopped) > 1, "it plays");
    await press(game, "Pause");
    await page.clock.runFor(1500);
    assert.equal(await slider.inputValue(), stopped, "it stops");
    assert.equal(await game.getByRole("button", {name: "Play"}).count(), 1);
    await page.clock.resume();
}

async function checkKeys(page, prefix) {
    const game = gamesOf(page, prefix).locator(".game").nth(0);
    const at = () => game.locator("input").inputValue();
    const last = await game.locator("input").getAttribute("max");
    await game.locator(".scene").focus();
    await page.keyboard.press("Home");
    assert.equal(await at(), "0");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await at(), "1");
    await page.keyboard.press("End");
    assert.equal(await at(), last);
    await stopTime(page);
    await page.keyboard.press("Space"); // from the beginning
    await game.getByRole("button", {name: "Pause"}).waitFor();
    await page.keyboard.press("Space");
    await game.getByRole("button", {name: "Play"}).waitFor();
    await page.clock.resume();
    await game.getByRole("button", {name: "Next"}).focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Space"); // the button's own
    assert.equal(await at(), "1");
}

// Which cards cannot be played is told in a frame of its own, and goes where all can.
async function checkRefused(game) {
    const told = await game.evaluate((game) => {
        const next = [...game.querySelectorAll("button")].find((button) => button.textContent === "Next");
        const refused = game.querySelector(".refused");
        const told = [];
        for (let i = 0; i < Number(game.querySelector("input").max); ++i, next.click())
            told.push({hidden: refused.hidden, text: refused.querySelector("pre").textContent});
        return told;
    });
    assert.ok(told.some(({hidden}) => hidden), "all cards are legal");
    assert.ok(told.some(({hidden, text}) => !hidden && /^[A-Z0-9 ]+: follow gives .*, but suit\./m.test(text)));
    for (const {hidden, text} of told) assert.equal(hidden, text === "");
}

async function checkCards(page, prefix) {
    const viewer = gamesOf(page, prefix);
    const games = await viewer.locator("option").count();
    assert.ok(games >= 1);
    const game = viewer.locator(".game").nth(0);
    const begin = await look(game);
    assert.equal(begin.cards.length, 21, "four hands of five and one card turned up");
    await checkRefused(game);
    await press(game, "First");
    await press(game, "Next");
    assert.match((await look(game)).move, /^1\. /);
    // All other moves, within the page: each press from here would take longer than the page does.
    const log = await game.evaluate((game) => {
        const next = [...game.querySelectorAll("button")].find((button) => button.textContent === "Next");
        const slider = game.querySelector("input");
        let log = "";
        while (Number(slider.value) < Number(slider.max)) {
            const before = slider.value;
            next.click();
            if (slider.value === before) throw new Error(`it stays at move ${before}`);
            log += game.querySelector(".log pre").textContent;
        }
        return log;
    });
    assert.match(log, /chooses: /, "an agent of rules says which fired");
    if (games > 1) {
        await viewer.locator("select").selectOption({index: 1});
        assert.ok(await game.isHidden());
        assert.ok(await viewer.locator(".game").nth(1).isVisible());
        await viewer.locator("select").selectOption({index: 0});
    }
}

async function checkKings(page, prefix) {
    const game = gamesOf(page, prefix).locator(".game").nth(0);
    const pieces = (await look(game)).stones.filter((piece) => piece !== "").sort();
    assert.deepEqual(pieces, ["♚", "♚", "♜"].sort());
    await press(game, "Next");
    assert.match((await look(game)).log, /rule /, "a table of advice says why");
}

// Expects flames if the run had enough ticks of the processor's clock; a busy machine has fewer.
async function checkFlames(page) {
    if (await page.locator("[data-chart=flames]").count() === 0) {
        assert.match(await page.locator("main").innerText(), /Too few ticks of CPU time for times: \d+ tick/);
        return;
    }
    const flame = page.locator("[data-chart=flames]").first();
    const frames = flame.locator(".frame");
    assert.ok(await frames.count() > 3);
    const clipped = () => flame.evaluate((flame) => [...flame.querySelectorAll(".frame:not(.outside)")].filter((frame) =>
        frame.querySelector("text").getComputedTextLength() > frame.querySelector("rect").getBoundingClientRect().width).length);
    assert.equal(await clipped(), 0);
    // However narrow: each frame can be seen, and told apart from the next of its row.
    const crowded = () => flame.evaluate((flame) => {
        const frames = [...flame.querySelectorAll(".frame:not(.outside)")];
        const boxes = frames.map((frame) => frame.querySelector("rect").getBoundingClientRect());
        return boxes.filter((box, i) => box.width < 0.9 || getComputedStyle(frames[i]).overflow !== "hidden" ||
            boxes.some(({x, y}) => y === box.y && x > box.x && x < box.right + 0.9)).length;
    });
    assert.equal(await crowded(), 0);
    const narrow = frames.nth(3);
    const before = (await narrow.boundingBox()).width;
    await narrow.locator("rect").click();
    assert.ok((await narrow.boundingBox()).width >= before);
    assert.equal(await clipped() + await crowded(), 0);
    assert.match(await flame.locator(".detail").textContent(), /: [\d.]+ %, \d+ ns a game$/);
    await frames.nth(0).locator("rect").click();
    assert.ok(Math.abs((await narrow.boundingBox()).width - before) < 1);
    const told = () => flame.locator(".detail").textContent();
    await flame.focus();
    const all = await told();
    assert.match(all, /^all rules: 100\.0 %/);
    await page.keyboard.press("ArrowDown");
    const below = await told();
    assert.notEqual(below, all);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const width = async (frame) => (await frame.locator("rect").boundingBox()).width;
    const [wide, whole] = [await width(flame.locator(".frame.at")), await width(flame.locator(".frame").first())];
    assert.ok(Math.abs(wide - whole) < 4, `as wide as all, but for its border: ${wide}, ${whole}`);
    await page.keyboard.press("ArrowUp");
    assert.equal(await told(), below);
    await page.keyboard.press("Escape");
    assert.equal(await told(), all);
}

// Closed sections open by themselves where a link leads to them.
async function checkFolding(page) {
    const endings = page.locator("#endings");
    assert.equal(await endings.getAttribute("open"), null);
    await page.locator("nav a[href='#endings']").click();
    assert.notEqual(await endings.getAttribute("open"), null);
    assert.ok(await endings.locator("table").isVisible());
    await page.getByRole("button", {name: "Open all sections"}).click();
    assert.equal(await page.locator("details.part:not([open])").count(), 0);
    await page.getByRole("button", {name: "Close all sections"}).click();
    assert.equal(await page.locator("details.part[open]").count(), 0);
}

// The name of a rule leads to its text, whether its section is closed or the address was that already.
async function checkRules(page, prefix) {
    const link = page.locator(`#${prefix}costs th a`).first();
    const rule = page.locator(`[id='${(await link.getAttribute("href")).slice(1)}']`);
    for (const again of [false, true]) {
        await page.evaluate((id) => { document.getElementById(id).open = false; }, `${prefix}rules`);
        await link.click();
        assert.ok(await rule.locator("pre").isVisible(), `again: ${again}`);
    }
    assert.match(await rule.locator("code").textContent(), /\.json:\d+:\d+$/);
    const ids = await page.locator("[id]").evaluateAll((all) => all.map((each) => each.id));
    assert.equal(new Set(ids).size, ids.length, "ids are unique");
    const known = new Set(ids);
    for (const href of await page.locator("main a[href^='#']").evaluateAll((all) => all.map((each) => each.hash)))
        assert.ok(known.has(href.slice(1)), href);
}

// The line of a sequential test ends where its number is, at one of its bounds.
async function checkCourse(page) {
    const chart = page.locator("[data-section=stop] [data-chart=llr]");
    const note = await page.locator("[data-section=stop] .note").first().textContent();
    const [, verdict, blocks] = note.match(/^(H[01]) accepted after (\d+) blocks, LLR -?[\d.]+ \[/);
    const points = (await chart.locator(".way").getAttribute("points")).split(" ")
        .map((point) => point.split(",").map(Number));
    assert.ok(points.length > 2 && points.length <= Number(blocks), note);
    assert.equal(points.at(-1)[0], 1000, "it ends at the right");
    const ground = await chart.locator(".bound").evaluateAll((lines) => lines.map((line) => line.y1.baseVal.value));
    const [high, low] = ground.map((y) => 1000 * y / 180);
    const end = points.at(-1)[1]; // downwards
    assert.ok(verdict === "H1" ? end <= high + 1 : end >= low - 1, `${note} ${end} ${high} ${low}`);
    for (const [, y] of points.slice(0, -1)) assert.ok(y > high - 1 && y < low + 1, "between the bounds until then");
}

async function checkPrint(page) {
    await page.evaluate(() => {
        for (const part of document.querySelectorAll("details")) part.open = false;
        window.addEventListener("beforeprint", () => {
            window.openInPrint = document.querySelectorAll("details:not([open])").length === 0;
        });
    });
    assert.ok((await page.pdf({format: "A4"})).length > 10000);
    assert.equal(await page.evaluate(() => window.openInPrint), true, "all is open on paper");
    assert.equal(await page.locator("details[open]").count(), 0, "and as before afterwards");
    await page.emulateMedia({media: "print", colorScheme: "dark"});
    const [red] = (await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).match(/\d+/g);
    assert.ok(red > 200, "paper is white");
    for (const gone of ["nav", ".controls", "select"])
        assert.ok(await page.locator(gone).first().isHidden(), gone);
    await page.emulateMedia({media: "screen", colorScheme: "light"});
}

let scrolled = 0;
for (const kind of kinds) {
    const screens = [[1280, "dark"], [390, "light"], [320, "light"]];
    if (kind === "all") screens.push([1280, "light", "again"], [390, "dark", "again"]);
    for (const [width, scheme, again] of screens) {
        await open(kind, width, scheme);
        await checkWidth(page, kind, width);
        if (screenshots)
            await page.screenshot({path: `${screenshots}/${kind}-${width}-${scheme}.png`, fullPage: true});
        if (kind === "life" && width === 1280) await checkFolding(page);
        await unfoldAll(page);
        scrolled += await checkWidth(page, kind, width);
        await checkWords(page, kind);
        if (width === 320 && kind === "knockout") await checkScrolling(page);
        const [red] = (await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).match(/\d+/g);
        assert.ok(scheme === "dark" ? red < 60 : red > 200, scheme);
        if (kind === "evals" && width === 390) await checkBoard(page, "");
        if (kind === "sequential") await checkCourse(page);
        if (kind === "all" && (width === 320 || (width === 1280 && !again))) {
            await checkBoard(page, "chapter1-");
            await checkKeys(page, "chapter1-");
            await checkCards(page, "chapter2-");
            await checkKings(page, "chapter3-");
            await checkFlames(page);
            await checkRules(page, "chapter1-");
            assert.ok((await page.locator("main").innerText()).includes('<b>&"'), "a name is text, whatever is in it");
        }
        assert.equal(await page.locator(".game .empty").count(), 0, "every game can be shown");
        await checkWidth(page, kind, width);
        if (width !== 320) await checkAccess(page, kind, again);
        if (kind === "life" && width === 390 && scheme === "light") await checkPrint(page);
        assert.deepEqual(said.filter((line) => !line.includes("axe")), [], "the console is clean and nothing is asked for");
    }
}
assert.ok(scrolled > 0, "some table does not fit a phone");
await browser.close();
console.log(`${kinds.length} pages are well at 320, 390 and 1280, light and dark; axe finds nothing`);
