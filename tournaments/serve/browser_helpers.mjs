// A server and a browser for tests: what a page must not do is noted, and every page is looked at by axe.
import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {chromium} from "playwright-core";

export const [, , browserPath, croupier, folder, screenshots] = process.argv;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const patience = 60000; // a busy machine

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
export const browser = await chromium.launch({executablePath: browserPath, args: ["--no-sandbox"]});
export const said = []; // what no page may say
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

// (waitForFunction is what the policy forbids.)
export const until = async (page, test, argument) => {
    for (const end = Date.now() + patience; Date.now() < end; await page.waitForTimeout(20))
        if (await page.evaluate(test, argument)) return;
    assert.fail(`never came true: ${test}, ${argument}; ${await page.locator("#status").textContent()}`);
};

export const end = async () => {
    assert.deepEqual(said, []);
    await browser.close();
    assert.equal(await stop("SIGINT"), 0, "Ctrl-C is how a server ends");
};
