// The pictures of README.md and serve/README.md: make.mjs BROWSER CROUPIER FOLDER INTO
import {spawn} from "node:child_process";
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

// ---- the report ----
const report = await newPage(1000, 640);
await report.goto(`file://${folder}/report.html`);
// Where it was made is of no interest here.
await report.locator(".origin").first().evaluate((element) => element.remove());
await take(report, "report");
await browser.close();
server.kill("SIGINT");
