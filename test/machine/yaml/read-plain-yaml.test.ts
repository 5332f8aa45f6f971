import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPlainYaml } from "../../../src/machine/yaml/read-plain-yaml.ts";
import { readAnyYaml } from "../../../src/machine/yaml/read-yaml.ts";

const scalars = [
  "",
  "`a`",
  ...[
    String.raw`https://proxy.example.com ¦ proxy.example.com:443 ¦ default ¦ stable/cloud ¦ true ¦ false ¦ True ¦ yes ¦ no`,
    String.raw`null ¦ ~ ¦ 0 ¦ 7 ¦ 007 ¦ 0x1f ¦ 0o17 ¦ 0b1 ¦ 1e5 ¦ 1.5 ¦ 15.4.6 ¦ -1 ¦ +1 ¦ .5 ¦ .inf ¦ 30s ¦ 12:30 ¦ 2026-12-24`,
    String.raw`2026-12-24T00:00:00Z ¦ 1_000 ¦ 999999999999999 ¦ 9999999999999999999 ¦ 10.0.0.0/8 ¦ a b ¦ a  b ¦ a #b ¦ a#b`,
    String.raw`a: b ¦ a: ¦ :a ¦ a,b ¦ 'quoted' ¦ "quoted" ¦ 'it''s' ¦ "a\nb" ¦ "yes" ¦ '' ¦ '# no comment' ¦ "a: b" ¦ 'a, b'`,
    String.raw`[a, b] ¦ [] ¦ [ a ] ¦ [a,b] ¦ [a, [b]] ¦ ['x', 1] ¦ [a,] ¦ [a: b] ¦ [a:] ¦ {a: b} ¦ {} ¦ &anchor a ¦ *anchor`,
    String.raw`!tag a ¦ | ¦ > ¦ - a ¦ - ¦ ? ¦ ? a ¦ %a ¦ @a ¦ ä ¦ /usr/bin/svc ¦ svc version ¦ a%20b=c+d ¦ a@b ¦ 1:2 ¦ 0:a`,
  ].flatMap((row) => row.split(" ¦ ")),
];
const line = fc
  .tuple(
    fc.constantFrom(0, 0, 0, 2, 2, 4, 1, 6),
    fc.constantFrom("", "", "", "- ", "-", "-  ", "- - "),
    fc.constantFrom(
      "a: ",
      "b: ",
      "c: ",
      "a:",
      "b:",
      "svc:",
      "",
      "true: ",
      "1: ",
      "a.b: ",
      "'a': ",
      "<<: ",
      "__proto__: ",
      "a :",
      "a:  ",
    ),
    fc.constantFrom("", ...scalars),
    fc.constantFrom("", "", "", "", " ", " # remark", "# remark", " #"),
  )
  .map(([indent, dash, key, value, end]) => `${" ".repeat(indent)}${dash}${key}${value}${end}`);
/** Flow style, whole or with something wrong in it. */
const flow = fc.letrec<{ value: string; list: string; map: string; entry: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 3, withCrossShrink: true }, fc.constantFrom(...scalars), tie("list"), tie("map")),
  list: fc.array(tie("value"), { maxLength: 3 }).chain((items) => closed(items, "[", "]")),
  map: fc.array(tie("entry"), { maxLength: 3 }).chain((entries) => closed(entries, "{", "}")),
  entry: fc
    .tuple(
      fc.constantFrom("a", "b", "c", "null", "true", "1", "'a'", "__proto__", ""),
      fc.constantFrom(": ", ": ", ":", ":  ", ""),
    )
    .chain(([key, colon]) => tie("value").map((value) => `${key}${colon}${value}`)),
}));

function closed(items: readonly string[], open: string, close: string): fc.Arbitrary<string> {
  const between = fc.constantFrom(", ", ", ", ",", " , ", ",, ", " ");
  const end = fc.constantFrom("", "", " ", ",", close);
  return fc.tuple(between, end).map(([comma, last]) => `${open}${last === " " ? " " : ""}${items.join(comma)}${last}${close}`);
}

const special = fc.constantFrom(
  "",
  "# remark",
  "   # ä",
  "---",
  "...",
  "%YAML 1.2",
  "\ta: b",
  "a:\tb",
  "a: b\r",
  "\ufeffa: b",
  "\u0085",
  "\u2028",
);

