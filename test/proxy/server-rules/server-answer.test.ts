import type { DecisionNumber } from "../../../src/rules/channel/decision-number.ts";
import { describe, expect, test } from "vitest";
import type { Served } from "../../../src/rules/channel/answer.ts";
import {
  channelAnswer,
  longestStaleSeconds,
  pingAnswer,
  refusal,
  type UpstreamAnswer,
} from "../../../src/proxy/server-rules/server-answer.ts";
import type { Channel } from "../../../src/proxy/server-rules/configuration.ts";
import { namesTag } from "../../../src/proxy/server-rules/etag.ts";
import { refusals } from "../../../src/proxy/server-rules/refusal.ts";
import type { Endpoint } from "../../../src/rules/settings/settings.ts";
import { parseVersion } from "../../../src/rules/version/version.ts";
import { configured } from "./configured.ts";

const served: Served = { kind: "version", version: parseVersion("15.4.6")! };
const forwarded: Channel = { kind: "forwarded", url: "https://updates.example.com" as Endpoint };
const now = 1_800_000_000;

describe("a static channel", () => {
  test.each([
    ["version", served, false, "v15.4.6", "v15.4.6", "v15.4.6"],
    ["critical", served, false, "no", "no-v15.4.6", "v15.4.6"],
    ["critical", served, true, "yes", "yes-v15.4.6", "v15.4.6"],
    ["version", { kind: "none" }, false, "none", "none", "none"],
    ["critical", { kind: "none" }, false, "no", "no-none", "none"],
  ] as const)("answers %s of %j, critical %s, with %s, as %s of %s", (question, serves, isCritical, word, tag, names) => {
    const channel: Channel = { kind: "static", served: serves, isCritical };
    expect(channelAnswer(question, { channel, upstream: undefined }, now)).toEqual({
      status: 200,
      contentType: "text/plain; charset=utf-8",
      cacheControl: "public, max-age=60",
      etag: `"${tag}"`,
      names,
      body: `${word}\n`,
    });
  });
});

describe("a forwarded channel", () => {
  const said = (age: number): UpstreamAnswer => ({ served, isCritical: true, at: now - age });

  test.each([
    ["version", "v15.4.6-2.7"],
    ["critical", "yes-v15.4.6-2.7"],
  ] as const)("passes on which decision its upstream's %s is of, and no cache takes it for another", (question, tag) => {
    const upstream = { ...said(0), decision: "2.7" as DecisionNumber };
    const answer = channelAnswer(question, { channel: forwarded, upstream }, now);
    expect(answer).toMatchObject({ names: "v15.4.6", decision: "2.7", etag: `"${tag}"` });
  });

  test.each([
    ["version", 0, "v15.4.6\n"],
    ["critical", 0, "yes\n"],
    ["version", longestStaleSeconds, "v15.4.6\n"],
    // A clock that was set back makes nothing stale.
    ["version", -3600, "v15.4.6\n"],
  ] as const)("answers %s by what its upstream said %i s ago", (question, age, body) => {
    expect(channelAnswer(question, { channel: forwarded, upstream: said(age) }, now)).toMatchObject({ status: 200, body });
  });

  test.each([
    ["has not been heard yet", undefined],
    ["is silent for too long", said(longestStaleSeconds + 1)],
  ])("answers 503 while its upstream %s", (_title, upstream) => {
    const answer = channelAnswer("version", { channel: forwarded, upstream }, now);
    expect(answer).toMatchObject({ status: 503, retryAfterSeconds: 60, cacheControl: "no-store" });
    expect(answer.etag).toBeUndefined();
    expect(JSON.parse(answer.body)).toMatchObject({ schema: 1, fault: { code: "upstream-unknown" } });
  });
});

test("an error says in JSON what is wrong and what to do, and is kept by nobody", () => {
  const answer = refusal(refusals.methodNotAllowed);
  expect(answer).toMatchObject({ status: 405, contentType: "application/json", cacheControl: "no-store", allow: "GET, HEAD" });
  expect(JSON.parse(answer.body)).toEqual({
    schema: 1,
    fault: { code: "method-not-allowed", message: "this can only be read", hint: "use GET or HEAD" },
  });
  expect(refusal(refusals.notFound)).toMatchObject({ allow: undefined, retryAfterSeconds: undefined });
});

test("ping answers in JSON", async () => {
  const answer = pingAnswer(await configured("proxy_service: {public_addr: a.example}"));
  expect(answer).toMatchObject({ status: 200, contentType: "application/json", cacheControl: "public, max-age=60" });
  expect(JSON.parse(answer.body)).toMatchObject({ proxy: { ssh: { public_addr: "a.example:443" } } });
});

describe("If-None-Match", () => {
  test.each([
    ["*", true],
    ['"v1.2.3"', true],
    ['W/"v1.2.3"', true],
    ['"a", "v1.2.3"', true],
    ['"v1.2.30"', false],
    ["v1.2.3", false],
    ["", false],
  ])("%s names the tag or not", (header, names) => {
    expect(namesTag(header, '"v1.2.3"')).toBe(names);
  });
});
