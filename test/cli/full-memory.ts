import type { State } from "../../src/record/state.ts";
import { stateWith } from "../pass/given.ts";
import {
  fault,
  failed,
  moved,
  now,
  outside,
  packaged,
  pass,
  previous,
  rescue,
  served,
  stayed,
  stoppedBusy,
} from "../record/given.ts";

const steps = [{ step: "refresh", ms: 700 }] as const;
const stop = { kind: "stop", fault: fault("busy") } as const;

/** All that passes can leave behind, at once. */
export const fullMemory: State = stateWith({
  needsOperator: { at: now, why: "the way back failed" },
  rejected: [{ served, packageVersion: packaged, at: now, why: "it did not start" }],
  backoff: { served, cause: fault("not-offered"), failures: 2, until: now + 600 },
  lastContact: { at: now, served, isCritical: false },
  silentSince: now,
  lastSuccessAt: now,
  previous,
  passes: [
    pass({ ...outside, until: now + 60, lift: "svc-upgrade run --now" }, stayed).record,
    { ...pass(rescue, moved).record, steps },
    { ...pass(rescue, failed("not-offered", "offer")).record, steps },
    pass(stop, stoppedBusy).record,
  ],
  step: { pass: "p", step: "install", startedAt: now, served, from: undefined, to: packaged, done: steps },
});
