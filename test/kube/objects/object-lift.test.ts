import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inChartWords } from "../../../src/kube/objects/chart-words.ts";
import { liftOf, type ObjectLift } from "../../../src/kube/objects/object-lift.ts";
import type { Lift } from "../../../src/rules/decide/common-lift.ts";
import { commandsIn } from "../../../src/rules/fault/commands.ts";
import { decide } from "../../../src/kube/objects/decide-object.ts";
import { defaultPolicy, given, objectOf } from "./given.ts";

const all = {
  "a version is served": undefined,
  "auth answers": undefined,
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
  "let the registry be read, or prefer": /`registry.lookup: prefer`/,
  "let the registry be read, or do not pin": /`registry.pin: none`/,
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

test.each<readonly [lift: ObjectLift | Lift, values: readonly string[]]>([
  ["end the hold", ["updater.hold"]],
  ["allow downgrades", ["updater.downgrade: allow"]],
  ["a schedule", ["updater.window"]],
  ["let the registry be read, or prefer", ["imagePullSecrets", "updater.registry.lookup: prefer"]],
  ["let it be updated", ["updater.mode: update"]],
  ["update by rolling", ["updateStrategy.type: RollingUpdate"]],
])("%s names the chart's values where helm has made the settings", (lift, names) => {
  const told = liftOf(lift, { ...defaultPolicy, isOfChart: true }) ?? "";
  expect([...told.matchAll(/`([^` ]+(?:: \w+)?)`/g)].map(([, name]) => name)).toEqual(names);
});

const chart: Schema = JSON.parse(readFileSync("packaging/chart/values.schema.json", "utf8")) as Schema;
type Schema = { readonly properties?: Readonly<Record<string, Schema>> };

test.each([
  ["set `endpoint` to it, and `ca_file`", ["updater.versionServer", "updater.ca.configMap"]],
  ["`allow_plain_http: true`, or another `channel`", ["updater.allowPlainHttp", "updater.releaseChannel"]],
  ["set `object.tag`, or `objects[2].tag`", ["updater.tag", "updater.objects"]],
])("what a hint names in a chart is one of its values: %s", (hint, names) => {
  const told = [...inChartWords(hint).matchAll(/`([a-zA-Z.]+)/g)].map(([, name = ""]) => name);
  expect(told).toEqual(names);
  for (const name of told) {
    let at: Schema | undefined = chart;
    for (const key of name.split(".")) at = at?.properties?.[key];
    expect([name, at === undefined]).toEqual([name, false]);
  }
  const others = "`kubectl get pods`, `date -u`, `listen: 0.0.0.0`";
  expect(inChartWords(others)).toBe(others);
});

test("what stops a look names the chart's values, too", () => {
  const stop = (isOfChart: boolean) =>
    decide(...given({ object: objectOf({ containers: [] }) }, { isOfChart, entry: "objects[2]" }));
  expect(stop(false)).toMatchObject({ hint: "correct `objects[2].container`" });
  expect(stop(true)).toMatchObject({ hint: "correct `updater.objects[].container`" });
});
