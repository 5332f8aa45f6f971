import { describe, expect, test } from "vitest";
import type { Kept } from "../../../src/kube/registry/ask-registry.ts";
import { openLookUp } from "../../../src/kube/registry/look-up.ts";

const both = ["linux/amd64", "linux/arm64"];
const there: Kept = { kind: "there", digest: "sha256:b", platforms: both };
const gone: Kept = { kind: "not-there" };
const unknown: Kept = { kind: "unknown", why: "no way" };
const busy: Kept = { kind: "busy", why: "status 429", retryAfterMs: undefined };

/** A registry that has these images, and a clock that a test moves. */
function given(images: Record<string, Kept>) {
  const clock = { ms: 0 };
  const asked: string[] = [];
  const look = (image: string): Promise<Kept> => {
    asked.push(image);
    return Promise.resolve(images[image] ?? gone);
  };
  const lookUp = openLookUp({ look, monotonicMs: () => clock.ms });
  return { clock, asked, images, lookUp: () => lookUp({ from: "a", to: "b" }) };
}

describe("what is found", () => {
  const cases: readonly (readonly [title: string, a: Kept, b: Kept, found: object])[] = [
    [
      "a platform is missing",
      there,
      { ...there, platforms: ["linux/amd64"] },
      { kind: "there", digest: "sha256:b", lacks: ["linux/arm64"], before: "there" },
    ],
    ["there are more platforms than before", { ...there, platforms: ["linux/amd64"] }, there, { kind: "there", lacks: [] }],
    ["the new one is not there", there, gone, { kind: "not-there" }],
    ["the one that runs is gone", gone, there, { kind: "there", before: "gone" }],
    ["the one that runs cannot be told", unknown, there, { kind: "there", before: { why: "no way" } }],
    ["the one that runs is a lie", { kind: "lies", why: "another" }, there, { kind: "lies", why: "another" }],
    ["it is busy", busy, there, { kind: "busy", why: "status 429" }],
  ];
  test.each(cases)("where %s", async (_, a, b, found) => {
    expect((await given({ a, b }).lookUp()).found).toMatchObject(found);
  });
});

describe("it is asked again", () => {
  /** The seconds between one question and the next, as long as the answer is the same. */
  async function waits(b: Kept, times: number): Promise<readonly (readonly [seconds: number, kind: string])[]> {
    const world = given({ a: there, b });
    const seen: (readonly [number, string])[] = [];
    for (let time = 0; time < times; time += 1) {
      const { againMs, found } = await world.lookUp();
      const count = world.asked.length;
      seen.push([(againMs - world.clock.ms) / 1000, found.kind]);
      world.clock.ms = againMs - 1;
      await world.lookUp();
      expect(world.asked).toHaveLength(count);
      world.clock.ms = againMs;
    }
    return seen;
  }

  test("after five minutes where it answered", async () => {
    expect(await waits(there, 2)).toEqual([
      [300, "there"],
      [300, "there"],
    ]);
    expect(await waits(gone, 2)).toEqual([
      [300, "not-there"],
      [300, "not-there"],
    ]);
    expect(await waits({ kind: "lies", why: "" }, 1)).toEqual([[300, "lies"]]);
  });

  test("ever later where it cannot tell, and never later than after half an hour", async () => {
    expect((await waits(unknown, 8)).map(([seconds]) => seconds)).toEqual([60, 120, 240, 480, 960, 1800, 1800, 1800]);
  });

  test("ever later where it is busy, which counts as away after five times", async () => {
    expect(await waits(busy, 6)).toEqual([
      [15, "busy"],
      [30, "busy"],
      [60, "busy"],
      [120, "busy"],
      [240, "unknown"],
      [480, "unknown"],
    ]);
  });

  test("no sooner than it wants, and within the hour whatever it wants", async () => {
    expect(await waits({ ...busy, retryAfterMs: 90_000 }, 1)).toEqual([[90, "busy"]]);
    expect(await waits({ ...busy, retryAfterMs: 86_400_000 }, 1)).toEqual([[3600, "busy"]]);
  });

  test("and from the start once it has answered", async () => {
    const world = given({ a: there, b: busy });
    for (let time = 0; time < 3; time += 1) world.clock.ms = (await world.lookUp()).againMs;
    world.images["b"] = there;
    world.clock.ms = (await world.lookUp()).againMs;
    world.images["b"] = busy;
    expect((await world.lookUp()).againMs - world.clock.ms).toBe(15_000);
  });
});

test("of many images the oldest are forgotten", async () => {
  let asked = 0;
  const look = (): Promise<Kept> => {
    asked += 1;
    return Promise.resolve(gone);
  };
  const lookUp = openLookUp({ look, monotonicMs: () => 0 });
  for (let one = 0; one < 65; one += 1) await lookUp({ from: "a", to: `b${one}` });
  await lookUp({ from: "a", to: "b64" });
  expect(asked).toBe(65);
  await lookUp({ from: "a", to: "b0" });
  expect(asked).toBe(66);
});
