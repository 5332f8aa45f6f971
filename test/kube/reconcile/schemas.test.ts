import { encode } from "../../../src/rules/shape/write.ts";
import { expect, test } from "vitest";
import { kubeUpdater } from "../../../packaging/products/kube-updater.ts";
import { schemaOf } from "../../../packaging/schemas/schemas.ts";
import { nothingHeard } from "../../../src/rules/channel/heard.ts";
import { decide } from "../../../src/kube/objects/decide-object.ts";
import { begin } from "../../../src/kube/objects/advance.ts";
import type { Decision, Move } from "../../../src/kube/objects/object-decision.ts";
import { nothingStands } from "../../../src/kube/objects/move-memory.ts";
import { nextKept } from "../../../src/kube/objects/record.ts";
import { faultAnswer } from "../../../src/rules/fault/fault-answer.ts";
import { faultsOf } from "../../../src/rules/fault/program-faults.ts";
import { askAnswer, dryRunAnswer, statusAnswer } from "../../../src/kube/reconcile/json.ts";
import { complaints, documentedKeys, keysOf } from "../../updater/cli/documented.ts";
import { version } from "../../rules/version/given.ts";
import { defaultPolicy, given, now, objectOf } from "../objects/given.ts";

const move = decide(...given());
const pinned = move.kind === "move" ? { ...move, target: { ...move.target, digest: `sha256:${"1".repeat(64)}` } } : move;
const decisions: readonly Decision[] = [
  pinned,
  decide(...given({ object: undefined })),
  decide(...given({ schedule: { kind: "windows", windows: [{ start: now + 60, stop: now + 120 }] } })),
  decide(...given({ object: objectOf({ skip: "true" }) })),
];
const rejected = [
  { served: version("15.4.7"), artifact: "svc:15.4.7", digest: `sha256:${"2".repeat(64)}`, at: now, why: "it is not ready" },
];
const backoff = { served: version("15.4.6"), cause: { message: "no pod" }, failures: 1, until: now + 600 };
const named = {
  name: defaultPolicy.object,
  current: version("15.4.5"),
  served: { kind: "version", version: version("15.4.6") } as const,
  channel: "stable/cloud",
};
const begun = begin(nothingStands, pinned as Move, {
  now,
  object: objectOf(),
  own: { pods: [], revision: "a" },
  container: "svc",
});
const all = decisions.map((decision) => {
  const look = { now, uid: "11aa", decision, current: named.current, heard: nothingHeard, windowOf: undefined };
  const kept = nextKept(undefined, { ...look, unhealthySince: undefined, standing: { ...begun, rejected, backoff } });
  return { ...named, decision, kept, object: objectOf() };
});
const unknown = { ...named, current: undefined, served: undefined, channel: undefined, decision: undefined };

test.each([
  ["status", [encode(statusAnswer, [...all, { ...unknown, kept: undefined, object: undefined }])]],
  ["dry-run", [encode(dryRunAnswer, [...all, unknown])]],
  ["ask", all.map((one) => encode(askAnswer, { ...one, ask: "retry", at: now, cleared: ["15.4.7 was rejected"] }))],
  ["fault", [encode(faultAnswer(faultsOf["svc-kube-updater"]), { code: "not-acted", message: "it waits", hint: "wait" })]],
] as const)("the schema of %s allows what is answered, and documents every key and no other", (name, answers) => {
  const seen = new Set<string>();
  for (const answer of answers) {
    const said: unknown = JSON.parse(JSON.stringify(answer));
    expect([said, ...complaints(name, said, kubeUpdater)]).toEqual([said]);
    for (const key of keysOf(said)) seen.add(key);
  }
  expect([...documentedKeys(schemaOf(kubeUpdater, name))].filter((key) => !seen.has(key))).toEqual([]);
});
