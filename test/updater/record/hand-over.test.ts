import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decodeAnswer,
  decodeRequest,
  encodeAnswer,
  encodeRequest,
  longestAnswerBytes,
  longestRequestBytes,
} from "../../../src/updater/record/hand-over.ts";
import { answer, request } from "./arbitrary.ts";

const rightRequest = {
  pass: "a1",
  purpose: "answer",
  endpoint: "https://proxy.example.com",
  channel: "default",
  allowPlainHttp: false,
  proxies: { HTTPS_PROXY: "http://proxy.test:3128" },
};
const rightAnswer = {
  pass: "a1",
  answer: { kind: "served", served: { kind: "version", version: "15.4.6" }, isCritical: false },
};
const someFault = { code: "channel-unreachable", message: "m", hint: "h", causes: [] };

describe("a request", () => {
  test("is taken when everything in it is as it should be", () => {
    expect(decodeRequest(JSON.stringify(rightRequest))).toEqual({
      kind: "read",
      value: { ...rightRequest, caFile: undefined, installed: undefined },
    });
  });

  test("may say more than is known here", () => {
    const more = { ...rightRequest, extra: 1, proxies: { ...rightRequest.proxies, ALL_PROXY: "socks5://proxy.test" } };
    expect(decodeRequest(JSON.stringify(more))).toEqual(decodeRequest(JSON.stringify(rightRequest)));
  });

  test.each([
    [{ pass: "a".repeat(65) }, "pass is not a pass id"],
    [{ endpoint: "https://proxy.example.com\u0001" }, "endpoint is not an http or https base URL"],
    [{ endpoint: "ftp://proxy.example.com" }, "endpoint is not an http or https base URL"],
    [{ endpoint: "proxy.example.com" }, "endpoint is not an http or https base URL"],
    [{ endpoint: "https://user:secret@proxy.example.com" }, "endpoint is not an http or https base URL"],
    [{ endpoint: "https://proxy.example.com/" }, "endpoint is not an http or https base URL"],
    [{ endpoint: `https://${"a".repeat(1100)}` }, "endpoint is not an http or https base URL"],
    [
      { channel: "../secret" },
      "channel is not words of letters, digits, dot, underscore and hyphen, joined by slashes, for example default or stable/cloud",
    ],
    [{ caFile: "ca.pem" }, "caFile is not an absolute path"],
    [{ caFile: `/${"a".repeat(1024)}` }, "caFile is not an absolute path"],
    [{ allowPlainHttp: "yes" }, "allowPlainHttp is not true or false"],
    [{ installed: "new" }, "installed is not a semantic version"],
    [{ purpose: "everything" }, "purpose is not a word known here"],
    [{ proxies: { HTTP_PROXY: 3128 } }, "proxies.HTTP_PROXY is not a text of at most 65536 characters"],
    [{ proxies: { no_proxy: "a".repeat(65_537) } }, "proxies.no_proxy is not a text of at most 65536 characters"],
  ])("with %o is refused", (change, why) => {
    expect(decodeRequest(JSON.stringify({ ...rightRequest, ...change }))).toEqual({ kind: "unreadable", why });
  });
});

describe("an answer", () => {
  test("is taken when everything in it is as it should be", () => {
    expect(decodeAnswer(JSON.stringify(rightAnswer))).toEqual({ kind: "read", value: rightAnswer });
  });

  test("has the words of its fault made printable", () => {
    const wild = {
      ...rightAnswer,
      answer: { kind: "fault", fault: { ...someFault, message: "a\u001b[31m\nb", causes: ["c\r\nd"] } },
    };
    expect(decodeAnswer(JSON.stringify(wild))).toMatchObject({
      value: { answer: { fault: { message: "a [31m b", causes: ["c d"] } } },
    });
  });

  test.each([
    [
      { answer: { ...rightAnswer.answer, served: { kind: "version", version: "latest" } } },
      "answer.served.version is not a semantic version",
    ],
    [{ answer: { ...rightAnswer.answer, channels: "A".repeat(64) } }, "answer.channels is not a digest of channels"],
    [{ answer: { kind: "fault", fault: { ...someFault, code: "made-up" } } }, "answer.fault.code is not a word known here"],
    [
      { answer: { kind: "fault", fault: { ...someFault, message: "m".repeat(1602) } } },
      "answer.fault.message is not a text of at most 1601 characters",
    ],
    [
      { answer: { kind: "fault", fault: { ...someFault, causes: ["", "", "", ""] } } },
      "answer.fault.causes is not a list of at most 3",
    ],
  ])("with %o is refused", (change, why) => {
    expect(decodeAnswer(JSON.stringify({ ...rightAnswer, ...change }))).toEqual({ kind: "unreadable", why });
  });
});

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
