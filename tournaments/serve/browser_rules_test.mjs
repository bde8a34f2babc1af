// Rules edited, as people do it: browser_rules_test.mjs BROWSER CROUPIER FOLDER [SCREENSHOTS]
import assert from "node:assert/strict";
import {writeFileSync} from "node:fs";
import {base, check, end, folder, keepBack, newPage, phone, shot, until} from "./browser_helpers.mjs";

const page = await newPage();
const text = (selector) => page.locator(selector).innerText();

// ---- a rule is edited, its error seen, mended, kept, compared ----
await page.goto(`${base}/rules?id=life`);
await page.locator("body[data-good=true]").waitFor();
const good = await page.inputValue("#text");
const looked = () => until(page, () => !document.getElementById("status").hasAttribute("aria-busy"));
// It opens on a deal, drawn, and marks what the next match names.
await page.getByText("Next: may-drop").waitFor();
assert.equal(await page.locator("#scene .piece").count(), 22);
assert.ok(await page.locator("#scene .cell.hinted").count() > 0);
const group = async (name) => {
    await page.selectOption("#group", name);
    await until(page, (wanted) => document.getElementById("group").value === wanted && document.querySelector("#rules button"), name);
    await looked();
};
await group("setup");
await page.getByRole("button", {name: "To the end"}).click();
await page.locator("#status").getByText("The end, after").waitFor();
await page.getByRole("button", {name: "Begin here"}).click();
await page.locator("#status").getByText("After 0 firings").waitFor();
await group("moves");
await page.getByText("Next: ").waitFor();
await page.locator("#rules").getByRole("button", {name: "may-drop", exact: true}).click();
await page.locator("#matches li").nth(1).waitFor();
assert.ok(await page.locator(".tree .chosen").count() > 0, "nodes of a match are marked");
assert.ok(await page.locator("#marks .chosen").count() > 0, "the rule is marked");
assert.ok(await page.locator("#gutter div[style]").count() > 2, "costs are heat in the margin");
await page.getByRole("button", {name: "Step", exact: true}).click();
await page.locator("#status").getByText("After 1 firing").waitFor();
assert.ok(await page.locator(".tree .changed").count() > 0);
await page.locator("#rules").getByRole("button", {name: "may-pass", exact: true}).click();
await page.getByText("The nearest").waitFor();
assert.ok(await page.locator("#marks .stops").count() > 0, "what stops it is marked");
await check(page, "rules");
await shot(page, "rules");
await page.getByRole("button", {name: "Back"}).click();
await page.locator("#status").getByText("After 0 firings").waitFor();
await page.getByLabel("Breakpoint at may-pass").check();
await page.getByRole("button", {name: "To a breakpoint"}).click();
await page.locator("#status").getByText("The end, after").waitFor(); // it never fires here
// A leaf of the state.
await page.locator('.tree [data-path="turn"]').click();
await page.locator('.tree input').fill('"W"');
await page.keyboard.press("Enter");
await until(page, () => document.querySelector('.tree [data-path="turn"]')?.textContent.includes("W"));
await page.fill("#text", good.replace('"$N == 3"', '"$N = = 3"'));
await page.locator("#diagnostics .error").first().waitFor();
assert.ok(await page.locator("#marks .error").count() > 0, "the mistake is marked at its place");
assert.ok(!(await text("#diagnostics")).includes(folder), "no path is shown");
await shot(page, "mistake");
const draft = await page.inputValue("#text");
await page.reload();
await page.locator("#diagnostics .error").first().waitFor();
assert.equal(await page.inputValue("#text"), draft, "a reload keeps what was typed");
await page.goto(`${base}/runs`);
await page.goBack();
await page.locator("#diagnostics .error").first().waitFor();
assert.equal(await page.inputValue("#text"), draft, "and so does the way back");
// What was not touched is as the folder has it now.
const own = (left) => writeFileSync(`${folder}/own/count.json`, `{"game": {"name": "count", "players": ["A"]}, "state": {"left": ${left}}}`);
own(3);
const other = await newPage();
await other.goto(`${base}/rules?id=own/count`);
await until(other, () => document.getElementById("text").value.includes('"left": 3') && history.state?.given);
own(4);
await other.reload();
await until(other, () => document.getElementById("text").value.includes('"left": 4'));
await page.fill("#text", good.replace('"$N == 3"', '"$N == 3 || $N == 6"'));
await page.locator("body[data-good=true]").waitFor();
await page.fill("#name", "highlife");
await page.getByRole("button", {name: "Save"}).click();
await page.getByRole("link", {name: "compare it with life"}).click();
await until(page, () => document.getElementById("other").value === "own/highlife" && document.getElementById("agents").value !== "");
await page.fill("#games", "60");
await page.getByRole("button", {name: "Start"}).click();
await page.waitForURL(/\/run\/life-own-highlife-1/);
await page.locator("body[data-state=complete]").waitFor();
await page.getByRole("link", {name: "Report"}).click();
await page.waitForURL(/\/report$/);
assert.match(await text("main"), /patterns\.is-born/);
assert.match(await text("main"), /length/i);

// ---- a program of CLIPS: its agenda and facts ----
await page.goto(`${base}/rules?id=oldmaid.clp`);
if (await page.inputValue("#game") === "oldmaid.clp") { // built with the library of CLIPS
    await page.locator("body[data-good=true][data-clips=true]").waitFor();
    await page.getByText("Next: deal").waitFor();
    assert.equal(await page.locator("#agenda li").count(), 54, "53 cards to be dealt, and the end of that");
    await page.getByRole("button", {name: "Step", exact: true}).click();
    await page.locator("#status").getByText("After 1 firing").waitFor();
    assert.ok(await page.locator(".tree .changed").count() > 0, "the fact that came is marked");
    await page.locator("#rules").getByRole("button", {name: "loser", exact: true}).click();
    await page.locator("#why-says").getByText("condition 1").waitFor();
    await page.getByLabel("Breakpoint at loser").check();
    await page.getByRole("button", {name: "To a breakpoint"}).click();
    await page.getByText("Next: loser").waitFor();
    await check(page, "clips");
    await shot(page, "clips");
    const program = await page.inputValue("#text");
    await page.fill("#text", program.replace("(defrule loser", "(defrule loser ("));
    await page.locator("#diagnostics .error").first().waitFor();
    await page.fill("#text", program);
    await page.locator("body[data-good=true]").waitFor();
    await page.fill("#name", "mine");
    await page.getByRole("button", {name: "Save"}).click();
    await page.getByRole("link", {name: "compare it with oldmaid.clp"}).waitFor();
    await page.goto(`${base}/rules?id=own/mine.clp`);
    await page.locator("body[data-good=true][data-clips=true]").waitFor();
}

// ---- a game is chosen, and then another: the text of the first comes last ----
await page.goto(`${base}/rules?id=life`);
await page.locator("body[data-good=true]").waitFor();
const choice = await keepBack(page, "**/api/rules?id=krk");
await page.selectOption("#game", "krk");
await page.selectOption("#game", "oldmaid");
await until(page, (life) => document.getElementById("text").value !== life, good);
const oldmaid = await page.inputValue("#text");
await choice.letGo();
assert.equal(await page.inputValue("#text"), oldmaid);

// ---- on a phone ----
const small = await newPage(phone);
await small.goto(`${base}/rules?id=oldmaid`);
await small.locator("body[data-good=true]").waitFor();
await check(small, "rules, dark, on a phone");
await shot(small, "rules-phone");
await end();
