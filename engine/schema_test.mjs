// The schema against all shipped rulesets, the examples of LANGUAGE.md, and wrong rulesets.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, existsSync } from "node:fs";
import { join, relative } from "node:path";
import Ajv from "ajv/dist/2020.js";

const root = process.argv[2];
const croupier = process.argv[3];
const ajv = new Ajv({ allErrors: false, strict: true, strictTypes: false, strictRequired: false });
const schema = JSON.parse(readFileSync(join(root, "engine/ruleset.schema.json"), "utf8"));
const validate = ajv.compile(schema);
const validatePattern = ajv.compile({ ...schema, $id: "urn:croupier:pattern", if: true, then: { $ref: "#/$defs/pattern" }, else: true, type: undefined });

let checked = 0;
let failures = 0;
const fail = (place, text) => {
    failures += 1;
    console.log(`${place}: ${text}`);
};

// JSON without its comments; strings are left alone.
function parse(text) {
    const bare = text.replace(/"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[^]*?\*\//g, (part) =>
        part.startsWith("/") ? " " : part);
    return JSON.parse(bare);
}

function expect(place, value, wanted, how = validate) {
    checked += 1;
    const good = how(value);
    if (good === wanted) return;
    const first = good ? null : how.errors[0];
    fail(place, good ? "the schema accepts it" : `${first.instancePath || "/"} ${first.message} ${JSON.stringify(first.params)}`);
}

function files(folder) {
    return readdirSync(folder, { recursive: true }).map((name) => join(folder, name)).sort();
}

// Every ruleset in the tree: tables of advice are none; states, expectations and files that are only part of one have
// names of their own.
const isRuleset = (path) => /\.json$/.test(path) && !/(^|[./_-])(state|after|expected)[^/]*\.json$/.test(path) &&
    !/\/(included|parts|with|advice|tests)\//.test(path) && !/\.schema\.json$/.test(path);
for (const folder of ["engine/examples", "engine/cases/good", "games", "agents/eval", "agents/rules"]) {
    for (const path of files(join(root, folder)).filter(isRuleset)) {
        const place = relative(root, path);
        try {
            expect(place, parse(readFileSync(path, "utf8")), true);
        } catch (error) {
            fail(place, error.message);
        }
    }
}

// Tests of games.
const validateTests = ajv.compile(JSON.parse(readFileSync(join(root, "games/tests.schema.json"), "utf8")));
const testFiles = files(join(root, "games")).filter((path) => /\/tests\/[^/]*\.json$/.test(path));
if (testFiles.length < 5) fail("games", `only ${testFiles.length} files of tests`);
for (const path of testFiles) expect(relative(root, path), parse(readFileSync(path, "utf8")), true, validateTests);
expect("a test that expects nothing", { tests: [{ name: "x" }] }, false, validateTests);
expect("an unknown check", { tests: [{ name: "x", random: { check: ["vews"] } }] }, false, validateTests);

// The examples of the reference: good unless a diagnostic is what they show.
const blocks = [...readFileSync(join(root, "engine/LANGUAGE.md"), "utf8").matchAll(/^```(.*)\n([^]*?)^```$/gm)];
let line = 0;
blocks.forEach((block, index) => {
    const [, kind] = block[1].split(" ");
    if (kind !== "rules" && kind !== "condition") return;
    line = block.input.slice(0, block.index).split("\n").length;
    for (const next of blocks.slice(index + 1)) {
        const following = next[1].split(" ")[1];
        if (following === "rules" || following === "condition") break;
        if (following === "error") return;
    }
    expect(`engine/LANGUAGE.md:${line}`, parse(block[2]), true, kind === "rules" ? validate : validatePattern);
});

const wrong = {
    "a rule's key": [{ name: "x", conditon: {}, action: {} }],
    "an unknown word in a condition": [{ condition: { "@paren": {} } }],
    "an unknown word as a value": [{ condition: { a: "@missing" } }],
    "an action's word in a condition": [{ condition: { "@rules": [] } }],
    "a condition's word in an action": [{ action: { "@not": {} } }],
    "a removal in a condition": [{ condition: { a: "@remove" } }],
    "a comparison in an action": [{ action: { a: "> 3" } }],
    "a typed variable in an action": [{ action: { "$X:int": 1 } }],
    "a count with a value": [{ condition: { "@count": { value: "$X", into: "$N" } } }],
    "a sum without a value": [{ condition: { "@sum": { of: {}, into: "$N" } } }],
    "an empty list": [{ condition: { a: [] } }],
    "a list in a list": [{ condition: { a: [["b"]] } }],
    "a number for _": [{ condition: { _: 3 } }],
    "repeat 0": [{ action: {}, repeat: 0 }],
    "before and after": [{ name: "x", action: {}, before: "a", after: "b" }],
    "a removal that does more": { rules: [{ name: "x", "@remove": true, action: {} }] },
    "a strategy": { rules: { strategy: "deph", rules: [] } },
    "a group that is none": { rules: { at_once: true } },
    "a group that is a text": { plya: "text" },
    "a member twice": { types: { Suit: ["a", "a"] } },
    "a domain of nothing": { types: { Seat: 0 } },
    "near without a grid": { types: { Seat: { members: 4, near: "king" } } },
    "a type's name": { types: { int: ["a"] } },
    "an empty shape": { shape: { hand: {} } },
    "a shape of false": { shape: { hand: false } },
    "an argument of deal": [{ action: { "@call": { deal: { from: "a", to: "b", amount: 2 } } } }],
    "a text": "rules",
};
for (const [what, ruleset] of Object.entries(wrong)) expect(`wrong: ${what}`, ruleset, false);

// The schema made for a game knows its options: their names, and what they may be.
const games = readdirSync(join(root, "games")).filter((name) => existsSync(join(root, "games", name, "rules.json")));
if (games.length < 6) fail("games", `only ${games.length} games`);
let options = 0;
for (const game of games) {
    for (const file of readdirSync(join(root, "games", game)).filter((name) => name.endsWith(".json"))) {
        const place = `games/${game}/${file}`;
        const made = JSON.parse(execFileSync(croupier, ["export", "--schema", join(root, place)]));
        const how = new Ajv({ allErrors: false, strict: true, strictTypes: false, strictRequired: false })
            .compile({ ...made, $id: `urn:croupier:${place}` });
        expect(`${place} with its own schema`, parse(readFileSync(join(root, place), "utf8")), true, how);
        expect(`${place}: an option of a revision`, { options: { of_its_own: 1 } }, true, how);
        const known = made.$defs.ruleset.properties.options.properties;
        for (const [name, option] of Object.entries(known)) {
            options += 1;
            expect(`${place}: the default of ${name}`, { options: { [name]: option.default } }, true, how);
            if (Object.keys(option).length === 1) continue; // it may be anything
            expect(`${place}: ${name}`, { options: { [name]: { no: "value" } } }, false, how);
        }
    }
}
if (options < 100) fail("games", `only ${options} options`);

console.log(`${checked} documents checked, ${failures} failures`);
process.exit(failures > 0 ? 1 : 0);
