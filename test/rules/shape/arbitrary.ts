import fc from "fast-check";
import { allowedFor } from "../../../src/rules/shape/allowed.ts";
import type { Shape } from "../../../src/rules/shape/shape.ts";
import { digestOf } from "../channel/given.ts";

/** `plain` values survive a round trip unchanged; `any` ones hold what no honest caller would write. */
export type Manner = "plain" | "any";

const small: fc.Arbitrary<number> = fc.nat({ max: 20 });

const version = fc
  .tuple(small, small, small, fc.constantFrom("", "-rc.1", "+build.5"))
  .map(([major, minor, patch, rest]) => `${major}.${minor}.${patch}${rest}`);

/** By what is expected of a text that a parser of its own reads. */
const parsed: Readonly<Record<string, fc.Arbitrary<string>>> = {
  "a semantic version": version,
  "a semantic version or none": fc.oneof(version, fc.constant("none")),
  "a package version": fc
    .tuple(fc.constantFrom("", "5:"), version, fc.constantFrom("", "-1", "-1~deb12u1"))
    .map(([epoch, upstream, revision]) => `${epoch}${upstream}${revision}`),
  "a digest of channels": fc.constantFrom("a", "0", "f").map(digestOf),
  "a decision number": fc.tuple(fc.nat(), fc.nat()).map(([epoch, count]) => `${epoch}.${count}`),
  "a pass id": fc.string({ unit: fc.constantFrom("a", "F", "0", "-"), minLength: 1, maxLength: 64 }),
  "32 hexadecimal digits": fc.string({ unit: fc.constantFrom("0", "7", "a", "f"), minLength: 32, maxLength: 32 }),
  "an absolute path": fc.constantFrom("/etc/ssl/ca.pem", "/etc/ssl/a b/ü.pem"),
  "the name of a package": fc.constantFrom("svc-ent", "svc-ent-fips"),
  "an http or https base URL": fc.constantFrom(
    "https://proxy.example.com",
    "http://127.0.0.1:3080",
    "https://[2001:db8::1]:8443/base",
  ),
  "words of letters, digits, dot, underscore and hyphen, joined by slashes, for example default or stable/cloud": fc.constantFrom(
    "default",
    "stable/cloud",
  ),
};

const longestText = 3000;
/** Short strings of anything, and long ones of costly characters. */
const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom("€", "\ud800", '"', "a\n").map((unit) => unit.repeat(longestText / 2)),
);
/** Printable and short: comes back as it went in. */
const plainText: fc.Arbitrary<string> = fc.string({ unit: fc.constantFrom("a", "Z", "0", '"', "\\", "ü", "€"), maxLength: 20 });

const number: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: -10, max: 4_000_000_000 }),
  fc.double({ min: 1e-3, max: 1e9, noNaN: true }),
);

/** Longer than a list may be, where its writer cuts it; no longer than that takes to be seen. */
function longest(most: number, manner: Manner): number {
  return manner === "plain" ? Math.min(most, 10) : Math.min(3 * most, most + 30);
}

/** Values of a shape, as its own description has them. */
export function arbitraryOf<T>(shape: Shape<T>, manner: Manner): fc.Arbitrary<T> {
  return ofForm(shape, manner) as fc.Arbitrary<T>;
}

function ofForm(shape: Shape<unknown>, manner: Manner): fc.Arbitrary<unknown> {
  const { form } = shape;
  const inner = <T>(of: Shape<T>): fc.Arbitrary<T> => arbitraryOf(of, manner);
  switch (form.kind) {
    case "text":
      // One that is not cut when it is written is somebody else's to cut.
      return manner === "plain" || (form.quoted === undefined && form.longest < longestText) ? plainText : anyText;
    case "parsed": {
      const texts = parsed[allowedFor(shape)];
      if (texts === undefined) throw new Error(`name texts that are ${allowedFor(shape)}`);
      return texts;
    }
    case "number":
      return number;
    case "whole":
      return fc.integer({ min: form.least, max: Math.min(form.most, 2 ** 31) });
    case "truth":
      return fc.boolean();
    case "object":
      return fc.constant({});
    case "nothing":
      return fc.constant(undefined);
    case "exactly":
      return fc.constant(form.value);
    case "words":
      return fc.constantFrom(...Object.keys(form.words));
    case "list":
      return fc.array(inner(form.of), { maxLength: longest(form.most, manner) });
    case "record": {
      const optional = Object.entries(form.keys).filter(([, of]) => of.form.kind === "optional");
      const required = Object.keys(form.keys).filter((key) => !optional.some(([name]) => name === key));
      return fc.record(Object.fromEntries(Object.entries(form.keys).map(([key, of]) => [key, inner(of)])), {
        requiredKeys: required,
      });
    }
    case "kinds":
      return fc.oneof(...Object.values(form.of).map(inner));
    case "maybe":
      return fc.option(inner(form.of), { nil: undefined });
    case "optional":
      return inner(form.of);
    case "else":
      return fc.oneof(fc.constant(form.missing), inner(form.of)).map((value) => (form.isLeftOut(value) ? form.missing : value));
    case "coded":
      return inner(form.of)
        .map(form.codec.read)
        .filter((value) => value !== undefined);
    case "named":
    case "null":
    case "from":
    case "own":
    case "refined":
      throw new Error("no shape that is drawn from holds one");
  }
}
