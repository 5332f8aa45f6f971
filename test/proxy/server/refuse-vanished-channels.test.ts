import { describe, expect, test } from "vitest";
import { refuseVanishing } from "../../../src/proxy/server/refuse-vanished-channels.ts";
import type { Configuration } from "../../../src/proxy/server-rules/configuration.ts";
import { configured } from "../server-rules/configured.ts";

async function withChannels(names: string): Promise<Configuration> {
  const channels = names.split(" ").map((name) => `${name}: {static_version: 1.1.1}`);
  return configured(`proxy_service: {public_addr: a.example, automatic_upgrades_channels: {${channels.join(", ")}}}`);
}

/** Reloads one after the other, each so many seconds after the start and with these channels; what is in force after each, or why not. */
async function reloads(...steps: readonly (readonly [second: number, names: string])[]): Promise<readonly string[]> {
  let second = 0;
  const refuse = refuseVanishing(() => second * 1000, "svc-proxy");
  let [inForce, names] = [await withChannels("one two three"), "one two three"];
  const seen: string[] = [];
  for (const [at, next] of steps) {
    second = at;
    const configuration = await withChannels(next);
    try {
      refuse(inForce, configuration);
      [inForce, names] = [configuration, next];
      seen.push(names);
    } catch (thrown) {
      seen.push((thrown as Error).message);
    }
  }
  return seen;
}

const gone = (names: string): string => `the channels ${names} would vanish, and hosts that ask for them would get no version`;
const oneGone = (name: string): string => `the channel ${name} would vanish, and hosts that ask for it would get no version`;

describe("a reload", () => {
  test("with the same channels and a new one is accepted", async () => {
    expect(await reloads([0, "one two three"], [1, "one two three four"])).toEqual(["one two three", "one two three four"]);
  });

  test("without some is refused, and accepted a second time within a minute", async () => {
    expect(await reloads([0, "one"], [60, "one"])).toEqual([gone("two, three"), "one"]);
  });

  test("without some is refused again after more than a minute", async () => {
    expect(await reloads([0, "one"], [61, "one"], [62, "one"])).toEqual([gone("two, three"), gone("two, three"), "one"]);
  });

  test("without another one than the refusal named is refused", async () => {
    expect(await reloads([0, "one two"], [1, "one"], [2, "one"])).toEqual([oneGone("three"), gone("two, three"), "one"]);
  });

  test("with one of the missing ones back is accepted", async () => {
    expect(await reloads([0, "one"], [1, "one two"])).toEqual([gone("two, three"), "one two"]);
  });

  test("that was accepted once is refused again later", async () => {
    expect(await reloads([0, "one two"], [1, "one two three"], [2, "one two"])).toEqual([
      oneGone("three"),
      "one two three",
      oneGone("three"),
    ]);
  });
});
