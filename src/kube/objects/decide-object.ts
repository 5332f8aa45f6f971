import type { Exchange } from "../../rules/decide/gate.ts";
import { current, exchange, noVersion, pinned, unconfirmed, wantedBy } from "../../rules/decide/served.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { Version } from "../../rules/version/version.ts";
import type { Decision, Move, ImageExchange, Stay, Stop } from "./object-decision.ts";
import { gateFactsOf, isIll, type ObjectFacts, type ObjectName, type ObjectPolicy } from "./object-facts.ts";
import { inChartWords } from "./chart-words.ts";
import { hintFor } from "./hint.ts";
import { imageOf, versionIn } from "./image.ts";
import { liftOf, referenceOf } from "./object-lift.ts";
import { passedOver, queued } from "./one-first.ts";
import {
  leftToTool,
  passObjectGates,
  suspended as suspendedBy,
  unreadable,
  waitsForPods,
  type SaidToStay,
} from "./object-gates.ts";
import { isLeftRejected } from "./tool-reset.ts";
import { containerAnnotation, type SeenContainer, type SeenObject } from "./seen.ts";

/** Decides about an object from all facts. Does not look at anything in a suspended object. */
export function decide(facts: ObjectFacts, policy: ObjectPolicy): Decision {
  const decision = decideInSettings(facts, policy);
  return decision.kind === "stop" && policy.isOfChart ? { ...decision, hint: inChartWords(decision.hint) } : decision;
}

function decideInSettings(facts: ObjectFacts, policy: ObjectPolicy): Decision {
  const { object } = facts;
  if (object === undefined) return absent(policy);
  const suspended = suspendedBy(object);
  if (suspended !== undefined) return stayOf(suspended, policy);
  const { wrong } = policy;
  if (wrong !== undefined) return { kind: "stop", code: "annotation-invalid", ...wrong };
  const runs = runsIn(object, policy);
  return runs.kind === "stop" ? runs : decideFor({ facts, object, ...runs }, policy);
}

/** The version in an object's template; undefined if its tag does not tell. */
export function currentVersion(object: SeenObject | undefined, policy: Named): Version | undefined {
  const runs = object === undefined ? undefined : runsIn(object, policy);
  return runs?.kind === "runs" ? runs.from : undefined;
}

type Named = Pick<ObjectPolicy, "object" | "entry" | "tag">;

type Case = { readonly facts: ObjectFacts; readonly object: SeenObject; readonly image: string; readonly from: Version };

function decideFor({ facts, object, image, from }: Case, policy: ObjectPolicy): Decision {
  const wanted = wantedBy(facts.answer, policy.pin);
  if (wanted.kind === "unanswered") {
    const { code, message } = wanted.fault;
    return { kind: "stop", code, told: message, hint: hintFor(code) };
  }
  if (wanted.kind === "no-version") return stayOf(noVersion, policy);
  if (wanted.kind === "unconfirmed") return stayOf(unconfirmed, policy);
  const way = exchange(from, wanted.version);
  if (way === undefined) {
    const { standing } = facts.memory;
    const left = isLeftRejected(standing, from) ? leftToTool(standing, from) : undefined;
    // The record cannot be read, so an unknown move may be under way.
    return stayOf(
      unreadable(facts.memory) ??
        left ??
        unhealthy(facts, image, policy) ??
        (policy.pin === undefined ? current(from) : pinned(policy.pin, facts.answer)),
      policy,
    );
  }
  const target = withImage(way, image, policy);
  if (target.kind === "stop") return target;
  const { memory, all, now } = facts;
  const one = { object, facts: gateFactsOf(facts, image, policy), policy, memory, all, target };
  const passed = passObjectGates(one);
  const isWell = object.status.available >= object.replicas;
  const going =
    passed.kind === "move" ? { to: target.to, why: passed.why, now, self: referenceOf(policy.object), isWell } : undefined;
  const said = (going && (waitsForPods(one) ?? queued(all, going))) ?? passed;
  const ahead =
    said.kind === "move" || said.why === "queued" ? passedOver(all, { to: target.to, self: referenceOf(policy.object) }) : "";
  const told = `${said.told}${ahead}`;
  const mend = said.kind === "stay" && said.why === "backing-off" ? memory.standing.backoff?.cause.mend : undefined;
  const decision =
    said.kind === "stay"
      ? stayOf({ ...said, told, lift: mend ?? said.lift }, policy)
      : ({ ...said, told, target } satisfies Move);
  // Names the pinned version, because the reason would seem to be about the served one.
  return policy.pin === undefined ? decision : { ...decision, told: `${policy.pin.version} is pinned; ${decision.told}` };
}

