import { describe, expect, test } from "vitest";
import { prepareAsk, type AskSight, type Wanted } from "../../../src/kube/objects/prepare-ask.ts";
import { nextKept } from "../../../src/kube/objects/record.ts";
import { nothingStands, type Ended, type Standing } from "../../../src/kube/objects/move-memory.ts";
import { nothingHeard } from "../../../src/rules/channel/heard.ts";
import { printInstant } from "../../../src/rules/window/instant.ts";
import { version } from "../../rules/version/given.ts";
import { defaultPolicy, now, objectOf } from "./given.ts";

const [from, to] = [version("15.4.4"), version("15.4.5")];
const image = "registry.example:5000/svc:15.4.5";
const last: Ended = { outcome: "proven", from, to, imageBefore: "svc:15.4.4", image, at: now - 60, why: undefined };
const rejected = [
  { served: version("15.4.6"), artifact: "svc:15.4.6", at: now, why: "not ready" },
  { served: version("15.4.7"), artifact: "svc:15.4.7", at: now, why: "crashed" },
];

function sightOf(standing: Partial<Standing> = {}, changes: Partial<AskSight> = {}): AskSight {
  const look = {
    now,
    uid: "11aa",
    decision: { kind: "stay", why: "current", told: "" } as const,
    current: to,
    heard: nothingHeard,
    windowOf: "schedule" as const,
  };
  const record = nextKept(undefined, { ...look, unhealthySince: undefined, standing: { ...nothingStands, ...standing } });
  const seen = { object: objectOf(), own: { pods: [], revision: "a" }, policy: defaultPolicy };
  return { now, reading: { kind: "kept", record }, ...seen, ...changes };
}

describe("what is asked for", () => {
  test("is later than what was asked for before, be it acted on or not", () => {
    expect(prepareAsk({ ask: "runNow" }, sightOf())).toMatchObject({ at: now, value: printInstant(now), cleared: [] });
    const heeded = { ...nothingStands.heeded, runNow: now };
    expect(prepareAsk({ ask: "runNow" }, sightOf({ heeded })).at).toBe(now + 1);
    const object = objectOf({ asks: { ...objectOf().asks, runNow: printInstant(now + 3) } });
    expect(prepareAsk({ ask: "runNow" }, sightOf({ heeded }, { object })).at).toBe(now + 4);
  });

  test("is told with what it clears", () => {
    const backoff = { served: to, cause: { message: "no pod" }, failures: 1, until: now + 60 };
    const needsOperator = { at: now, why: "stuck" };
    const cleared = ["stuck", "15.4.6 was rejected: not ready", "15.4.7 was rejected: crashed", "waiting after: no pod"];
    const resets = [
      { served: from, times: 3 },
      { served: to, times: 2 },
    ];
    expect(prepareAsk({ ask: "retry" }, sightOf({ rejected, backoff, needsOperator, resets }))).toMatchObject({
      cleared: [...cleared, "15.4.4 was left to a tool"],
    });
    expect(prepareAsk({ ask: "retry", version: "v15.4.7" }, sightOf({ rejected, backoff }))).toMatchObject({
      value: `${printInstant(now)} 15.4.7`,
      cleared: ["15.4.7 was rejected: crashed"],
    });
  });

  test("goes back from the last move, or from the one in hand", () => {
    expect(prepareAsk({ ask: "rollback" }, sightOf({ last })).at).toBe(now);
  });

  test.each<readonly [Wanted, AskSight, string, RegExp, RegExp]>([
    [
      { ask: "retry", version: "15.4.8" },
      sightOf({ rejected }),
      "usage",
      /^15\.4\.8 is not rejected here; rejected: 15\.4\.6, 15\.4\.7$/,
      /`svc-kube-updater retry 15\.4\.6`/,
    ],
    [
      { ask: "runNow" },
      sightOf({}, { object: undefined }),
      "object-absent",
      /^there is no StatefulSet agent in the namespace agents$/,
      /get statefulsets/,
    ],
    [{ ask: "runNow" }, sightOf({}, { own: undefined }), "report-only", /`mode: report` is set/, /`mode: auto`/],
    [
      { ask: "runNow" },
      sightOf({}, { reading: { kind: "unreadable", why: "it is empty" } }),
      "record-unreadable",
      /it is empty$/,
      /patch configmap/,
    ],
    [{ ask: "rollback" }, sightOf(), "no-way-back", /nothing was moved here yet/, /svc-kube-updater status/],
    [
      { ask: "rollback" },
      sightOf({ last: { ...last, image: "svc:1" } }),
      "no-way-back",
      /not the one that the last move has set \(svc:1\)/,
      /status/,
    ],
  ])("%j that would do nothing is refused", (wanted, sight, code, message, hint) => {
    expect(() => prepareAsk(wanted, sight)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message), hint: expect.stringMatching(hint) }),
    );
  });
});
