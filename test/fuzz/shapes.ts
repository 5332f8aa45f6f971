import { allowedFor } from "../../src/rules/shape/allowed.ts";
import type { Form, Shape } from "../../src/rules/shape/shape.ts";
import type { Random } from "./random.ts";
import { channelText, packageVersionText, urlText, versionText } from "./texts.ts";

/** By what is expected of a text that a parser of its own reads: right ones, and some that are nearly so. */
const texts: Readonly<Record<string, (random: Random) => unknown>> = {
  "a semantic version": (random) => versionText(random).replace(/^v/, ""),
  "a semantic version or none": (random) => random.pick(["none", versionText(random).replace(/^v/, "")]),
  "a package version": packageVersionText,
  "a digest of channels": (random) => (random.onceIn(20) ? random.pick(["0F".repeat(32), "0f", 7]) : "0f".repeat(32)),
  "a decision number": (random) => random.pick(random.onceIn(20) ? ["3", "03.1", 3.5] : ["0.0", "3.1204"]),
  "a pass id": (random) => random.pick(["a1", "a1-B2"]),
  "32 hexadecimal digits": (random) => random.pick(random.onceIn(20) ? ["0F".repeat(16), "0f", 7] : ["0f".repeat(16)]),
  "an absolute path": () => "/etc/ssl/ca.pem",
  "an http or https base URL": (random) =>
    random.onceIn(5) ? urlText(random) : random.pick(["https://proxy.example.com", "http://127.0.0.1:3080/base"]),
  "words of letters, digits, dot, underscore and hyphen, joined by slashes, for example default or stable/cloud": channelText,
};

const strange = ["no-such-word", "constructor", ""];
const lines = ["nothing to do", "a\u001b[31mred", "two\nlines", "", "p1"];

/** What a file or a line of this shape may hold: much of it right. */
export function sampleOf(shape: Shape<unknown>, random: Random): unknown {
  const { form } = shape;
  switch (form.kind) {
    case "text":
      return random.onceIn(30)
        ? "ü".repeat(Math.min(random.pick([10, form.longest, 2 * form.longest + 2]), 2000))
        : random.pick(lines);
    case "parsed": {
      const make = texts[allowedFor(shape)];
      if (make === undefined) throw new Error(`name texts that are ${allowedFor(shape)}`);
      return make(random);
    }
    case "number":
      return random.pick([1, 12.5, 1_800_000_000 + random.below(1000)]);
    case "whole":
      return random.onceIn(100) ? form.least - 1 : random.pick([form.least, form.least + 1, form.least + 12, form.most]);
    case "truth":
      return random.onceIn(2);
    case "exactly":
      return form.value;
    case "words":
      return random.pick(random.onceIn(50) ? strange : Object.keys(form.words));
    case "list":
      return random.several(0, random.onceIn(40) ? form.most + 1 : Math.min(form.most, 2), () => sampleOf(form.of, random));
    case "record":
      return recordOf(form, random);
    case "kinds": {
      const one = sampleOf(random.pick(Object.values(form.of)), random) as object;
      return random.onceIn(30) ? { ...one, kind: random.pick(strange) } : one;
    }
    case "maybe":
    case "optional":
    case "else":
      return random.onceIn(2) ? undefined : sampleOf(form.of, random);
    case "coded":
      return sampleOf(form.of, random);
    case "object":
    case "nothing":
      return {};
    case "named":
    case "null":
    case "from":
    case "own":
    case "refined":
      throw new Error("no state, file or line that is sampled holds one");
  }
}

function recordOf({ keys, rules }: Extract<Form, { kind: "record" }>, random: Random): object {
  const number = rules.schema === undefined ? [] : [["schema", random.onceIn(40) ? 2 : rules.schema] as const];
  const entries = Object.entries(keys).map(([key, shape]) => [key, sampleOf(shape, random)] as const);
  return Object.fromEntries([...number, ...entries].filter(([, value]) => value !== undefined));
}
