import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instanceHandlers } from "../../../src/cluster/auth/instances.ts";
import { hostname, readSent } from "../../../src/cluster/auth/row-forms.ts";
import { tokenHandlers } from "../../../src/cluster/auth/tokens.ts";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { labels, plainText, resourceName } from "../../../src/cluster/resource/name.ts";
import type { Shape } from "../../../src/rules/shape/shape.ts";
import { startOverTls } from "./over-tls.ts";

const root = { kind: "root", host: "auth1" } as const;

/** Escape sequences, marks that turn the direction, ends of lines, halves of characters: with what is allowed around them. */
const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string(),
  fc
    .tuple(
      fc.constantFrom("host", "a.b-c", ""),
      fc.constantFrom("\u001b[2J", "\u202e", "\n", "\r", "\u0000", "\u009b31m", "\ud800", "é"),
      fc.constantFrom("1", ""),
    )
    .map((parts) => parts.join("")),
);

/** What came of it: the text as it is stored and shown, or all that is told of a refusal. */
function shown(form: Shape<unknown>, raw: unknown): string {
  try {
    return JSON.stringify(Object.entries({ is: readSent(form, raw, "what was sent") })).replaceAll(/\\["\\]/g, "");
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    const told = [thrown.message, thrown.hint, ...thrown.wrong.flatMap(({ at, found, allowed }) => [at, found, allowed])];
    // A backslash in there was sent as one: nothing is escaped in what is told.
    return told.join("").replaceAll("\\", "");
  }
}

describe("nothing that a stranger sent reaches a terminal as it came, taken or refused:", () => {
  test.each([
    ["a host's name", hostname, (text: string) => text],
    ["a version or a service", plainText, (text: string) => text],
    ["the name of a resource", resourceName, (text: string) => text],
    ["the value of a label", labels, (text: string) => ({ env: text })],
    ["the name of a label", labels, (text: string) => ({ [text]: "canary" })],
  ] as const)("%s", (_what, form, sent) => {
    fc.assert(
      fc.property(hostile, (text) => {
        // What JSON would escape is shown as it is: a backslash would tell that something had to be escaped.
        const printed = shown(form, sent(text));
        expect(printed).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|\\u|\\n|\\r/u);
      }),
    );
  });
});

test("a mapping of labels has a bound, and names that every object has mean nothing", () => {
  const many = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`label${index}`, "x"]));
  expect(() => readSent(labels, many, "the token")).toThrow(Fault);
  const odd = readSent(labels, { constructor: "a", toString: "b" }, "the token");
  expect(Object.entries(odd)).toEqual([
    ["constructor", "a"],
    ["toString", "b"],
  ]);
  expect(() => readSent(labels, JSON.parse('{"__proto__": "x"}'), "the token")).toThrow(Fault);
});

describe("a name of a megabyte, or with a zero byte in it, is refused in words", () => {
  test.each([
    ["of an instance that is removed", "long"],
    ["of an instance that is removed", "zero"],
    ["of a token that is deleted", "long"],
    ["of a token that is deleted", "zero"],
    ["of a page of tokens", "long"],
    ["of a page of instances", "zero"],
  ] as const)("%s: %s", async (what, which) => {
    await using running = await startOverTls();
    const { context } = running;
    const text = which === "long" ? "x".repeat(1_000_000) : "a\0b";
    const calls = {
      "of an instance that is removed": () => instanceHandlers.removeInstance(context, root, { id: text } as never),
      "of a token that is deleted": () => tokenHandlers.deleteToken(context, root, { name: text } as never),
      "of a page of tokens": () => tokenHandlers.listTokens(context, root, { pageSize: 10, pageToken: text } as never),
      "of a page of instances": () =>
        instanceHandlers.listInstances(context, root, { kind: "", withRemoved: false, pageSize: 10, pageToken: text } as never),
    };
    const told = await calls[what]().then(
      () => "an empty page",
      (fault: unknown) => fault,
    );
    if (told === "an empty page") return expect(what).toContain("of a page");
    expect(told).toBeInstanceOf(Fault);
    expect((told as Fault).message.length).toBeLessThan(300);
    return undefined;
  });
});
