// Tables as people meet them: browser_tables_test.mjs BROWSER CROUPIER FOLDER [SCREENSHOTS]
//
// FOLDER has rulesets in own/; what is kept goes there as well.
import assert from "node:assert/strict";
import {readdirSync, writeFileSync} from "node:fs";
import {createServer} from "node:http";
import {base, check, checkRecord, end as endAll, folder, formOf, goesBack, goesOn, newPage, phone, playOut, said, settled, shot, sitDown, start,
    stop} from "./browser_helpers.mjs";

const page = await newPage();

// ---- a table is laid ----
await page.goto(`${base}/`);
await formOf(page, "belote");
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

// ---- a ruleset with errors says so, and the next game can be played ----
writeFileSync(`${folder}/own/wrong.json`, '{"game": {"name": "wrong", "players": ["A", "B"]}, "play": [{"condition": {"a": "$A = = 2"}}]}');
await page.goto(`${base}/`);
await page.selectOption("#game", "own/wrong");
await page.locator("#game-wrong").getByText("wrong.json:1:").waitFor();
assert.ok(!await page.getByRole("button", {name: "Sit down"}).isVisible());
await check(page, "a ruleset with errors");
said.length = 0; // that it was refused
await sitDown(page, "life");

// ---- taking back, hints, reasons ----
await settled(page);
const before = await settled(page);
await page.locator(".cell.legal").first().click();
await goesOn(page, before.ply);
await settled(page);
await page.getByRole("button", {name: "Undo"}).click();
await goesBack(page, before.ply);
assert.deepEqual((await settled(page)).scene, before.scene);
await page.getByRole("button", {name: "Redo"}).click();
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
await page.waitForURL(address);
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

// ---- a page of another site posts a form whose body is made up as a request ----
const laid = () => readdirSync(`${folder}/runs/tables`).filter((name) => name.endsWith(".table.json")).length;
const {key} = await (await fetch(`${base}/api/key`)).json();
const wish = '{"game":"life","seats":[{"who":"me"},{"who":"me"}],"pad":"';
const inner = `POST /api/tables HTTP/1.1\nHost: ${new URL(base).host}\nContent-Type: application/json\nX-Croupier-Key: ${key}\n` +
    `Content-Length: ${wish.length + 3}\n\n${wish}`;
const site = createServer((request, response) => response.setHeader("Content-Type", "text/html").end(`<form method="post" enctype="text/plain"
    action="${base}/api/tables"><textarea name="x"></textarea></form><script>
    const area = document.querySelector("textarea");
    area.name = ${JSON.stringify(inner)};
    area.value = '"}';
    document.forms[0].submit();</script>`));
await new Promise((resolve) => site.listen(0, "127.0.0.1", resolve));
const tablesBefore = laid();
const stranger = await newPage();
const refused = stranger.waitForResponse(`${base}/api/tables`);
await stranger.goto(`http://127.0.0.1:${site.address().port}/`);
assert.equal((await refused).status(), 403);
await sitDown(page, "life"); // by then, what else came with the form would have been done
assert.equal(laid(), tablesBefore + 1);
site.close();
said.length = 0; // the stranger's page, and that it was refused

// ---- phones, other people's colours, no motion, names with markup ----
const small = await newPage(phone);
for (const game of ["life", "tarot", "oldmaid", "subtraction", "own/shed"]) {
    await sitDown(small, game);
    await settled(small);
    await check(small, `${game}, dark, on a phone`);
    const moving = await small.evaluate(() => document.getAnimations().length);
    assert.equal(moving, 0, "nothing moves");
    await shot(small, `${game.replace("/", "-")}-phone`);
}
await sitDown(small, "own/markup");
await settled(small);
assert.equal(await small.locator("#title").textContent(), "<b>m</b>");
assert.equal(await small.locator("main b, main i, main u, main script, main img").filter({hasText: /other|alert/}).count(), 0);
assert.ok(await small.locator("#moves").getByText("<script>alert(1)</script>").isVisible());
await playOut(small);

await endAll();
