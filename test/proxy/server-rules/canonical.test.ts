import { expect, test } from "vitest";
import { canonicalChannels } from "../../../src/proxy/server-rules/canonical.ts";
import { configured } from "./configured.ts";

async function canonical(channels: string): Promise<string> {
  const text = `proxy_service: {public_addr: a.example, version: 15.4.6, automatic_upgrades_channels: ${channels}}`;
  return canonicalChannels((await configured(text)).channels);
}

test("the canonical text has every channel, sorted, each in one spelling", async () => {
  expect(await canonical("{b/c: {forward_url: https://U.example:443/x/}, a: {static_version: v1.2.3, critical: true}}")).toBe(
    '{"a":{"critical":true,"static_version":"1.2.3"},"b/c":{"forward_url":"https://u.example/x"},"default":{"critical":false,"static_version":"15.4.6"}}',
  );
});

test.each([
  ["a leading v", "{a: {static_version: v1.2.3}}", "{a: {static_version: 1.2.3}}"],
  [
    "another order",
    "{a: {static_version: 1.2.3}, b: {static_version: none}}",
    "{b: {static_version: none}, a: {static_version: 1.2.3}}",
  ],
  ["a default that says what holds anyway", "{default: {static_version: v15.4.6}}", "{}"],
])("%s makes no difference", async (_title, left, right) => {
  expect(await canonical(left)).toBe(await canonical(right));
});

test.each([
  ["the version", "{a: {static_version: 1.2.3}}", "{a: {static_version: 1.2.4}}"],
  ["critical", "{a: {static_version: 1.2.3}}", "{a: {static_version: 1.2.3, critical: yes}}"],
  ["the name", "{a: {static_version: 1.2.3}}", "{b: {static_version: 1.2.3}}"],
  ["the upstream", "{a: {forward_url: https://a.example}}", "{a: {forward_url: https://b.example}}"],
])("%s makes one", async (_title, left, right) => {
  expect(await canonical(left)).not.toBe(await canonical(right));
});
