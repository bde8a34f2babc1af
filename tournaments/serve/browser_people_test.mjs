// Two people at a table, and clicks and answers that cross: browser_people_test.mjs BROWSER CROUPIER FOLDER [SCREENSHOTS]
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {base, check, croupier, end, folder, formOf, goesOn, keepBack, newPage, phone, said, settled, shot, sitDown, state, until} from "./browser_helpers.mjs";

const page = await newPage();
const click = () => page.locator(".cell.legal").first().click();

// ---- a game is chosen, another one, and the first again: the answer to the first choice comes last ----
await page.goto(`${base}/`);
await formOf(page, "belote");
const choice = await keepBack(page, "**/api/game?id=life");
for (const game of ["life", "belote", "life"]) await page.selectOption("#game", game);
await formOf(page, "life");
await page.locator('.seat-row[data-seat="1"] select').selectOption("person");
await choice.letGo();
await page.getByRole("button", {name: "Sit down"}).click();
await page.locator("#open a").waitFor();

// ---- the news of a move comes before the answer to it: the next one can be made ----
await sitDown(page, "life");
const move = await keepBack(page, "**/move");
for (let i = 0; i < 2; ++i) {
    const {ply} = await settled(page);
    await click();
    await goesOn(page, ply);
}
await move.letGo();

// ---- what was asked for after a move that came to nothing is older than the news when it comes ----
const {ply} = await settled(page);
await page.route("**/move", (route) => route.fulfill({status: 409, json: {error: "The game has moved on meanwhile."}}), {times: 1});
const old = await keepBack(page, page.url().replace("/table/", "/api/table/"));
await click();
await old.made;
await click();
await goesOn(page, ply);
await old.letGo();
assert.ok((await settled(page)).ply > ply);

// ---- two people, two browsers ----
await sitDown(page, "belote", {agent: "random", others: [2]});
const link = await page.locator("#open a").getAttribute("href");
const guest = await newPage(phone);
await guest.goto(base + link);
await check(guest, "invitation");
await guest.getByRole("button", {name: "Take the seat"}).click();
await guest.waitForURL(/\/table\//);
await page.locator("#open").waitFor({state: "hidden"});
const hands = async (page) => (await state(page)).scene.piles.filter(({cards, hand}) => cards && hand !== undefined).map(({hand}) => hand);
assert.deepEqual([await hands(page), await hands(guest)], [[0], [2]]);
// ---- a seat goes to an agent and back ----
await guest.locator("#menu summary").click();
await guest.fill("#adviser", "random");
await guest.getByRole("button", {name: "Let the adviser play"}).click();
const back = guest.getByRole("button", {name: "Take my seat back"});
await back.waitFor();
await check(guest, "an agent plays");
await until(page, () => /random for a person/.test(document.body.innerText));
assert.equal((await state(guest)).away, "random");
await back.click();
await back.waitFor({state: "hidden"});
await until(page, () => !/random for a person/.test(document.body.innerText));
const ours = [page, guest];
const playTogether = async (round = () => {}) => {
    for (let i = 0; i < 60; ++i) {
        for (const one of ours) {
            const now = await settled(one);
            if (now.end) return;
            if (!now.moves) continue;
            const card = one.locator(".hand .legal").first();
            await (await card.count() ? card : one.locator("#moves button").last()).click();
            await goesOn(one, now.ply);
        }
        await round(i);
    }
    assert.fail("two people have not played a game to its end");
};
await playTogether(async (i) => {
    if (i !== 4) return;
    await shot(guest, "belote-phone");
    await check(guest, "belote, dark, on a phone");
});

// ---- each gives a share of the deal, and proves it by what the own page was shown ----
await page.goto(`${base}/`);
await formOf(page, "belote");
await page.fill("#seed", "");
for (const input of await page.locator(".seat-row input:not([hidden])").all()) await input.fill("random");
await page.locator('.seat-row[data-seat="1"] select').selectOption("person");
await page.locator("#fair").check();
await page.selectOption("#pace", "0");
await page.getByRole("button", {name: "Sit down"}).click();
await page.getByText("Waiting for a person to take seat B.").waitFor();
await check(page, "before the deal");
await guest.goto(base + await page.locator("#open a").getAttribute("href"));
await guest.getByRole("button", {name: "Take the seat"}).click();
await guest.waitForURL(/\/table\//);
for (const one of ours) await until(one, () => !/Waiting for a person|shares of the deal/.test(document.getElementById("status").textContent));
await playTogether();
await guest.locator("#end").waitFor();
await guest.locator("#menu summary").click();
const download = guest.waitForEvent("download");
await guest.getByRole("button", {name: "What I was shown"}).click();
const file = `${folder}/seat.jsonl`;
await (await download).saveAs(file);
const proof = execFileSync(croupier, ["replay", "--check", file], {encoding: "utf8"}).replaceAll(/\s+/g, " ");
assert.match(proof, /the deal follows from the shares of host, A, B, and the \d+ positions that B was shown/);

// A host that asks for the share again, with hashes of another choice, is not believed.
const kept = await guest.evaluate(async () => {
    const {seatRecord, witness} = await import("/assets/fair.js");
    const state = (need, hash, dealt) => ({deal: 7, ply: 0, made: [], viewer: 0, seats: [{name: "B"}], scene: {},
        shares: {need, dealt, hashes: [{by: "host", hash}], head: {seats: ["B"]}}});
    for (const seen of [state("hash", ""), state("share", "first"), state("share", "second"), state("", "second", true)])
        witness(seen, "nobody");
    return seatRecord({deal: 7}, "");
});
assert.match(kept, /"hash":"first"/);
assert.doesNotMatch(kept, /second/);

const third = await newPage();
await third.goto(base + link);
await third.getByRole("button", {name: "Take the seat"}).click();
await third.getByText("This seat is taken").waitFor();
said.splice(0, said.length, ...said.filter((text) => !/40[49]/.test(text)));

await end();
