// Runs started and watched, as people do it: browser_runs_test.mjs BROWSER CROUPIER FOLDER [SCREENSHOTS]
import assert from "node:assert/strict";
import {execFileSync, spawn} from "node:child_process";
import {readFileSync, renameSync} from "node:fs";
import {base, check, croupier, end, folder, newPage, phone, said, shot, start, stop, until} from "./browser_helpers.mjs";

const page = await newPage();
const runs = `${folder}/runs`;
const text = (selector) => page.locator(selector).innerText();
const stateIs = (state) => page.locator(`body[data-state=${state}]`).waitFor();

// ---- a run is started by the form, stopped, resumed, watched to its end ----
const form = async (games) => {
    await page.goto(`${base}/runs`);
    await until(page, () => document.getElementById("agents").value !== "");
    await page.selectOption("#game", "life");
    await page.fill("#games", String(games));
    await page.fill("#threads", "1");
};
const begin = async (name) => {
    await page.getByRole("button", {name: "Start"}).click();
    await page.waitForURL(`**/run/${name}`);
};
await form(3000);
await page.fill("#agents", "rules:nobody\nrandom");
await page.getByRole("button", {name: "Start"}).click();
await page.locator("#wrong:not([hidden])").waitFor();
assert.match(await text("#wrong"), /nobody/);
await check(page, "the form of runs");
await shot(page, "runs");
// Longer ones until one is stopped before its end, whichever is quicker here, runs or pages.
let games = 3000, name = "life-1";
for (let i = 2; ; ++i) {
    await page.fill("#agents", "rules:greedy\nrandom");
    await begin(name);
    await page.locator("#standings tbody tr").first().waitFor();
    await page.locator("#stop").evaluate((button) => button.click());
    await page.locator("body:is([data-state=stopped], [data-state=complete])").waitFor();
    if (await page.locator("body[data-state=stopped]").count()) break;
    games *= 4;
    name = `life-${i}`;
    await form(games);
}
said.splice(0, said.length, ...said.filter((line) => !line.includes("400")));
assert.match(await text("#status"), /^Stopped; the games played count/);
assert.match(await text("#standings"), /rules:greedy\s+\d+/);
assert.ok(!await page.locator("#stop").isVisible(), "it has stopped");
await check(page, "a run");
await page.getByRole("button", {name: "Resume"}).click();
await stateIs("complete");
await until(page, (games) => document.body.dataset.games === games, String(games));
assert.match(await text("#standings"), new RegExp(`rules:greedy\\s+${games}`));
await shot(page, "run");
// What was stopped and resumed here is what the command line would have played.
execFileSync(croupier, ["run", "--game", "life", "--agent", "rules:greedy", "--agent", "random", "--games", String(games),
    "--out", `${runs}/same`, "--progress", "none"], {stdio: "ignore"});
assert.ok(readFileSync(`${runs}/same/games.csv`).equals(readFileSync(`${runs}/${name}/games.csv`)), "the same bytes");

// ---- a game of it at any move ----
await page.locator("#games summary").click();
await page.locator("#games a").nth(1).click();
await page.waitForURL(/report\?game=0\.1/);
await page.locator(".viewer input[type=range]").fill("3");
assert.match(await text(".viewer .move"), /^3\. /);

// ---- the server is killed: the run goes on without it, to the same end ----
await form(games);
await page.fill("#agents", "rules:greedy\nrandom");
await page.getByRole("button", {name: "Start"}).click();
await page.waitForURL(/\/run\/life-\d+$/);
await page.locator("#standings tbody tr").first().waitFor();
await stop("SIGKILL");
await page.locator("#status").getByText("does not answer").waitFor();
await start(Number(new URL(base).port));
await stateIs("complete");
said.length = 0; // that the server was gone
const left = page.url().split("/").at(-1);
assert.ok(readFileSync(`${runs}/same/games.csv`).equals(readFileSync(`${runs}/${left}/games.csv`)), "the same bytes");

// ---- a folder whose name is markup, and means something in addresses ----
renameSync(`${runs}/same`, `${runs}/<i>a b%41#1?x`);
await page.goto(`${base}/runs`);
await page.getByRole("link", {name: "<i>a b%41#1?x"}).click();
await stateIs("complete");
assert.match(await text("#title"), /^<i>a b%41#1\?x: life$/);
await page.locator("#games summary").click();
await page.locator("#games a").nth(1).click();
await page.locator(".viewer .move").first().waitFor();

// ---- one that was started elsewhere, with a test ----
const other = spawn(croupier, ["run", "--game", "life", "--agent", "rules:greedy", "--agent", "rules:greedy", "--sprt", "-0.5,0.5",
    "--games", "10000000", "--out", `${runs}/elsewhere`, "--progress", "none"], {stdio: "ignore"});
process.on("exit", () => other.kill("SIGKILL"));
await page.goto(`${base}/runs`);
await page.getByRole("link", {name: "elsewhere"}).click();
await page.locator("#courses svg polyline").waitFor();
assert.equal(await page.locator("body").getAttribute("data-state"), "elsewhere");
assert.ok(!await page.locator("#stop").isVisible(), "it is not ours to stop");
await check(page, "a test");
await shot(page, "test");
other.kill("SIGINT");
await stateIs("stopped");

// ---- a comparison: verdicts while it is played, and after ----
await page.goto(`${base}/runs?game=life&other=life:torus`);
await until(page, () => document.getElementById("other").value === "life:torus" && document.getElementById("agents").value !== "");
await page.fill("#games", "100000000");
await page.getByRole("button", {name: "Start"}).click();
await page.waitForURL("**/run/*");
await page.locator("#verdicts tbody tr").first().waitFor();
assert.equal(await page.locator("body").getAttribute("data-state"), "running");
assert.match(await text("#verdicts"), /A is life, B is life:torus\. After \d+ games so far\./);
assert.match(await text("#verdicts"), /branching\s+\d+\.\d+\s+\d+\.\d+/);
await check(page, "a comparison");
await shot(page, "comparison");
await page.locator("#stop").evaluate((button) => button.click());
await stateIs("stopped");
assert.match(await text("#verdicts"), /games so far/);
execFileSync(croupier, ["ablate", "belote", "--agent", "rules:naive", "--games", "20", "--no-costs", "--out", `${runs}/ablated`], {stdio: "ignore"});
await page.goto(`${base}/run/ablated`);
await page.locator("#verdicts tbody tr").first().waitFor();
assert.match(await text("#verdicts"), /What each rule of rules:naive is worth\. After all 20 games\./);

execFileSync(croupier, ["sweep", "belote", "--vary", "annonces", "--seek", "seats", "--games", "20", "--no-costs", "--out", `${runs}/swept`], {stdio: "ignore"});
await page.goto(`${base}/run/swept`);
await page.locator("#verdicts tbody tr").first().waitFor();
assert.match(await text("#verdicts"), /After all 40 games\./);
assert.match(await text("#verdicts"), /2\s+off\s+best\s+\d+\.\d %/);
await check(page, "a sweep");

// ---- on a phone ----
const small = await newPage(phone);
for (const [address, shown] of [["/runs", "#list tbody tr"], [`/run/${name}`, "body[data-state=complete]"]]) {
    await small.goto(base + address);
    await small.locator(shown).first().waitFor();
    await check(small, `${address}, dark, on a phone`);
    await shot(small, `${address.slice(1).replace(/\W/g, "-")}-phone`);
}
await end();
