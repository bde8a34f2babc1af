// The page as a reader meets it: html_test.mjs BROWSER PAGE [SCREENSHOTS]
import assert from "node:assert/strict";
import {chromium} from "playwright-core";
import {pathToFileURL} from "node:url";

const [, , browserPath, file, screenshots] = process.argv;
const browser = await chromium.launch({executablePath: browserPath, args: ["--no-sandbox"]});
const url = pathToFileURL(file).href;

async function open(width, colorScheme) {
    const page = await browser.newPage({viewport: {width, height: 800}, colorScheme});
    const said = [];
    page.on("console", (message) => said.push(message.text()));
    page.on("pageerror", (error) => said.push(String(error)));
    page.on("request", (request) => { if (request.url() !== url) said.push(request.url()); });
    await page.goto(url);
    return {page, said};
}

// Nothing is wider than the screen.
async function checkWidth(page, width) {
    const {scroll, wide} = await page.evaluate(() => {
        const inScroller = (element) => element.closest(".wide, pre, svg") !== null;
        return {
            scroll: document.documentElement.scrollWidth,
            wide: [...document.querySelectorAll("main *")]
                .filter((element) => !inScroller(element) &&
                    element.getBoundingClientRect().right > window.innerWidth + 1)
                .map((element) => element.outerHTML.slice(0, 120)),
        };
    });
    assert.ok(scroll <= width, `scrolls sideways at ${width}: ${scroll}`);
    assert.deepEqual(wide, []);
}

// What game `index` of a viewer shows.
const look = (viewer, index) => viewer.locator(".game").nth(index).evaluate((game) => ({
    move: game.querySelector(".move").textContent,
    stones: [...game.querySelectorAll(".cell")].map((cell) => cell.querySelector("text").textContent),
    cards: [...game.querySelectorAll(".playing")].map((card) => card.textContent),
    log: game.querySelector(".log pre").textContent,
}));

async function checkBoard(page) {
    const viewer = page.locator(".viewer").nth(0);
    const game = viewer.locator(".game").nth(0);
    const begin = await look(viewer, 0);
    assert.equal(begin.move, "the beginning");
    assert.equal(begin.stones.length, 361);
    await game.locator("[data-act=next]").click();
    const first = await look(viewer, 0);
    assert.match(first.move, /^1\. [BW] [a-s]\d+, one of \d+$/);
    assert.notDeepEqual(first.stones, begin.stones);
    await game.locator("[data-act=next]").click();
    await game.locator("[data-act=back]").click();
    assert.deepEqual(await look(viewer, 0), first, "back and forth is the same");
    await game.locator("[data-act=first]").click();
    assert.deepEqual(await look(viewer, 0), begin);
    await game.locator("[data-act=last]").click();
    const slider = game.locator("input");
    assert.equal(await slider.inputValue(), await slider.getAttribute("max"));
    const end = await look(viewer, 0);
    const alive = new Set(end.stones.filter((stone) => stone !== ""));
    assert.ok(alive.size < 2, "who has no stones left has lost");
    await game.locator("[data-act=first]").click();
    await game.locator("[data-act=play]").click();
    await page.waitForFunction(() => document.querySelector(".viewer input").value > 1);
    await game.locator("[data-act=play]").click();
    const stopped = await slider.inputValue();
    await page.waitForTimeout(900);
    assert.equal(await slider.inputValue(), stopped, "it stops");
}

async function checkCards(page) {
    const viewer = page.locator(".viewer").nth(1);
    const games = await viewer.locator("option").count();
    assert.ok(games >= 1);
    const game = viewer.locator(".game").nth(0);
    const begin = await look(viewer, 0);
    assert.equal(begin.cards.length, 21, "four hands of five and one card turned up");
    let log = "";
    const last = Number(await game.locator("input").getAttribute("max"));
    for (let step = 0; step < last; ++step) {
        await game.locator("[data-act=next]").click();
        log += (await look(viewer, 0)).log;
    }
    assert.match(log, /chooses: /, "an agent of rules says which fired");
    if (games > 1) {
        await viewer.locator("select").selectOption({index: 1});
        assert.ok(await game.isHidden());
        assert.ok(await viewer.locator(".game").nth(1).isVisible());
        await viewer.locator("select").selectOption({index: 0});
    }
}

async function checkKings(page) {
    const viewer = page.locator(".viewer").nth(2);
    const pieces = (await look(viewer, 0)).stones.filter((piece) => piece !== "").sort();
    assert.deepEqual(pieces, ["♚", "♚", "♜"].sort());
    const game = viewer.locator(".game").nth(0);
    await game.locator("[data-act=next]").click();
    assert.match((await look(viewer, 0)).log, /rule /, "a table of advice says why");
}

async function checkFlames(page) {
    const flame = page.locator(".flame").first();
    const frames = flame.locator(".frame");
    assert.ok(await frames.count() > 3);
    const narrow = frames.nth(3);
    const before = (await narrow.boundingBox()).width;
    await narrow.locator("rect").click();
    assert.ok((await narrow.boundingBox()).width >= before);
    assert.match(await flame.locator(".detail").textContent(), /: [\d.]+ %, \d+ ns a game$/);
    await frames.nth(0).locator("rect").click();
    assert.ok(Math.abs((await narrow.boundingBox()).width - before) < 1);
}

for (const width of [1280, 360]) {
    for (const scheme of ["light", "dark"]) {
        const {page, said} = await open(width, scheme);
        await checkWidth(page, width);
        if (screenshots)
            await page.screenshot({path: `${screenshots}/${width}-${scheme}.png`, fullPage: true});
        const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const [red] = paper.match(/\d+/g).map(Number);
        assert.ok(scheme === "dark" ? red < 60 : red > 200, `${scheme}: ${paper}`);
        await checkBoard(page);
        await checkCards(page);
        await checkKings(page);
        await checkFlames(page);
        await checkWidth(page, width);
        const text = await page.locator("main").innerText();
        assert.ok(text.includes('<b>&"'), "a name is text, whatever is in it");
        assert.deepEqual(said, [], "the console is clean and nothing is asked for");
        await page.close();
    }
}
await browser.close();
console.log("the page is well at 360 and 1280, light and dark");
