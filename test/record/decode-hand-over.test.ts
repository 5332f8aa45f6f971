import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestOf } from "../channel/given.ts";
import { decodeAnswer, decodeRequest } from "../../src/record/decode-hand-over.ts";

const asked = {
  pass: "a1",
  purpose: "answer",
  endpoint: "https://proxy.example.com",
  channel: "default",
  allowPlainHttp: false,
  proxies: { HTTPS_PROXY: "http://proxy.test:3128" },
};
const given = {
  pass: "a1",
  answer: { kind: "served", served: { kind: "version", version: "15.4.6" }, isCritical: false },
};
const fault = { code: "channel-unreachable", message: "m", hint: "h", causes: [] };

describe("a request", () => {
  test("is taken when everything in it is as it should be", () => {
    expect(decodeRequest(JSON.stringify(asked))).toEqual({
      kind: "read",
      value: { ...asked, caFile: undefined, installed: undefined },
    });
  });

  test("may say more than is known here", () => {
    const more = { ...asked, extra: 1, proxies: { ...asked.proxies, ALL_PROXY: "socks5://proxy.test" } };
    expect(decodeRequest(JSON.stringify(more))).toEqual(decodeRequest(JSON.stringify(asked)));
  });

  test.each([
    [{ pass: "" }, "pass is not a pass id"],
    [{ pass: "a/b" }, "pass is not a pass id"],
    [{ pass: "a".repeat(65) }, "pass is not a pass id"],
    [{ endpoint: "HTTPS://proxy.example.com" }, "endpoint is not an http or https base URL"],
    [{ endpoint: "https:proxy.example.com" }, "endpoint is not an http or https base URL"],
    [{ endpoint: "https:\\\\proxy.example.com" }, "endpoint is not an http or https base URL"],
    [{ endpoint: "https://proxy.example.com\u0001" }, "endpoint is not an http or https base URL"],
    [{ endpoint: "https://proxy.example.com/../a" }, "endpoint is not an http or https base URL"],
    [{ endpoint: "https://proxy.example.com:0" }, "endpoint is not an http or https base URL"],
    [{ endpoint: "ftp://proxy.example.com" }, "endpoint is not an http or https base URL"],
    [{ endpoint: "file:///etc/passwd" }, "endpoint is not an http or https base URL"],
    [{ endpoint: "proxy.example.com" }, "endpoint is not an http or https base URL"],
    [{ endpoint: "https://user:secret@proxy.example.com" }, "endpoint is not an http or https base URL"],
    [{ endpoint: "https://:secret@proxy.example.com" }, "endpoint is not an http or https base URL"],
    [{ endpoint: "https://proxy.example.com/" }, "endpoint is not an http or https base URL"],
    [{ endpoint: "https://proxy.example.com?a=b" }, "endpoint is not an http or https base URL"],
    [{ endpoint: "https://proxy.example.com#a" }, "endpoint is not an http or https base URL"],
    [{ endpoint: " https://proxy.example.com" }, "endpoint is not an http or https base URL"],
    [{ endpoint: `https://${"a".repeat(1100)}` }, "endpoint is not an http or https base URL"],
    [
      { channel: "../secret" },
      "channel is not words of letters, digits, dot, underscore and hyphen, joined by slashes, for example default or stable/cloud",
    ],
    [{ caFile: "ca.pem" }, "caFile is not an absolute path"],
    [{ caFile: "/a\0b" }, "caFile is not an absolute path"],
    [{ caFile: `/${"a".repeat(1024)}` }, "caFile is not an absolute path"],
    [{ allowPlainHttp: "yes" }, "allowPlainHttp is not true or false"],
    [{ installed: "new" }, "installed is not a semantic version"],
    [{ purpose: "everything" }, "purpose is not a word known here"],
    [{ purpose: "constructor" }, "purpose is not a word known here"],
    [{ proxies: undefined }, "proxies is not an object"],
    [{ proxies: { HTTP_PROXY: 3128 } }, "proxies.HTTP_PROXY is not a text of at most 65536 characters"],
    [{ proxies: { no_proxy: "a".repeat(65_537) } }, "proxies.no_proxy is not a text of at most 65536 characters"],
  ])("with %o is refused", (change, why) => {
    expect(decodeRequest(JSON.stringify({ ...asked, ...change }))).toEqual({ kind: "unreadable", why });
  });
});

describe("an answer", () => {
  test("is taken when everything in it is as it should be", () => {
    expect(decodeAnswer(JSON.stringify(given))).toEqual({ kind: "read", value: given });
  });

  test("may say more than is known here, for its fault a word that is not known too", () => {
    const served = { ...given.answer.served, extra: 1 };
    const more = { ...given, extra: 1, answer: { ...given.answer, served, extra: 1 } };
    expect(decodeAnswer(JSON.stringify(more))).toEqual({ kind: "read", value: given });
    const later = { ...fault, later: { code: "line-cut" }, extra: 1 };
    expect(decodeAnswer(JSON.stringify({ ...given, answer: { kind: "fault", fault: later } }))).toEqual({
      kind: "read",
      value: { ...given, answer: { kind: "fault", fault } },
    });
  });

  test("may name the configuration of the channels that it was given under", () => {
    const answer = { ...given.answer, channels: digestOf("a") };
    expect(decodeAnswer(JSON.stringify({ ...given, answer }))).toEqual({ kind: "read", value: { ...given, answer } });
  });

  test("has the words of its fault made printable", () => {
    const wild = { ...given, answer: { kind: "fault", fault: { ...fault, message: "a\u001b[31m\nb", causes: ["c\r\nd"] } } };
    expect(decodeAnswer(JSON.stringify(wild))).toMatchObject({
      value: { answer: { fault: { message: "a [31m b", causes: ["c d"] } } },
    });
  });

  test.each([
    [
      { answer: { ...given.answer, served: { kind: "version", version: "latest" } } },
      "answer.served.version is not a semantic version",
    ],
    [{ answer: { ...given.answer, channels: "A".repeat(64) } }, "answer.channels is not a digest of channels"],
    [{ answer: { kind: "fault", fault: { ...fault, code: "made-up" } } }, "answer.fault.code is not a word known here"],
    [{ answer: { kind: "fault", fault: { ...fault, code: "constructor" } } }, "answer.fault.code is not a word known here"],
    [
      { answer: { kind: "fault", fault: { ...fault, message: "m".repeat(1602) } } },
      "answer.fault.message is not a text of at most 1601 characters",
    ],
    [
      { answer: { kind: "fault", fault: { ...fault, causes: ["", "", "", ""] } } },
      "answer.fault.causes is not a list of at most 3",
    ],
  ])("with %o is refused", (change, why) => {
    expect(decodeAnswer(JSON.stringify({ ...given, ...change }))).toEqual({ kind: "unreadable", why });
  });

  test("never crashes on any text, nor does a request", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (found) => {
        expect(["read", "unreadable"]).toContain(decodeAnswer(found).kind);
        expect(["read", "unreadable"]).toContain(decodeRequest(found).kind);
      }),
    );
  });
});
