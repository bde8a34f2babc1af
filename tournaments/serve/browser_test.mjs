// Tables as people meet them: browser_test.mjs BROWSER CROUPIER FOLDER [SCREENSHOTS]
//
// FOLDER has rulesets in own/; what is kept goes there as well.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readdirSync} from "node:fs";
import {base, check, croupier, end as endAll, folder, newPage, patience, said, shot, start, stop, until} from "./browser_helpers.mjs";

const page = await newPage();

// ---- what a person does ----
// How many moves the page knows of.
const plyShown = () => {
    const list = document.getElementById("made");
    return list.start + list.children.length - 1;
};
const goesOn = async (page, ply) => {
    for (const end = Date.now() + patience; Date.now() < end; await page.waitForTimeout(20))
        if (await page.evaluate(plyShown) > ply) return;
    assert.fail(`no move after ${ply}: ${await page.locator("#status").textContent()}, ${await page.locator("#said").textContent()}`);
};
const sitDown = async (page, game, {revision, agent = "random", others, options = {}} = {}) => {
    await page.goto(`${base}/`);
    await page.locator("#details:not([inert]):not([hidden])").waitFor();
    await page.selectOption("#game", game);
    if (revision) await page.selectOption("#revision", revision);
    // The form is that of the game before until the facts of this one are there.
    await until(page, (id) => document.getElementById("details").dataset.game === id, revision ?? game);
    for (const input of await page.locator(".seat-row input:not([hidden])").all()) await input.fill(agent);
    for (const seat of others ?? []) await page.locator(`.seat-row[data-seat="${seat}"] select`).selectOption("person");
    for (const [option, value] of Object.entries(options)) {
        if (!await page.locator("#options").isVisible()) await page.locator("#rules summary").click();
        await page.fill(`#option-${option}`, value);
    }
    await page.selectOption("#pace", "0");
    await page.fill("#seed", "5"); // a deal in which whoever sits at A has something to do
    await page.getByRole("button", {name: "Sit down"}).click();
    await page.waitForURL(/\/table\//);
};
const state = (page) => page.evaluate(async () => (await fetch(`/api/table/${location.pathname.split("/")[2]}`)).json());
// The page has arrived at what the server knows, and nothing more is to come.
const settled = async (page) => {
    for (;;) {
        const now = await state(page);
        const status = await page.locator("#status").textContent();
        const arrived = now.moves ? /^Your turn/.test(status) && await page.evaluate(plyShown) === now.ply
            : now.end ? await page.locator("#end").isVisible() : true;
        if (arrived && !now.thinking) return now;
        await page.waitForTimeout(30);
    }
};
// Clicks on the table where there is something to click, else in the list; until the end. How often of each.
const playOut = async (page, most = 400) => {
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
const checkRecord = (prefix) => {
    const files = readdirSync(`${folder}/runs/tables`).filter((name) => name.startsWith(prefix) && name.endsWith(".jsonl"));
    assert.ok(files.length > 0, prefix);
    for (const file of files) {
        const told = execFileSync(croupier, ["replay", "--check", `${folder}/runs/tables/${file}`], {encoding: "utf8"});
        assert.match(told, /the record is what the rules and the seed give/);
    }
};

// ---- a table is laid ----
await page.goto(`${base}/`);
await page.locator("#details:not([inert])").waitFor();
await check(page, "home");
const sizes = await page.evaluate(() => performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
    .reduce((sum, {decodedBodySize}) => sum + decodedBodySize, 0));
assert.ok(sizes < 200000, `the first page takes ${sizes} bytes`);
await shot(page, "home");

// ---- whole games by clicks ----
for (const [game, agent, onTable] of [["belote", "rules:table", 8], ["oldmaid", "random", 1], ["own/shed", "random", 2],
    ["coinche", "random", 8], ["tarot", "random", 10], ["krk", "random", 1]]) {
    await sitDown(page, game, {agent});
    const first = await settled(page);
    await check(page, game);
    if (first.moves) await shot(page, game.replace("/", "-"));
    const {clicked, end} = await playOut(page);
    assert.ok(end.end, `${game} has ended`);
    // Random players lose Old Maid early, or not.
    assert.ok(clicked.table >= (game === "krk" || game === "oldmaid" ? 1 : onTable), `${game}: ${JSON.stringify(clicked)}`);
    await check(page, `${game}, ended`);
    checkRecord(game.replace("/", "-"));
}
// Life may take a thousand moves: this one is over after thirty.
await sitDown(page, "life", {options: {max_plies: "30"}});
const life = await playOut(page);
assert.equal(life.end.ply, 30);
assert.match(life.end.end.text, /the game has reached 30 moves/);
assert.equal(life.clicked.table, 15, "all of them by clicks on the board");
checkRecord("life");
await shot(page, "life");
await sitDown(page, "life", {agent: "eval"});

// ---- taking back, hints, reasons ----
await settled(page);
const before = await settled(page);
await page.locator(".cell.legal").first().click();
await goesOn(page, before.ply);
await settled(page);
await page.getByRole("button", {name: "Take back"}).click();
for (; await page.evaluate(plyShown) !== before.ply; await page.waitForTimeout(20));
assert.deepEqual((await settled(page)).scene, before.scene);
await page.getByRole("button", {name: "Make again"}).click();
await goesOn(page, before.ply);
await settled(page);
await page.getByRole("button", {name: "Hint"}).click();
await page.locator("#said").getByText("would play").waitFor();
assert.ok(await page.locator(".cell.hinted").count() > 0, "the hint is marked");
await page.locator(".cell:not(.legal)").first().click();
await page.locator("#said").getByText("cannot be played now").waitFor();
assert.match(await page.locator("#said").innerText(), /is not legal/);
await check(page, "a reason");
// By the keyboard alone: to a cell, and there.
const keys = await settled(page);
await page.locator('.cell[tabindex="0"]').focus();
// Row by row from the top, there and back.
for (const key of ["ArrowUp", "ArrowLeft"]) for (let i = 0; i < 18; ++i) await page.keyboard.press(key);
for (let i = 0; i < 361 && !await page.evaluate(() => document.activeElement.classList.contains("legal")); ++i)
    await page.keyboard.press(i % 19 === 18 ? "ArrowDown" : Math.floor(i / 19) % 2 ? "ArrowLeft" : "ArrowRight");
await page.keyboard.press("Enter");
await goesOn(page, keys.ply);

// ---- reload, back, a second tab, the server killed and started again ----
await sitDown(page, "belote", {agent: "rules:table"});
const kept = await settled(page);
const address = page.url();
await page.reload();
assert.deepEqual((await settled(page)).scene, kept.scene);
await page.goBack();
await page.locator("#mine a").first().waitFor();
await page.locator("#mine a").first().click();
assert.equal(page.url(), address);
const second = await page.context().newPage();
await second.goto(address);
await settled(second);
await second.locator(".hand .legal, #moves button").first().click();
await goesOn(second, kept.ply);
await goesOn(page, kept.ply);
await second.close();
const running = await settled(page);
await stop("SIGKILL");
said.length = 0;
await start(Number(new URL(base).port));
await page.goto(address);
assert.deepEqual((await settled(page)).scene, running.scene);
said.length = 0; // that the server was gone
const {end} = await playOut(page);
assert.ok(end.end);
checkRecord("belote");

// ---- two people, two browsers ----
await sitDown(page, "belote", {agent: "random", others: [2]});
const link = await page.locator("#open a").getAttribute("href");
const guest = await newPage({colorScheme: "dark", viewport: {width: 390, height: 844}});
await guest.goto(base + link);
await check(guest, "invitation");
await guest.getByRole("button", {name: "Take the seat"}).click();
await guest.waitForURL(/\/table\//);
await page.locator("#open").waitFor({state: "hidden"});
const hands = async (page) => (await state(page)).scene.piles.filter(({cards, hand}) => cards && hand !== undefined).map(({hand}) => hand);
assert.deepEqual([await hands(page), await hands(guest)], [[0], [2]]);
const ours = [page, guest];
let over = null;
for (let i = 0; i < 60 && !over; ++i) {
    for (const one of ours) {
        const now = await settled(one);
        if (now.end) over = now;
        if (!now.moves) continue;
        const card = one.locator(".hand .legal").first();
        await (await card.count() ? card : one.locator("#moves button").last()).click();
        await goesOn(one, now.ply);
        if (i === 4) { await shot(guest, "belote-phone"); await check(guest, "belote, dark, on a phone"); }
    }
}
assert.ok(over, "two people have played a game");
const late = await newPage();
await late.goto(base + link);
await late.getByRole("button", {name: "Take the seat"}).click();
await late.getByText("Somebody has taken this seat already").waitFor();
said.splice(0, said.length, ...said.filter((text) => !text.includes("404")));

// ---- phones, other people's colours, no motion, names with markup ----
const phone = await newPage({colorScheme: "dark", viewport: {width: 390, height: 844}, reducedMotion: "reduce"});
for (const game of ["life", "tarot", "oldmaid", "subtraction", "own/shed"]) {
    await sitDown(phone, game);
    await settled(phone);
    await check(phone, `${game}, dark, on a phone`);
    const moving = await phone.evaluate(() => document.getAnimations().length);
    assert.equal(moving, 0, "nothing moves");
    await shot(phone, `${game.replace("/", "-")}-phone`);
}
await sitDown(phone, "own/markup");
await settled(phone);
assert.equal(await phone.locator("#title").textContent(), "<b>m</b>");
assert.equal(await phone.locator("main b, main i, main u, main script, main img").filter({hasText: /other|alert/}).count(), 0);
assert.ok(await phone.locator("#moves").getByText("<script>alert(1)</script>").isVisible());
await playOut(phone);

await endAll();
