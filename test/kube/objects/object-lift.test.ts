import { expect, test } from "vitest";
import { liftOf, type ObjectLift } from "../../../src/kube/objects/object-lift.ts";
import type { Lift } from "../../../src/rules/decide/common-lift.ts";
import { commandsIn } from "../../../src/rules/fault/commands.ts";
import { defaultPolicy } from "./given.ts";

const all = {
  "a version is served": undefined,
  "another version is served": undefined,
  retry: /^`kubectl -n agents annotate --overwrite statefulset\/agent svc.dev\/retry=\$\(date -u \+%FT%TZ\)`$/,
  "end the hold": /hold/,
  unpin: /pin/,
  "allow downgrades": /downgrade: allow/,
  "allow majors": /major: any/,
  "roll back": /^remove the record/,
  "run now": undefined,
  "set the clock": /date -u/,
  "another artifact": /newer version/,
  "another artifact of the pin": /pin/,
  "a schedule": /window/,
  "resume updates": /skipreconcile-/,
  "resume rollouts": /rollout resume/,
  "update by rolling": /RollingUpdate/,
  "lower the partition": /partition/,
  "the rollout ends": /rollout status/,
  "remove the record": /^remove the record: `kubectl -n agents patch configmap statefulset-agent-updater /,
  "go at once": /^`kubectl -n agents annotate --overwrite statefulset\/agent svc.dev\/run-now=\$\(date -u \+%FT%TZ\)`$/,
  "push the image": /push that image/,
  "another artifact of the registry": /another image is pushed; or `kubectl/,
  "repair the registry": /push that image again/,
  "let the registry be read, or prefer": /`lookup: prefer`/,
  "let the registry be read, or do not pin": /`pin: none`/,
  "the pods get ready": /`kubectl -n agents get pods` shows which are not/,
  "the pods get ready, or go back": /describe pods` why; or go back .*svc.dev\/rollback=/,
  right: /service account patch on it: `kubectl -n agents describe roles`/,
  make: /raise the quota, .*`kubectl -n agents get events --field-selector=reason=FailedCreate`/,
  start: /`kubectl -n agents describe pods` says/,
  time: undefined,
  "let it be updated": /mode: update/,
} satisfies Readonly<Record<Lift | ObjectLift, RegExp | undefined>>;

test.each(Object.entries(all))("%s is worded for a cluster", (lift, words) => {
  const told = liftOf(lift as keyof typeof all, defaultPolicy);
  if (words === undefined) expect(told).toBeUndefined();
  else expect(told).toMatch(words);
  for (const command of commandsIn(told ?? "")) expect(command).toMatch(/^(?:kubectl -n agents |date -u$)/);
});
