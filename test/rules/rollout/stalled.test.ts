import { expect, test } from "vitest";
import { advance } from "../../../src/rules/rollout/advance.ts";
import { stalledSince } from "../../../src/rules/rollout/stalled.ts";
import type { Status } from "../../../src/rules/rollout/status.ts";
import { pause, resume, skip } from "../../../src/rules/rollout/steer.ts";
import { tallyStages } from "../../../src/rules/rollout/tally.ts";
import { begun, canary, day, hostsOf, hour, minute, moved, person, rest, seen, specOf, start, undone } from "./given.ts";

const spec = specOf([canary, rest]);
const hosts = hostsOf(20, { labels: { env: "canary" } });
const moving = advance(spec, begun(spec, seen(hosts)), seen(hosts));
const now = start + 9 * day;

function since(status: Status, all = hosts, twoWindowsAgo: number | undefined = now - day): number | undefined {
  const evidence = { ...seen(all, now), twoWindowsAgo };
  return stalledSince(status, tallyStages(spec, status, evidence), evidence);
}

test("nothing has come of a stage for two windows", () => {
  expect(since(moving)).toBe(start);
  expect(since(moving, hosts, start)).toBeUndefined();
  expect(since(moving, hosts, start + 1)).toBe(start);
});

test("a stage is stalled after a week if the windows are not known", () => {
  const evidence = { ...seen(hosts, start + 7 * day), twoWindowsAgo: undefined };
  const found = (late: number): number | undefined =>
    stalledSince(moving, tallyStages(spec, moving, evidence), { ...evidence, now: evidence.now + late });
  expect([found(0), found(1)]).toEqual([undefined, start]);
});

test("the end of a move is progress, even of a failed one, and so is its proof", () => {
  const [first, ...others] = hosts;
  const at = start + 3 * day;
  expect(since(moving, [undone(first!, at), ...others])).toBe(at);
  expect(since(moving, [moved(first!, at), ...others])).toBe(at + 40 * minute);
  // Nobody told it.
  expect(since({ ...moving, byId: [] }, [undone(first!, at), ...others])).toBe(start);
});

test("a stage is not stalled while it soaks", () => {
  const soaks: Status = {
    ...moving,
    stages: moving.stages.map((stage, index) => (index === 0 ? { ...stage, state: "soaking", why: "soaking" } : stage)),
  };
  expect(since(soaks)).toBe(start + hour);
});

test("a paused rollout is not stalled, and a resume counts the time anew", () => {
  expect(since(pause(moving, person))).toBeUndefined();
  const resumed = resume(spec, pause(moving, person), seen(hosts, start + day));
  expect(since(resumed)).toBe(start + day);
  const skipped = skip(moving, "canary", { ...person, at: start + 2 * day })!;
  expect(since(skipped)).toBe(start + 2 * day);
  expect(since(skip(skipped, "rest", person)!)).toBeUndefined();
});
