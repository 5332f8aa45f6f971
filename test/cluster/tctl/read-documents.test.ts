import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readResource } from "../../../src/cluster/resource/resource.ts";
import { printYaml } from "../../../src/cluster/tctl/print-yaml.ts";
import { readDocuments } from "../../../src/cluster/tctl/read-documents.ts";
import { printJson } from "../../../src/rules/shape/print-json.ts";
import type { Mapping } from "../../../src/rules/shape/reading.ts";
import { maintenance, role } from "./running.ts";

async function wrongIn(text: string): Promise<readonly string[]> {
  const reading = await readDocuments(text);
  return reading.kind === "faults" ? reading.wrong.map(({ at, found }) => `${at} | ${found}`) : ["nothing"];
}

/** Each alias doubles what the one before it stands for. */
const bomb = `a0: &a0 [x]\n${Array.from({ length: 30 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`).join("\n")}\n`;
const user = "kind: user\nmetadata: {name: alice}\nspec: {roles: [editor]}\n";

describe("a file of resources", () => {
  it("may hold several, of YAML or JSON, also as a list", async () => {
    const json = '{"kind": "user", "metadata": {"name": "bob"}, "spec": {"roles": []}}';
    const texts = [`${role}---\n${maintenance}`, `---\n${user}---\n# nothing\n---\n${json}\n`, `[${json}]`, json];
    const counts = await Promise.all(
      texts.map(async (text) => {
        const reading = await readDocuments(text);
        return reading.kind === "documents" ? reading.documents.length : reading.wrong;
      }),
    );
    expect(counts).toEqual([2, 2, 1, 1]);
  });

  const hostile: readonly (readonly [string, string, readonly string[]])[] = [
    ["nothing", "", [" | no resource"]],
    ["a word", "hello", ['line 1 | "hello"']],
    ["a broken line", "kind: role\n  version: v7\n", ["line 1", "line 1"]],
    ["an open bracket", "kind: [role\n", ["line 2"]],
    ["a key twice", "kind: user\nkind: role\nmetadata: {name: a}\nspec: {}\n", ["line 2 | Map keys must be unique"]],
    ["a tag", "kind: !!js/function role\n", ["line 1 | Unresolved tag"]],
    ["an alias", `kind: user\nmetadata: &m {name: a}\nspec: {roles: []}\n---\nx: &x 1\ny: *x\n`, ["line 6 | an alias"]],
    ["a bomb of aliases", bomb, ["an alias"]],
    ["itself", "a: &a [*a]\n", ["an alias"]],
    ["a merge", `kind: user\n<<: {spec: {roles: []}}\nmetadata: {name: a}\nspec: {roles: []}\n`, ["line 2: .<< | unknown key"]],
    ["ten thousand brackets", "[".repeat(10_000), [" | nested 10000 levels deep"]],
    ["ten thousand braces", `{a: `.repeat(10_000), [" | nested 10000 levels deep"]],
    ["ten thousand dashes", `${"- ".repeat(10_000)}x`, [" | nested 10000 levels deep"]],
    ["stairs", Array.from({ length: 500 }, (_, index) => `${" ".repeat(index)}a:`).join("\n"), [" | nested 500 levels deep"]],
    ["two thousand documents", "---\na: 1\n".repeat(2000), [" | 2000 documents"]],
    ["several faults, in the order of their lines", "kind: user\nfoo: 1\nspec: {}\n", ["line 1", "line 2", "line 3"]],
    ["the same twice", `${user}---\n${user}`, ["line 5 | user/alice once more, it stands in line 1 already"]],
    [
      "a prototype",
      `kind: user\n__proto__: {a: 1}\nmetadata: {name: a}\nspec: {roles: []}\n`,
      ["line 2: .__proto__ | unknown key"],
    ],
    ["another encoding", "\u0000kind: user", ["line 1"]],
    ["an escape for terminals", `kind: "\\e[31m"\n`, ["line 1"]],
  ];
  it.each(hostile)("is refused with its lines: %s", async (_what, text, expected) => {
    const wrong = await wrongIn(text);
    expect(wrong).toHaveLength(expected.length);
    for (const [index, said] of wrong.entries()) expect(said).toContain(expected[index]);
    expect(wrong.join("")).not.toContain("\u001B");
  });

  it("has every fault of every document told at once, in its line", async () => {
    const text = `${role.replace("create", "creat")}---\n${maintenance.replace("2", "25").replace("weekdays", "weekday")}---\nkind: user\nmetadata: {name: a}\n`;
    expect(await wrongIn(text)).toEqual([
      'line 9: .spec.allow.rules[0].verbs[0] | "creat", did you mean create?',
      "line 14: .spec.agent_upgrades.utc_start_hour | 25",
      "line 15: .spec.agent_upgrades.weekday | unknown key, did you mean weekdays?",
      "line 17: .spec | nothing",
    ]);
  });

  it("finds lines below names that have dots", async () => {
    const text = `kind: cluster_maintenance_config\nspec:\n  agent_upgrades:\n    utc_start_hour: 2\n    channels:\n      a.b:\n        utc_start_hour: 24\n      a:\n        utc_start_hour: 3\n`;
    expect(await wrongIn(text)).toEqual(["line 7: .spec.agent_upgrades.channels.a.b.utc_start_hour | 24"]);
  });
});

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(
    "yes",
    "no",
    "~",
    "null",
    "1e3",
    "0x1f",
    "2026-01-01",
    "<<",
    "- a",
    "a: b",
    "#",
    "'",
    '"',
    "\u001B[31m",
    "\u202E",
    "a\nb",
    "\u0085",
    "\u2028",
    " ",
    "\u009B1m",
    "\u{E0041}",
  ),
);
const anyValue = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    anyText,
    fc.integer(),
    fc.boolean(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(
      anyText.filter((key) => key !== "__proto__"),
      tie("value"),
      { maxKeys: 3, noNullPrototype: true },
    ),
  ),
})).value;
const connector = fc
  .record({ more: anyValue, team: anyText.filter((text) => /^[^\p{C}\p{Zl}\p{Zp}]+$/u.test(text) && text.trim() === text) })
  .map(({ more, team }) => ({
    kind: "github",
    version: "v3",
    metadata: { name: "teams" },
    spec: {
      client_id: "example",
      redirect_url: "https://proxy.example.com/v1/webapi/github/callback",
      teams_to_roles: [{ organization: "example", team, roles: ["access"] }],
      kept: more,
    },
  }));

describe("what get prints", () => {
  it("create takes as the same, in YAML and in JSON, whatever is in it", async () => {
    await fc.assert(
      fc.asyncProperty(connector, async (resource) => {
        const wanted = readResource(resource);
        expect(wanted.kind).toBe("value");
        for (const text of [await printYaml([resource]), printJson(resource), printJson([resource])]) {
          expect(text).not.toMatch(/[^\n\P{C}]|[\p{Zl}\p{Zp}]/u);
          const reading = await readDocuments(text);
          expect(reading.kind === "documents" ? reading.documents.map(({ value }) => value) : reading.wrong).toEqual([resource]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("stands in documents of one file", async () => {
    const users = ["a", "b"].map((name): Mapping => ({ kind: "user", version: "v2", metadata: { name }, spec: { roles: [] } }));
    const reading = await readDocuments(await printYaml(users));
    expect(reading.kind === "documents" ? reading.documents.map(({ value }) => value) : reading).toEqual(users);
  });
});
