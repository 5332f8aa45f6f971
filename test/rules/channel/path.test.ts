import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { channelNameRule, channelUrl, parseChannelName } from "../../../src/rules/channel/path.ts";

describe("a channel's name", () => {
  test.each([
    ["default", "default"],
    ["two words", "stable/cloud"],
    ["digits, dots, underscores and hyphens", "v15.4_x-1/edge"],
    ["eight words", "a/b/c/d/e/f/g/h"],
    ["a long word", "a".repeat(63)],
  ])("may be %s", (_, name) => {
    expect(parseChannelName(name)).toBe(name);
  });

  test.each([
    ["empty", ""],
    ["a slash", "/"],
    ["led by a slash", "/stable"],
    ["ended by a slash", "stable/"],
    ["with an empty word", "stable//cloud"],
    ["a way up", ".."],
    ["with a way up", "stable/../cloud"],
    ["with this folder", "./stable"],
    ["hidden", ".stable"],
    ["an option", "-stable"],
    ["with an escaped slash", "stable%2fcloud"],
    ["with an escaped dot", "%2e%2e"],
    ["with a space", "stable cloud"],
    ["with a space after it", "stable "],
    ["with a newline", "stable\n"],
    ["with a backslash", "stable\\cloud"],
    ["with a query", "stable?x=1"],
    ["with a fragment", "stable#x"],
    ["with a port", "stable:80"],
    ["with an at sign", "user@stable"],
    ["beyond ASCII", "stäble"],
    ["a null byte", "stable\u0000"],
    ["of nine words", "a/b/c/d/e/f/g/h/i"],
    ["of a word too long", "a".repeat(64)],
  ])("is never %s", (_, name) => {
    expect(parseChannelName(name)).toBeUndefined();
  });

  test("has a rule that names examples which keep it", () => {
    const examples = /for example (\S+) or (\S+)$/.exec(channelNameRule)!.slice(1);
    expect(examples.map(parseChannelName)).toEqual(examples);
  });
});

describe("a channel's address", () => {
  const name = parseChannelName("stable/cloud")!;
  test.each([
    ["https://proxy.example.com", "https://proxy.example.com/v1/webapi/automaticupgrades/channel/stable/cloud/version"],
    ["https://proxy.example.com/", "https://proxy.example.com/v1/webapi/automaticupgrades/channel/stable/cloud/version"],
    ["https://proxy.example.com:3080", "https://proxy.example.com:3080/v1/webapi/automaticupgrades/channel/stable/cloud/version"],
    ["http://127.0.0.1:8080/base//", "http://127.0.0.1:8080/base/v1/webapi/automaticupgrades/channel/stable/cloud/version"],
    ["https://[2001:db8::1]", "https://[2001:db8::1]/v1/webapi/automaticupgrades/channel/stable/cloud/version"],
  ])("lies below %s", (endpoint, url) => {
    expect(channelUrl(endpoint, name, "version")).toBe(url);
  });

  test("asks whether the update is critical beside it", () => {
    expect(channelUrl("https://proxy.example.com", parseChannelName("default")!, "critical")).toBe(
      "https://proxy.example.com/v1/webapi/automaticupgrades/channel/default/critical",
    );
  });

  test("never leaves its place, whatever name was read", () => {
    const hostile = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[a-zA-Z0-9._/%?#@:\\-]{1,20}$/));
    fc.assert(
      fc.property(hostile, (text) => {
        const read = parseChannelName(text);
        if (read === undefined) return;
        const url = new URL(channelUrl("https://proxy.example.com", read, "version"));
        expect(url.pathname).toBe(`/v1/webapi/automaticupgrades/channel/${text}/version`);
        expect(url.href).toBe(`https://proxy.example.com${url.pathname}`);
      }),
    );
  });
});
