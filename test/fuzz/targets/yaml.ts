import type * as YamlModule from "../../../src/host/read-plain-yaml.ts";
import { compare, refused } from "../compare.ts";
import { readAnyYaml } from "../../../src/host/read-yaml.ts";
import type { Random } from "../random.ts";
import { moduleOf } from "../source.ts";
import { target, type Target } from "../target.ts";
import { near, urlText } from "../texts.ts";

const plainScalars: readonly string[] = [
  "default",
  "stable/cloud",
  "true",
  "7",
  "30s",
  "15.4.6",
  "a b",
  "'quoted'",
  '"yes"',
  "[]",
  "[a, b]",
  "/usr/bin/svc",
];

const scalars: readonly string[] = [
  "default",
  "stable/cloud",
  "true",
  "false",
  "True",
  "yes",
  "null",
  "~",
  "0",
  "7",
  "007",
  "0x1f",
  "0o17",
  "1e5",
  "1.5",
  "15.4.6",
  "-1",

  "30s",
  "12:30",
  "2026-12-24",
  "1_000",
  "999999999999999",
  "a b",
  "a #b",
  "a#b",
  "a: b",
  "a:",
  "'quoted'",
  '"quoted"',
  "'it''s'",

  '"a\\nb"',
  "''",
  "[a, b]",
  "[]",
  "[ a ]",
  "[a,]",
  "['x', 1]",
  "{a: b}",
  "&a b",
  "*a",
  "!t a",
  "|",
  ">",
  "- a",
  "/usr/bin/svc",
  "1:2",
  "",
];

function document(random: Random): string {
  const line = (): string => {
    const indent = " ".repeat(random.pick([0, 0, 0, 0, 0, 2, 4, 1]));
    const dash = random.pick(["", "", "", "", "", "", "- "]);
    const strangeKeys = ["a:", "svc:", "", "true: ", "'a': ", "<<: ", "__proto__: ", "a :"];
    const key = random.pick(random.onceIn(4) ? strangeKeys : ["a: ", "b: ", "c: ", "d: ", "endpoint: ", "channel: "]);
    const value = random.onceIn(6) ? urlText(random) : random.pick(random.onceIn(3) ? scalars : plainScalars);
    return `${indent}${dash}${key}${value}${random.pick(["", "", "", " # remark", " ", " #"])}`;
  };
  const fragment =
    "endpoint: https://proxy.example.com\nagent:\n  package: svc-ent\n  version_command: [svc, version]\nblackouts:\n- from: 2026-12-24\n  to: 2026-12-27T00:00:00Z\n";
  return random.onceIn(4) ? fragment : random.several(1, 5, line).join("\n") + random.pick(["\n", ""]);
}

/** Refused here means that the library has the word; accepted, it must have said the same. */
export const yamlTarget: Target = target({
  name: "plain-yaml",
  generate: near(document),
  load: async (source) => {
    const { readPlainYaml } = await moduleOf<typeof YamlModule>(source, "host/read-plain-yaml.ts");
    return async (input) => {
      const plain = readPlainYaml(input);
      if (plain === undefined) return refused;
      const byLibrary = await readAnyYaml(input);
      return compare({ value: plain.value }, byLibrary.kind === "value" ? { value: byLibrary.value } : undefined);
    };
  },
});
