// A server and a browser for tests: what a page must not do is noted, and every page is looked at by axe.
//
// Nothing here is a matter of speed: each wait is for something that is to happen.
import assert from "node:assert/strict";
import {execFileSync, spawn} from "node:child_process";
import {readdirSync, readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {chromium} from "playwright-core";

export const [, , browserPath, croupier, folder, screenshots] = process.argv;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const patience = 300000; // in milliseconds: then it is taken for granted that nothing comes any more

// ---- the server ----
let server;
export let base;
export const start = async (port = 0) => {
    server = spawn(croupier, ["serve", "--port", String(port), "--folder", `${folder}/runs`, "--rules", `${folder}/own`]);
    let text = "";
    await new Promise((resolve, reject) => {
        server.stdout.on("data", (piece) => { text += piece; if (text.includes("\n")) resolve(); });
        server.on("exit", () => reject(new Error(`croupier serve has ended: ${text}`)));
    });
    base = text.split("\n")[0].replace(/\/$/, "");
};
export const stop = (signal) => new Promise((resolve) => {
    server.removeAllListeners("exit");
    server.on("exit", (code) => resolve(code));
    server.kill(signal);
});
process.on("exit", () => server.kill("SIGKILL")); // whatever has failed
await start();

// ---- the browser ----
export const browser = await chromium.launch({executablePath: browserPath, args: ["--no-sandbox"], timeout: patience});
export const said = []; // what no page may say
export const phone = {colorScheme: "dark", viewport: {width: 390, height: 844}, reducedMotion: "reduce"};
export const newPage = async (options = {}) => {
    const context = await browser.newContext({viewport: {width: 1280, height: 860}, ...options});
    context.setDefaultTimeout(patience);
    const page = await context.newPage();
    page.on("console", (message) => { if (message.type() === "error") said.push(message.text()); });
    page.on("pageerror", (error) => said.push(String(error)));
    page.on("request", (request) => { if (!request.url().startsWith(base)) said.push(request.url()); });
    page.on("dialog", (dialog) => { said.push(dialog.message()); dialog.dismiss(); });
    return page;
};
export const shot = async (page, name) => { if (screenshots) await page.screenshot({path: `${screenshots}/${name}.png`, fullPage: true}); };
export const check = async (page, what) => {
    const width = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    assert.ok(width[0] <= width[1], `${what} scrolls sideways: ${width}`);
    await page.addScriptTag({content: ""}).then(() => assert.fail("a page takes scripts that are none of its own"), () => {});
    // The policy keeps scripts out of the page; what the debugger evaluates is none of it.
    await page.evaluate(axe);
    const found = await page.evaluate(async () => (await window.axe.run(document, {resultTypes: ["violations"]})).violations
        .map(({id, nodes}) => `${id}: ${nodes[0].html.slice(0, 200)}`));
    assert.deepEqual(found, [], `${what}: axe`);
};

const eventually = async (page, test, what) => {
    for (const end = Date.now() + patience; Date.now() < end; await page.waitForTimeout(20)) {
        const found = await test();
        if (found) return found;
    }
    assert.fail(`it never came: ${what}\n${await page.locator("body").innerText()}`);
};
// (waitForFunction is what the policy forbids.)
export const until = (page, test, argument) => eventually(page, () => page.evaluate(test, argument), `${test}, ${argument}`);

const gate = () => {
    let open;
    const opened = new Promise((resolve) => { open = resolve; });
    return {open, opened};
};
// Keeps the next answer from an address back: when it is `made`, and a way to let it go.
export const keepBack = async (page, address) => {
    const [made, free] = [gate(), gate()];
    await page.route(address, async (route) => {
        const response = await route.fetch();
        made.open();
        await free.opened;
        await route.fulfill({response});
    }, {times: 1});
    const letGo = async () => {
        const answered = page.waitForResponse(address);
        free.open();
        await (await answered).finished();
    };
    return {made: made.opened, letGo};
};

// ---- what people do at tables ----
// How many moves the page knows of.
export const plyShown = (page) => page.evaluate(() => {
    const list = document.getElementById("made");
    return list.start + list.children.length - 1;
});
export const goesOn = (page, ply) => eventually(page, async () => await plyShown(page) > ply, `a move after ${ply}`);
export const goesBack = (page, ply) => eventually(page, async () => await plyShown(page) === ply, `move ${ply}`);
// The form is that of the game before until the facts of this one are there.
export const formOf = (page, game) => until(page, (game) => {
    const form = document.getElementById("details");
    return !form.inert && !form.hidden && form.dataset.game === game;
}, game);
export const sitDown = async (page, game, {agent = "random", others = [], options = {}} = {}) => {
    await page.goto(`${base}/`);
    await page.selectOption("#game", game);
    await formOf(page, game);
    for (const input of await page.locator(".seat-row input:not([hidden])").all()) await input.fill(agent);
    for (const seat of others) await page.locator(`.seat-row[data-seat="${seat}"] select`).selectOption("person");
    for (const [option, value] of Object.entries(options)) {
        if (!await page.locator("#options").isVisible()) await page.locator("#rules summary").click();
        await page.fill(`#option-${option}`, value);
    }
    await page.selectOption("#pace", "0");
    await page.fill("#seed", "5"); // a deal in which whoever sits at A has something to do
    await page.getByRole("button", {name: "Sit down"}).click();
    await page.waitForURL(/\/table\//);
};
export const state = (page) => page.evaluate(async () => (await fetch(`/api/table/${location.pathname.split("/")[2]}`)).json());
// The page has arrived at what the server knows, and nothing more is to come.
export const settled = (page) => eventually(page, async () => {
    const now = await state(page);
    const status = await page.locator("#status").textContent();
    const arrived = now.moves ? /^Your turn/.test(status) && await plyShown(page) === now.ply
        : now.end ? await page.locator("#end").isVisible() : true;
    return arrived && !now.thinking && now;
}, "rest");
// Clicks on the table where there is something to click, else in the list; until the end. How often of each.
export const playOut = async (page, most = 400) => {
    const clicked = {table: 0, list: 0};
    for (let i = 0; i < most; ++i) {
        const now = await settled(page);
        if (!now.moves) return {clicked, end: now};
        const places = page.locator(".hand .legal, button.back, .cell.legal");
        const count = await places.count();
        if (count) {
            const place = places.nth(Math.floor(count / 2));
            await place.click();
            if (await page.locator("#which").isVisible()) await page.locator("#which .moves button").first().click();
            const target = page.locator(".cell.target").first();
            if (await target.count()) await target.click();
            ++clicked.table;
        } else {
            await page.locator("#moves button").last().click();
            ++clicked.list;
        }
        await goesOn(page, now.ply);
    }
    return {clicked, end: await settled(page)};
};
export const checkRecord = (prefix) => {
    const files = readdirSync(`${folder}/runs/tables`).filter((name) => name.startsWith(prefix) && name.endsWith(".jsonl"));
    assert.ok(files.length > 0, prefix);
    for (const file of files) {
        const told = execFileSync(croupier, ["replay", "--check", `${folder}/runs/tables/${file}`], {encoding: "utf8"});
        assert.match(told, /the record is what the rules and the seed give/);
    }
};

export const end = async () => {
    assert.deepEqual(said, []);
    await browser.close();
    assert.equal(await stop("SIGINT"), 0, "Ctrl-C is how a server ends");
};
