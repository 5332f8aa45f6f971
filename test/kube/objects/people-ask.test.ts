import { describe, expect, test } from "vitest";
import { heed, keepHeldUp, type Asking } from "../../../src/kube/objects/people-ask.ts";
import type { StayReason } from "../../../src/kube/objects/object-decision.ts";
import type { Ask, SeenObject } from "../../../src/kube/objects/seen.ts";
import { nothingStands, type Ended, type Standing } from "../../../src/kube/objects/move-memory.ts";
import { printInstant } from "../../../src/rules/window/instant.ts";
import { version } from "../../rules/version/given.ts";
import { now, objectOf } from "./given.ts";

const [from, to] = [version("15.4.4"), version("15.4.5")];
const image = "registry.example:5000/svc:15.4.5";
const last: Ended = { outcome: "proven", from, to, imageBefore: "svc:15.4.4", image, at: now - 60, why: undefined };

function asking(asks: Partial<Record<Ask, string>>, changes: Partial<SeenObject> = {}): Asking {
  const object = objectOf({ asks: { ...objectOf().asks, ...asks }, ...changes });
  return { now, object, own: { revision: "a" }, container: "svc" };
}

const stay = (why: StayReason) => ({ kind: "stay", why, told: "" }) as const;
const ago = (seconds: number): string => printInstant(now - seconds);

describe("svc.dev/run-now", () => {
  test.each([
    [ago(60), undefined, "now"],
    [ago(60), now - 60, "timer"],
    [ago(3600), undefined, "now"],
    [ago(3601), undefined, "timer"],
    [ago(-600), undefined, "now"],
    [ago(-601), undefined, "timer"],
  ])("%s after %s is for %s", (runNow, acted, asked) => {
    const standing = { ...nothingStands, heeded: { ...nothingStands.heeded, runNow: acted } };
    const found = heed(standing, asking({ runNow }));
    expect(found.asked).toBe(asked);
    const left = keepHeldUp(found.standing, { decision: stay("outside-window"), isOfRegistry: false });
    expect(heed(left, asking({ runNow })).asked).toBe("timer");
  });

  test.each([
    ["by a registry that does not have the image", "not-offered", true, "now"],
    ["by what failed here", "rejected", true, "timer"],
    ["by somebody's rollout", "rolling", false, "now"],
  ] as const)("that is held up %s is for a look within the hour: %s", (_, why, isOfRegistry, asked) => {
    const { standing } = heed(nothingStands, asking({ runNow: ago(10) }));
    const left = keepHeldUp(standing, { decision: stay(why), isOfRegistry });
    expect(heed(left, { ...asking({ runNow: ago(10) }), now: now + 3590 }).asked).toBe(asked);
    expect(heed(left, { ...asking({ runNow: ago(10) }), now: now + 3591 }).asked).toBe("timer");
  });
});

describe("svc.dev/retry", () => {
  const standing: Standing = {
    ...nothingStands,
    last,
    rejected: [{ served: to, artifact: image, at: now, why: "it failed" }],
    backoff: { served: to, cause: { message: "no pod" }, failures: 1, until: now + 60 },
    needsOperator: { at: now, why: "stuck" },
    resets: [{ served: to, times: 3 }],
    rescuedFor: to,
  };

  test("forgives everything, once, however late it is seen", () => {
    const found = heed(standing, asking({ retry: ago(86_400) })).standing;
    expect(found).toEqual({ ...nothingStands, heeded: { ...nothingStands.heeded, retry: now - 86_400 } });
    const again = heed({ ...standing, heeded: found.heeded }, asking({ retry: ago(86_400) })).standing;
    expect(again.rejected).toEqual(standing.rejected);
  });

  test.each([
    ["forgets that version alone", `${ago(10)} 15.4.5`, []],
    ["does nothing with what is no version", `${ago(10)} latest`, standing.rejected],
  ])("with a version behind it %s", (_, retry, rejected) => {
    const found = heed(standing, asking({ retry })).standing;
    const resets = rejected.length === 0 ? [] : standing.resets;
    expect(found).toEqual({ ...standing, rejected, resets, heeded: found.heeded });
    expect(heed(standing, asking({ rollback: `${ago(10)} 15.4.5` })).standing).toEqual(standing);
  });
});

describe("svc.dev/rollback", () => {
  const rollback = ago(10);
  const cause = "svc.dev/rollback asks for it";

  test("goes back to where the last move came from, and not there again", () => {
    const { standing } = heed({ ...nothingStands, last }, asking({ rollback }));
    expect(standing).toMatchObject({
      move: { step: "going-back", from, to, imageBefore: "svc:15.4.4", image, revisions: ["a"], cause },
      rejected: [{ served: to, artifact: image, why: cause }],
      heeded: { rollback: now - 10 },
    });
    const unseen = heed({ ...nothingStands, last }, asking({ rollback }, { generation: 9 })).standing;
    expect(unseen.move?.revisions).toEqual([]);
    // A way back is gone only once.
    expect(heed({ ...standing, heeded: nothingStands.heeded }, asking({ rollback })).standing.rejected).toHaveLength(1);
    const returning = { ...standing, move: { ...standing.move!, step: "returning" } as const, heeded: nothingStands.heeded };
    expect(heed(returning, asking({ rollback })).standing.move?.step).toBe("returning");
  });

  test("takes a move in hand back", () => {
    const { move } = heed({ ...nothingStands, last }, asking({ rollback })).standing;
    const rolling = { ...nothingStands, move: { ...move!, step: "rolling", cause: undefined } as const };
    expect(heed(rolling, asking({ rollback })).standing.move).toMatchObject({ step: "going-back", cause });
  });

  test.each<readonly [string, Partial<Ended>]>([
    ["was taken back", { outcome: "back" }],
    ["left another image", { image: "svc:1" }],
  ])("does nothing where the last move %s", (_, changes) => {
    expect(heed({ ...nothingStands, last: { ...last, ...changes } }, asking({ rollback })).standing.move).toBeUndefined();
  });
});
