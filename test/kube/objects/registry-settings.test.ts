import { expect, test } from "vitest";
import { check } from "../../../src/rules/shape/check.ts";
import { registry, usualRegistry } from "../../../src/kube/objects/registry-settings.ts";

test("what is left out is as it is without the setting", () => {
  expect(check(registry, {})).toEqual({ kind: "value", value: usualRegistry });
});

test("it may say everything", () => {
  const raw = { lookup: "require", pin: "digest", pull_secrets: ["one", "two.b"], plain_http: "loopback" };
  const value = { lookup: "require", pin: "digest", pullSecrets: ["one", "two.b"], plainHttp: "loopback" };
  expect(check(registry, raw)).toEqual({ kind: "value", value });
});

test.each<readonly [raw: unknown, at: string, found: string]>([
  [{ pull_secrets: ["one", "Two"] }, ".pull_secrets[1]", '"Two"'],
  [{ pull_secrets: Array(21).fill("one") }, ".pull_secrets", "a list of 21"],
  [{ lookup: "never", pin: "digest" }, ".pin", '"digest" beside `lookup: never`'],
])("%j is refused", (raw, at, found) => {
  expect(check(registry, raw)).toMatchObject({ kind: "refused", refusals: [{ at, found }] });
});
