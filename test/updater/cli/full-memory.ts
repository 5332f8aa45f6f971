import { addEntry, addLost, addRecovery, emptyHistory, movesOf, type History } from "../../../src/updater/record/history.ts";
import { emptyLedger, type Ledger } from "../../../src/updater/record/ledger.ts";
import type { PackageName } from "../../../src/rules/settings/settings.ts";
import type { State } from "../../../src/updater/record/state.ts";
import { heardBefore, servedBefore } from "../../rules/channel/given.ts";
import { stateWith } from "../pass/given.ts";
import {
  backFailed,
  cutOff,
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
  stuck,
  undone,
  upgrade,
} from "../record/given.ts";

const steps = [{ step: "refresh", ms: 700 }] as const;
const stop = { kind: "stop", fault: fault("busy") } as const;

/** Answers that flap are old news after some hours. */
const lately = Math.floor(Date.now() / 1000);

/** All that passes can leave behind, at once. */
export const fullMemory: State = stateWith({
  needsOperator: { at: now, why: "the rollback failed" },
  rejected: [{ served, packageVersion: packaged, at: now, why: "it did not start" }],
  backoff: { served, cause: fault("not-offered"), failures: 2, until: now + 600 },
  lastContact: { at: now, served, isCritical: false, doubt: { kind: "disagreeing" } },
  channels: heardBefore(lately, "aba"),
  heard: servedBefore(lately, ["15.4.6", "15.4.5", "15.4.6"]),
  silentSince: now,
  lastSuccessAt: now,
  previous,
  kept: [{ packageVersion: previous.packageVersion, file: "svc-ent_15.4.4-1_all.deb", sha256: "0".repeat(64), bytes: 1234 }],
  passes: [
    pass({ ...outside, until: now + 60, lift: "svc-upgrade run --now" }, stayed).record,
    { ...pass(rescue, moved).record, steps },
    { ...pass(rescue, failed("not-offered", "offer")).record, steps },
    { ...pass(upgrade, undone("unhealthy", "health")).record, recovered: { step: "verify", served, ended: "finished" } },
    { ...pass(upgrade, stuck("unhealthy", "health")).record, unanswered: fault("contact-lost") },
    pass(upgrade, stuck("unhealthy", "health", backFailed)).record,
    pass(stop, stoppedBusy).record,
  ],
  step: cutOff("install"),
});

const moves = [
  moved,
  failed("not-offered", "offer"),
  undone("unhealthy", "health"),
  stuck("unhealthy", "health"),
  failed("not-offered", "offer"),
  stuck("unhealthy", "health", backFailed),
]
  .map((outcome, index) => ({ ...pass(index === 3 ? rescue : upgrade, outcome).record, id: `p${index}` }))
  .flatMap((record) => movesOf(record, { from: previous.packageVersion, to: packaged }));
const recovery = { pass: "q", at: now, step: "install", ended: "not-mended", fault: fault("way-back-failed") } as const;
const told = { at: now, event: "moved", why: "no route" };

/** All that can stand in a history. */
export const fullHistory: History = [told, told].reduce<History>(
  addLost,
  addRecovery([...moves, ...moves.slice(5)].reduce<History>(addEntry, emptyHistory), cutOff("install"), recovery),
);

/** With the kept package of that memory something moved along that is on no host here. */
export const fullLedger: Ledger = {
  ...emptyLedger,
  kept: fullMemory.kept.map((one) => ({
    ...one,
    companions: [{ ...one, name: "svc-ent-libs" as PackageName, file: "svc-ent-libs.deb", instead: one.packageVersion }],
  })),
};
