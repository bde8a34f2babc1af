// Runs watched and rules edited, as people do it: browser_runs_test.mjs BROWSER CROUPIER FOLDER [SCREENSHOTS]
import assert from "node:assert/strict";
import {execFileSync, spawn} from "node:child_process";
import {readFileSync} from "node:fs";
import {base, check, croupier, end, folder, newPage, said, shot, until} from "./browser_helpers.mjs";

const page = await newPage();
const runs = `${folder}/runs`;
const text = (selector) => page.locator(selector).innerText();
const stateIs = (state) => page.locator(`body[data-state=${state}]`).waitFor();

// ---- a run is started by the form, paused, resumed, watched to its end ----
await page.goto(`${base}/runs`);
await until(page, () => document.getElementById("agents").value !== "");
await page.selectOption("#game", "life");
await page.fill("#agents", "rules:nobody\nrandom");
await page.getByRole("button", {name: "Start"}).click();
await page.locator("#wrong:not([hidden])").waitFor();
assert.match(await text("#wrong"), /nobody/);
said.splice(0, said.length, ...said.filter((line) => !line.includes("400")));
await page.fill("#agents", "rules:greedy\nrandom");
await page.fill("#games", "3000");
await page.fill("#threads", "1");
await check(page, "the form of runs");
await shot(page, "runs");
await page.getByRole("button", {name: "Start"}).click();
await page.waitForURL(/\/run\/life-1$/);
await page.locator("#standings tbody tr").first().waitFor();
await check(page, "a run");
await page.getByRole("button", {name: "Pause"}).click();
await stateIs("paused");
await page.getByRole("button", {name: "Resume"}).click();
await stateIs("complete");
await until(page, () => document.body.dataset.games === "3000");
assert.match(await text("#standings"), /rules:greedy\s+3000/);
await shot(page, "run");
// What was paused and resumed here is what the command line would have played.
execFileSync(croupier, ["run", "--game", "life", "--agent", "rules:greedy", "--agent", "random", "--games", "3000",
    "--out", `${runs}/same`, "--progress", "none"], {stdio: "ignore"});
assert.ok(readFileSync(`${runs}/same/games.csv`).equals(readFileSync(`${runs}/life-1/games.csv`)), "the same bytes");

// ---- a game of it at any move ----
await page.locator("#games summary").click();
await page.locator("#games a").nth(1).click();
await page.waitForURL(/report\?game=0\.1/);
await page.locator(".viewer input[type=range]").fill("3");
assert.match(await text(".viewer .move"), /^3\. /);

// ---- one that was started elsewhere, with a test ----
const other = spawn(croupier, ["run", "--game", "life", "--agent", "rules:greedy", "--agent", "rules:greedy", "--sprt", "-5,5",
    "--games", "100000", "--out", `${runs}/elsewhere`, "--progress", "none"], {stdio: "ignore"});
await page.goto(`${base}/runs`);
await page.getByRole("link", {name: "elsewhere"}).click();
await page.locator("#courses svg polyline").waitFor();
assert.equal(await page.locator("body").getAttribute("data-state"), "elsewhere");
assert.ok(!await page.locator("#pause").isVisible(), "it is not ours to pause");
await check(page, "a test");
await shot(page, "test");
other.kill("SIGINT");
await stateIs("paused");

// ---- a rule is edited, its error seen, mended, kept, compared ----
const phone = {colorScheme: "dark", viewport: {width: 390, height: 844}, reducedMotion: "reduce"};
await page.goto(`${base}/rules?id=life`);
await page.locator("body[data-good=true]").waitFor();
const good = await page.inputValue("#text");
const looked = () => until(page, () => !document.getElementById("status").hasAttribute("aria-busy"));
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
await page.fill("#text", good.replace('"$N == 3"', '"$N == 3 || $N == 6"'));
await page.locator("body[data-good=true]").waitFor();
await page.fill("#name", "highlife");
await page.getByRole("button", {name: "Keep"}).click();
await page.getByRole("link", {name: "compare it with life"}).click();
await until(page, () => document.getElementById("other").value === "own/highlife" && document.getElementById("agents").value !== "");
await page.fill("#games", "60");
await page.getByRole("button", {name: "Start"}).click();
await page.waitForURL(/\/run\/life-own-highlife-1/);
await stateIs("complete");
await page.getByRole("link", {name: "Report"}).click();
await page.waitForURL(/\/report$/);
assert.match(await text("main"), /patterns\.is-born/);
assert.match(await text("main"), /length/i);

const small = await newPage(phone);
for (const address of ["/runs", "/run/life-1", "/rules?id=oldmaid"]) {
    await small.goto(base + address);
    await small.waitForTimeout(500);
    await check(small, `${address}, dark, on a phone`);
    await shot(small, `${address.slice(1).replace(/\W/g, "-")}-phone`);
}
await end();
