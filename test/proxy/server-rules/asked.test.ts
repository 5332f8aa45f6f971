import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseChannelName } from "../../../src/rules/channel/path.ts";
import { askedBy, channelTargets } from "../../../src/proxy/server-rules/asked.ts";

const at = "/webapi/automaticupgrades/channel";

describe("a target", () => {
  test.each([
    ["/webapi/ping?now=1", "ping"],
    ["http://proxy.example.com:3080/webapi/ping", "ping"],
    [`/v1${at}/default/version`, "default version"],
    [`${at}/default/version`, "default version"],
    [`/v1${at}/stable/cloud/critical?x`, "stable/cloud critical"],
    [`/v1${at}/%73table/cloud/version`, "stable/cloud version"],
    [`/v1${at}/version/version`, "version version"],
    [`/v1${at}/a/critical/version`, "a/critical version"],
  ])("%s asks for %s", (target, meant) => {
    const asked = askedBy(target);
    expect(asked.kind === "channel" ? `${asked.channel} ${asked.question}` : asked.kind).toBe(meant);
  });

  test.each([
    ["", 404, "not-found"],
    ["/webapi/ping/", 404, "not-found"],
    [`/v2${at}/default/version`, 404, "not-found"],
    [`/v1${at}/default`, 404, "not-found"],
    [`/v1${at}/default/version/`, 404, "not-found"],
    [`/v1${at}/version`, 404, "not-found"],
    [`/v1${at}//version`, 404, "not-found"],
    [`/v1${at}/a//b/version`, 404, "channel-unknown"],
    [`/v1${at}/../version`, 404, "channel-unknown"],
    [`/v1${at}/%2e%2e/version`, 404, "channel-unknown"],
    [`/v1${at}/stable%2Fcloud/version`, 404, "not-found"],
    [`/v1${at}/stable%2fcloud/version`, 404, "not-found"],
    [`/v1${at}/${"a".repeat(64)}/version`, 404, "channel-unknown"],
    [`/v1${at}/${"a/".repeat(9)}a/version`, 404, "channel-unknown"],
    [`/v1${at}/a%00/version`, 400, "target-invalid"],
    [`/v1${at}/a%0a/version`, 400, "target-invalid"],
    [`/v1${at}/a%ff/version`, 400, "target-invalid"],
    [`/v1${at}/${"a".repeat(1024)}/version`, 414, "target-too-long"],
  ])("%s is refused with %i %s", (target, status, code) => {
    expect(askedBy(target)).toMatchObject({ kind: "refused", status, code });
  });

  test("of any kind is understood or refused", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (target) => askedBy(target).kind !== undefined));
  });

  test("of a channel leads to that channel", () => {
    const word = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), fc.constantFrom("version", "critical"), (words, question) => {
        const channel = parseChannelName(words.join("/"))!;
        for (const target of channelTargets(channel, question))
          expect(askedBy(target)).toEqual({ kind: "channel", channel, question });
      }),
    );
  });
});