/** No new version helps an unhealthy object here: a person has to choose another one. */
function unhealthy({ memory, now }: ObjectFacts, image: string, { unhealthySeconds }: ObjectPolicy): SaidToStay | undefined {
  const {
    unhealthySince: since,
    standing: { last },
  } = memory;
  if (!isIll(since, { now, unhealthySeconds })) return undefined;
  const told = `it has its version, and not all of its pods have been available, or not for long, since ${printInstant(since)}`;
  const mayGoBack = last?.outcome === "proven" && last.image === image;
  return { kind: "stay", why: "unhealthy", told, lift: mayGoBack ? "the pods get ready, or go back" : "the pods get ready" };
}

export function absent({ object: { kind, namespace, name }, entry }: ObjectPolicy): Stop {
  return {
    kind: "stop",
    code: "object-absent",
    told: `there is no ${kind} ${name} in the namespace ${namespace}`,
    hint: `\`kubectl -n ${namespace} get ${kind.toLowerCase()}s\` shows what there is; correct \`${entry}.name\``,
  };
}

/** `told` is the API server's message. */
export function notSeen(told: string, { object: { namespace } }: ObjectPolicy): Stop {
  const hint = `give the service account list and watch on it; \`kubectl -n ${namespace} describe roles\` shows what it has`;
  return { kind: "stop", code: "api-refused", told, hint };
}

type Runs = { readonly kind: "runs"; readonly image: string; readonly from: Version };

function runsIn({ containers }: SeenObject, { object, entry, tag }: Named): Runs | Stop {
  const container = containers.find(({ name }) => name === object.container);
  if (container === undefined) return noContainer(containers, object, entry);
  const { image } = container;
  const found = versionIn(image, tag, entry);
  if ("version" in found) return { kind: "runs", image, from: found.version };
  return { kind: "stop", code: "tag-unreadable", told: `the image ${image} ${found.why}`, hint: found.hint };
}

function noContainer(containers: readonly SeenContainer[], object: ObjectName, entry: string): Stop {
  const names = containers.map(({ name }) => name).join(", ");
  const told = `the object has no container ${object.container}; it has ${names}`;
  const hint = object.labelled === undefined ? `correct \`${entry}.container\`` : howToNameContainer(object);
  return { kind: "stop", code: "container-absent", told, hint };
}

function howToNameContainer({ namespace, ...object }: ObjectName): string {
  const annotate = `kubectl -n ${namespace} annotate --overwrite ${referenceOf(object)} ${containerAnnotation}=NAME`;
  return `name one of them: \`${annotate}\``;
}

function withImage(way: Exchange, image: string, { tag }: ObjectPolicy): ImageExchange | Stop {
  const next = imageOf(image, way.to, tag);
  if (next !== undefined) return { ...way, image: next };
  const told = `no tag can name the version ${way.to}`;
  return { kind: "stop", code: "version-untaggable", told, hint: "serve a version of letters, digits, dots and hyphens" };
}

/** Turns a gate's refusal into a decision that says what ends it. */
export function stayOf({ lift, ...said }: SaidToStay, policy: ObjectPolicy): Stay {
  const lifted = liftOf(lift, policy);
  return lifted === undefined ? said : { ...said, lift: lifted };
}
