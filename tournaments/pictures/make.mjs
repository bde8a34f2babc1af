// The pictures of README.md: make.mjs BROWSER CROUPIER FOLDER INTO
import {spawn} from "node:child_process";
import {readFileSync} from "node:fs";
import {chromium} from "playwright-core";

const [, , browserPath, croupier, folder, into] = process.argv;
const server = spawn(croupier, ["serve", "--port", "0", "--folder", `${folder}/runs`]);
process.on("exit", () => server.kill("SIGKILL"));
let told = "";
await new Promise((resolve) => server.stdout.on("data", (piece) => { told += piece; if (told.includes("\n")) resolve(); }));
const base = told.split("\n")[0].replace(/\/$/, "");
const browser = await chromium.launch({executablePath: browserPath, args: ["--no-sandbox"]});
const newPage = (width, height) => browser.newPage({viewport: {width, height}, colorScheme: "light", reducedMotion: "reduce"});
// Small: what is shown is large enough to be read at this quality.
const take = (of, name) => of.screenshot({path: `${into}/${name}.jpg`, type: "jpeg", quality: 72});

// ---- a table, some cards into the game ----
const table = await newPage(1000, 780);
await table.goto(base);
await table.locator("#details:not([inert]):not([hidden])").waitFor();
await table.selectOption("#pace", "0");
await table.fill("#seed", "5");
await table.getByRole("button", {name: "Sit down"}).click();
await table.waitForURL(/\/table\//);
for (let i = 0; i < 6; ++i) {
    await table.getByText("Your turn").first().waitFor();
    const card = table.locator(".hand .legal").first();
    await (await card.count() ? card : table.locator("#moves button").last()).click();
    await table.waitForTimeout(600);
}
await table.getByText("Your turn").first().waitFor();
await table.evaluate(() => scrollTo(0, 0));
await take(table, "table");

// ---- the report, and its flame graph ----
const report = await newPage(1000, 640);
await report.goto(`file://${folder}/report.html`);
// Where it was made is of no interest here.
await report.locator(".origin").first().evaluate((element) => element.remove());
await take(report, "report");
await report.goto(`file://${folder}/flame.html`);
for (const part of await report.locator("details.part").all()) await part.evaluate((element) => { element.open = true; });
const flame = report.locator(".flame").first();
await flame.scrollIntoViewIfNeeded();
await take(flame, "flame");

// ---- a game in the terminal: some positions with a trick ----
const lines = readFileSync(`${folder}/game.txt`, "utf8").split("\n");
const first = lines.findIndex((line) => /^1\d\. /.test(line));
const game = lines.slice(Math.max(0, first), Math.max(0, first) + 24).join("\n");
const terminal = await newPage(760, 560);
await terminal.setContent("<body style='margin:0;background:#16191d'><pre style='margin:0;padding:14px 18px;color:#e6e8ea;font:14px/1.35 monospace'></pre>");
await terminal.locator("pre").evaluate((element, text) => { element.textContent = text; },
    `$ croupier play belote --agents rules:table --seed 5 --show\n...\n${game}`);
await take(terminal, "terminal");
await browser.close();
server.kill("SIGINT");
