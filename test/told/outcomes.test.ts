import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Fault } from "../../src/fault/fault.ts";
import { missingForRoots } from "../cli/given.ts";
import { installed, packageVersion, stateWith, version } from "../pass/given.ts";
import { cutOff } from "../record/given.ts";
import { hostNow, toldOfPass, type Played } from "./in-memory.ts";
import { now, openStage, type Stage } from "./stage.ts";
import { expectTold } from "./told.ts";

// In one process with the tests: dpkg has to own what it unpacks without a namespace in between.
const missing = process.getuid?.() === 0 ? missingForRoots() : "not root";
if (missing !== undefined) console.warn(`SKIPPED: what is told of each outcome: ${missing}`);

let stage: Stage;
beforeAll(async () => {
  if (missing === undefined) stage = await openStage();
}, 60_000);
afterAll(() => stage?.close());

const ill = new Fault("unhealthy", {
  message: "svc.service is failed (failed): it went down, 2 seconds after it was brought up",
  hint: "see `journalctl -u svc.service` and `systemctl status svc.service`",
});

function illOnce(): (deed: string) => void {
  let isIll = true;
  return (deed) => {
    if (deed !== "health" || !isIll) return;
    isIll = false;
    throw ill;
  };
}

/** Another pass was at it, and was cut off at this step. */
function begun(changes: Parameters<typeof cutOff>[1] = {}): NonNullable<Played["state"]> {
  const from = packageVersion("15.4.5");
  const to = packageVersion("15.4.6");
  const kept = [to, from].map((packaged) => ({ packageVersion: packaged, file: packaged, sha256: "0", bytes: 1 }));
  const step = cutOff("install", {
    recoveries: 0,
    from,
    to,
    served: version("15.4.6"),
    startedAt: now() - 135,
    changingSince: now() - 135,
    ...changes,
  });
  return stateWith({ step, kept });
}

const half = installed("15.4.6", { condition: "half-way" });
const files = ["15.4.6", "15.4.5"];

/** What a move, or the recovery of one, may come to, beside those that a fault names; and what the pass says of it in JSON. */
const outcomes: Readonly<Record<string, readonly [play: () => Played, told: object]>> = {
  "not-taken-back": [
    () => ({
      host: hostNow({
        before: (deed) => {
          if (deed === "fetch 15.4.5") throw new Fault("not-offered", { message: "no repository offers it", hint: "offer it" });
          if (deed === "health") throw ill;
        },
      }),
    }),
    { outcome: { kind: "failed" } },
  ],
  "ill-before": [() => ({ host: hostNow({ agent: "unhealthy", before: illOnce() }) }), { outcome: { kind: "failed" } }],
  // It was asked for, and so needs no window to go on.
  "recovered-finished": [
    () => ({ host: hostNow({ installed: half, files }), state: begun({ why: "asked" }) }),
    { recovered: { ended: "finished" } },
  ],
  // Its window has closed.
  "recovered-undone": [
    () => ({ host: hostNow({ installed: half, files }), state: begun(), asked: { when: "timer", absent: "stop" } }),
    { recovered: { ended: "undone" } },
  ],
};

describe.skipIf(missing !== undefined)("what is told of the outcome", { timeout: 60_000 }, () => {
  test.each(Object.entries(outcomes))("%s", async (name, [play, told]) => {
    const said = await toldOfPass(stage, play());
    expect(said.json.status).toMatchObject({ passes: [told] });
    expectTold(`outcome/${name}`, said, stage.usual);
  });
});
