import type { Lift } from "../../rules/decide/common-lift.ts";
import type { Mend } from "./move-memory.ts";
import { inChartWords } from "./chart-words.ts";
import type { ObjectName, ObjectPolicy } from "./object-facts.ts";

/** What ends a stay that only objects have. */
export type ObjectLift =
  | "resume updates"
  | "resume rollouts"
  | "update by rolling"
  | "lower the partition"
  | "the rollout ends"
  | "the pods get ready"
  | "the pods get ready, or go back"
  | Mend
  | "let it be updated"
  | "remove the record"
  | "go at once"
  | "push the image"
  | "another artifact of the registry"
  | "repair the registry"
  | "let the registry be read, or prefer"
  | "let the registry be read, or do not pin"
  | "time";

/** A retry of another object, by its name as kubectl takes it. */
export type RetryOf = { readonly retryOf: string };

/** Prints YAML after `---`, because a log line would escape the double quotes of JSON. */
export function howToRemoveRecord(object: ObjectName): string {
  const patch = `kubectl -n ${object.namespace} patch configmap ${recordName(object)} --type merge`;
  return `remove the record: \`${patch} -p '--- {data: {record: null}, metadata: {annotations: {svc.dev/turn: null}}}'\``;
}

/** The end of a sentence, with commands in backquotes. Undefined if only time ends the stay. */
export function liftOf(lift: Lift | ObjectLift | RetryOf, policy: ObjectPolicy): string | undefined {
  const told = toldLift(lift, policy);
  return told !== undefined && policy.isOfChart ? inChartWords(told) : told;
}

function toldLift(lift: Lift | ObjectLift | RetryOf, { object, scheduleSecret }: ObjectPolicy): string | undefined {
  const { namespace } = object;
  const reference = referenceOf(object);
  const kubectl = `kubectl -n ${namespace}`;
  const asking = (what: string, of: string): string =>
    `\`${kubectl} annotate --overwrite ${of} svc.dev/${what}=$(date -u +%FT%TZ)\``;
  const annotate = asking("retry", reference);
  if (typeof lift === "object") return `a newer version is served; or ${asking("retry", lift.retryOf)}`;
  switch (lift) {
    case "retry":
      return annotate;
    case "roll back":
    case "remove the record":
      return howToRemoveRecord(object);
    case "another artifact":
      return `a newer version is served; or ${annotate}`;
    case "another artifact of the pin":
      return "set another version in `pin`";
    case "end the hold":
      return "remove the setting `hold`";
    case "unpin":
      return "remove the setting `pin`";
    case "allow downgrades":
      return "set `downgrade: allow`";
    case "allow majors":
      return "set the next major version by hand, or set `major: any`";
    case "a version is served":
    case "auth answers":
    case "another version is served":
    case "run now":
    case "time":
      return undefined;
    case "set the clock":
      return "set the clock of this pod's node, or of the control plane: `date -u` on both shows which one is wrong";
    case "a schedule":
      return scheduleSecret === undefined
        ? "set `window`, or `schedule_secret`"
        : `the agent exports its schedule into the Secret ${scheduleSecret}, or set \`window\``;
    case "go at once":
      return asking("run-now", reference);
    case "resume updates":
      return `\`${kubectl} annotate ${reference} svc.dev/skipreconcile-\``;
    case "resume rollouts":
      return `\`${kubectl} rollout resume ${reference}\``;
    case "update by rolling":
      return "set `updateStrategy.type: RollingUpdate` in the object";
    case "lower the partition":
      return "set `updateStrategy.rollingUpdate.partition` below the number of replicas in the object";
    case "the rollout ends":
      return `the rollout ends; to follow it: \`${kubectl} rollout status ${reference}\``;
    case "the pods get ready":
      return podsGetReady(kubectl);
    case "the pods get ready, or go back":
      return `${podsGetReady(kubectl)}; or go back to the version before: ${asking("rollback", reference)}`;
    case "right":
      return `give the updater's service account patch on it: \`${kubectl} describe roles\` shows what it has`;
    case "make":
      return `raise the quota, or end what refuses the pods: \`${kubectl} get events --field-selector=reason=FailedCreate\` says what does`;
    case "start":
      return `\`${kubectl} describe pods\` says what keeps them from starting`;
    case "push the image":
      return "push that image to its registry, for each platform that the image that runs is there for";
    case "another artifact of the registry":
      return `a newer version is served, or another image is pushed; or ${annotate}`;
    case "repair the registry":
      return "push that image again, and see what stands between this pod and the registry";
    case "let the registry be read, or prefer":
      return `${letRead}; or set \`registry.lookup: prefer\``;
    case "let the registry be read, or do not pin":
      return `${letRead}; or set \`registry.pin: none\``;
    case "let it be updated":
      return "change the image where the tool takes it from; or set `mode: update`";
  }
}

function podsGetReady(kubectl: string): string {
  return `the pods get ready: \`${kubectl} get pods\` shows which are not, and \`${kubectl} describe pods\` why`;
}

/** The object's name as kubectl takes it. */
export function referenceOf({ kind, name }: Pick<ObjectName, "kind" | "name">): string {
  return `${kind.toLowerCase()}/${name}`;
}
const letRead = "let this pod reach the registry, with a pull secret that `registry.pull_secrets` names where it asks for one";

export function recordName({ kind, name }: Pick<ObjectName, "kind" | "name">): string {
  return `${kind.toLowerCase()}-${name}-updater`;
}
