import { describe, expect, test } from "vitest";
import { readYaml } from "../../../src/machine/yaml/read-yaml.ts";

const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\n${"bcdefgh"
  .split("")
  .map((name, index) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${"abcdefg"[index]}`).join(", ")}]`)
  .join("\n")}\n`;

describe("a YAML file", () => {
  test.each([
    [
      "nested flow",
      "agent: {package: svc-ent, version_command: [svc, version]}",
      { agent: { package: "svc-ent", version_command: ["svc", "version"] } },
    ],
    ["a block text", "a: |\n  b\n  c\n", { a: "b\nc\n" }],
    [
      "a timestamp, as text",
      "until: 2026-12-24\nat: 2026-12-24T00:00:00Z\n",
      { until: "2026-12-24", at: "2026-12-24T00:00:00Z" },
    ],
    ["yes and no, as text", "a: yes\nb: {c: no}", { a: "yes", b: { c: "no" } }],
    ["a few aliases", "a: &x [1]\nb: *x\n", { a: [1], b: [1] }],
    ["a merge key, as any other", "a: {<<: b}", { a: { "<<": "b" } }],
    ["numbers as keys, as text", "{1: a}", { "1": "a" }],
    ["nothing", "", null],
    ["a mark at its start", "\ufeffa: b", { a: "b" }],
    ["other line ends", "a: b\r\nc: d\r\n", { a: "b", c: "d" }],
  ])("may hold %s", async (_, text, value) => {
    expect(await readYaml(text)).toEqual({ kind: "value", value });
  });

  test("keeps a key named after the prototype an ordinary key", async () => {
    const read = await readYaml("__proto__: {isRoot: true}\n");
    expect(read.kind === "value" && Object.keys(read.value as object)).toEqual(["__proto__"]);
    expect(({} as { isRoot?: boolean }).isRoot).toBeUndefined();
  });

  test.each([
    ["a key twice", "a: 1\nb: 2\na: 3\n", /^line 3: Map keys must be unique/],
    ["a tab for indentation", "a:\n\tb: 1\n", /^line 2: /],
    ["a bracket left open", "a: [b\nc: d\n", /^line \d: /],
    ["a tag of its own", "a: !!js/function 'x'\n", /^line 1: Unresolved tag/],
    ["a key that is a list", "[a]: b\n", /^line 1: /],
    ["two documents", "a: 1\n---\nb: 2\n", /^it holds more than one document$/],
    ["aliases that multiply", bomb, /^Excessive alias count/],
    ["lists deeper than any file needs", `a: ${"[".repeat(6000)}`, /^its lists or mappings are nested deeper than 100 levels$/],
    ["an alias of nothing", "a: *b\n", /alias/i],
  ])("is refused with %s", async (_, text, why) => {
    expect(await readYaml(text)).toEqual({ kind: "refused", why: expect.stringMatching(why) });
  });
});
