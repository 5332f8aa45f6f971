import assert from "node:assert";
import type * as PlainModule from "../../../src/machine/yaml/read-plain-yaml.ts";
import type * as YamlModule from "../../../src/machine/yaml/read-yaml.ts";
import { near } from "../mutate.ts";
import type { Random } from "../random.ts";
import { moduleOf } from "../source.ts";
import { taken, target, type Target } from "../target.ts";
import { urlText } from "../texts.ts";

const scalars =
  `default|true|null|7|007|0x1f|1e5|15.4.6|30s|2026-12-24|a b|a #b|a: b|'it''s'|"a\\nb"|[a, b]|[]|['x', 1]|{a: b}|&a b|*a|!t a|\\||>|`.split(
    "|",
  );

function document(random: Random): string {
  const line = (): string => {
    const indent = " ".repeat(random.pick([0, 0, 0, 2, 4, 1]));
    const key = random.pick(["a: ", "b: ", "c: ", "endpoint: ", "a:", "", "'a': ", "<<: ", "__proto__: "]);
    const value = random.pick([random.pick(scalars), urlText(random)]);
    return `${indent}${random.pick(["", "", "", "- "])}${key}${value}${random.pick(["", "", " # remark", " "])}`;
  };
  const fragment =
    "agent:\n  package: svc-ent\n  version_command: [svc, version]\nblackouts:\n- from: 2026-12-24\n  to: 2026-12-27\n";
  return random.onceIn(4) ? fragment : random.several(1, 5, line).join("\n");
}

/** Of a longer text the plain reader alone is asked: the library takes a second for 60,000 quotes. */
const longest = 10_000;

export const yamlTarget: Target = target({
  name: "yaml",
  generate: near(document),
  load: async (source) => {
    const { readPlainYaml } = await moduleOf<typeof PlainModule>(source, "machine/yaml/read-plain-yaml.ts");
    const { readAnyYaml } = await moduleOf<typeof YamlModule>(source, "machine/yaml/read-yaml.ts");
    return {
      read: async (input) => {
        const plain = readPlainYaml(input);
        if (input.length > longest) return taken(plain?.value);
        const any = await readAnyYaml(input);
        if (plain !== undefined) assert.deepEqual(any, { kind: "value", value: plain.value });
        return any.kind === "value" ? { kind: "accepted", value: any.value } : { kind: "refused", told: [any.why] };
      },
    };
  },
});