const document = fc
  .array(fc.oneof({ weight: 8, arbitrary: line }, { weight: 1, arbitrary: special }), { maxLength: 6 })
  .chain((lines) => fc.constantFrom("\n", "").map((end) => lines.join("\n") + end));

describe("the plain reader", () => {
  test("reads what it accepts as the library does", async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(document, async (text) => {
        const plain = readPlainYaml(text);
        if (plain === undefined) return;
        accepted += 1;
        expect(await readAnyYaml(text)).toEqual({ kind: "value", value: plain.value });
      }),
      { numRuns: 20_000 },
    );
    // A reader that accepts nothing would agree with everybody.
    expect(accepted).toBeGreaterThan(1000);
  });

  test.each(scalars)("reads %o as the library does, alone and in a list", async (scalar) => {
    const texts = [`a: ${scalar}`, `- ${scalar}`, `a: [x, ${scalar}]`, `a: ${scalar}\nb: c\n`];
    const accepted = texts.filter((text) => readPlainYaml(text) !== undefined);
    const byLibrary = await Promise.all(accepted.map(readAnyYaml));
    expect(byLibrary).toEqual(accepted.map((text) => ({ kind: "value", value: readPlainYaml(text)?.value })));
  });

  test("reads the flow style that it accepts as the library does", async () => {
    let accepted = 0;
    const text = fc
      .tuple(
        fc.constantFrom("a: ", "- ", "a:\n  b: ", "- a: ", "? "),
        fc.oneof(flow.list, flow.map),
        fc.constantFrom("", "\n", " # x", " x", "\nb: c"),
      )
      .map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(text, async (written) => {
        const plain = readPlainYaml(written);
        if (plain === undefined) return;
        accepted += 1;
        expect(await readAnyYaml(written)).toEqual({ kind: "value", value: plain.value });
      }),
      { numRuns: 20_000 },
    );
    expect(accepted).toBeGreaterThan(1000);
  });

  test("leaves a key that stands there twice to the library, which refuses it", async () => {
    for (const text of ["a: b\na: c\n", "a: {b: c, b: d}\n"]) {
      expect(readPlainYaml(text)).toBeUndefined();
      expect(await readAnyYaml(text)).toMatchObject({ kind: "refused" });
    }
  });

  test("is not led as deep as a text is nested", () => {
    expect(readPlainYaml(`a: ${"[".repeat(100_000)}${"]".repeat(100_000)}`)).toBeUndefined();
  });

  test("never crashes on any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(() => readPlainYaml(text)).not.toThrow();
      }),
    );
  });

  test.each([
    [
      "a fragment",
      "endpoint: https://proxy.example.com\nchannel: stable/cloud   # the cloud's\n",
      { endpoint: "https://proxy.example.com", channel: "stable/cloud" },
    ],
    [
      "an agent's configuration",
      `version: v3
svc:
  nodename: host-1
  proxy_server: proxy.example.com:443
  log:
    output: stderr
auth_service:
  enabled: "no"
ssh_service:
  enabled: "yes"
  commands:
  - name: hostname
    command: [hostname, long]
    period: 1m0s
  labels:
    - a
    - b
`,
      {
        version: "v3",
        svc: { nodename: "host-1", proxy_server: "proxy.example.com:443", log: { output: "stderr" } },
        auth_service: { enabled: "no" },
        ssh_service: {
          enabled: "yes",
          commands: [{ name: "hostname", command: ["hostname", "long"], period: "1m0s" }],
          labels: ["a", "b"],
        },
      },
    ],
    ["a list as deep as its key", "a:\n- name: x\n  more: 1\n- y\nb: true\n", { a: [{ name: "x", more: 1 }, "y"], b: true }],
    [
      "settings in flow style",
      "agent: {package: other, unit: other.service}\nhealth: { settle: 2s, command: [svc, 'a b'] } # flow\nblackouts: [{start: 2026-12-24T00:00:00Z, stop: 2026-12-27T00:00:00Z}]\nnone: {}\n",
      {
        agent: { package: "other", unit: "other.service" },
        health: { settle: "2s", command: ["svc", "a b"] },
        blackouts: [{ start: "2026-12-24T00:00:00Z", stop: "2026-12-27T00:00:00Z" }],
        none: {},
      },
    ],
    ["keys without a value", "a:\nb:\n  c:\n", { a: null, b: { c: null } }],
    ["nothing at all", "# empty\n\n", null],
  ])("accepts %s", (_, text, value) => {
    expect(readPlainYaml(text)?.value).toEqual(value);
  });
});
