import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeAnswer, decodeRequest } from "../../src/record/decode-hand-over.ts";
import { encodeAnswer, encodeRequest } from "../../src/record/encode-hand-over.ts";
import { longestAnswerBytes, longestRequestBytes } from "../../src/record/hand-over.ts";
import { answer, request } from "./arbitrary.ts";

describe("the hand-over", () => {
  test("brings every request back as it was", () => {
    fc.assert(
      fc.property(request, (asked) => {
        expect(decodeRequest(encodeRequest(asked))).toEqual({ kind: "read", value: asked });
      }),
    );
  });

  test("is one line, whatever is in it", () => {
    fc.assert(
      fc.property(request, answer("any"), (asked, given) => {
        expect(encodeRequest(asked)).not.toContain("\n");
        expect(encodeAnswer(given)).not.toContain("\n");
      }),
    );
  });

  test("has room for as many proxies as their file may hold", () => {
    const [asked] = fc.sample(request, 1);
    const encoded = encodeRequest({ ...asked!, proxies: { NO_PROXY: "\u0001".repeat(64 * 1024) } });
    expect(encoded.length).toBeLessThanOrEqual(longestRequestBytes);
    expect(decodeRequest(encoded)).toMatchObject({ kind: "read" });
  });

  test("brings every answer with plain words back", () => {
    fc.assert(
      fc.property(answer("plain"), (given) => {
        const read = decodeAnswer(encodeAnswer(given));
        if (read.kind === "unreadable") throw new Error(read.why);
        expect(encodeAnswer(read.value)).toBe(encodeAnswer(given));
        if (given.answer.kind === "served") expect(read.value).toEqual(given);
      }),
    );
  });

  test("never outgrows its cap, stays readable and keeps the fault's code, whatever the fault says", () => {
    fc.assert(
      fc.property(answer("any"), (given) => {
        const encoded = encodeAnswer(given);
        expect(Buffer.byteLength(encoded)).toBeLessThanOrEqual(longestAnswerBytes);
        const read = decodeAnswer(encoded);
        if (read.kind === "unreadable") throw new Error(read.why);
        if (given.answer.kind === "fault") expect(read.value.answer).toMatchObject({ fault: { code: given.answer.fault.code } });
      }),
    );
  });

  test.each([
    ["long words cut a little", "a", 800, 3],
    ["wider characters cut more", "€", 600, 1],
    ["the widest as much", "😀", 600, 0],
    ["words that must be escaped less", '"', 600, 1],
  ])("keeps %s", (_, character, longest, causes) => {
    const words = character.repeat(5000);
    const fault = {
      code: "channel-unreachable" as const,
      message: words,
      hint: words,
      causes: Array.from({ length: 8 }, () => words),
    };
    const read = decodeAnswer(encodeAnswer({ pass: "p".repeat(64), answer: { kind: "fault", fault } }));
    if (read.kind === "unreadable" || read.value.answer.kind !== "fault") throw new Error("unreadable");
    expect(read.value.answer.fault.message).toBe(`${character.repeat(longest)}…`);
    expect(read.value.answer.fault.causes.length).toBe(causes);
  });
});
