import { Fault } from "../../rules/fault/fault.ts";
import type { ObjectName } from "./object-facts.ts";
import type { ObjectKind } from "./seen.ts";
import { referenceOf } from "./object-lift.ts";

type Named = { readonly object: ObjectName };

/** The names that kubectl takes for the two kinds. */
const kinds: readonly (readonly [ObjectKind, RegExp])[] = [
  ["StatefulSet", /^(?:sts|statefulsets?(?:\.(?:v1\.)?apps)?)$/i],
  ["Deployment", /^(?:deploy|deployments?(?:\.(?:v1\.)?apps)?)$/i],
];

/** Finds the object that a person typed: `statefulset/agent` or another form of kubectl's, or a name that only one object has. */
export function findObject<One extends Named>(each: readonly One[], typed: string): One | undefined {
  const [kind = "", name] = typed.split("/");
  const [meant] = kinds.find(([, pattern]) => pattern.test(kind)) ?? [];
  const whole = each.find(({ object }) => object.kind === meant && object.name === name?.toLowerCase());
  if (whole !== undefined) return whole;
  const [first, ...others] = each.filter(({ object }) => object.name === typed);
  if (others.length > 0) throw notOne(`${typed} is the name of several objects`, each);
  return first;
}

/** The object that a person typed, or the only object if they typed none. */
export function chooseObject<One extends Named>(each: readonly One[], typed: string | undefined): One {
  const [first, ...others] = each;
  if (typed === undefined && first !== undefined && others.length === 0) return first;
  const found = typed === undefined ? undefined : findObject(each, typed);
  if (found !== undefined) return found;
  throw notOne(typed === undefined ? "it is not said for which object" : `the updater follows no object ${typed}`, each);
}

function notOne(told: string, each: readonly Named[]): Fault {
  const names = each.slice(0, mostNamed).map(({ object }) => referenceOf(object));
  const more = each.length - names.length;
  return new Fault("usage", {
    message: `${told}; it follows ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`,
    hint: `type one of them behind the command, for example \`svc-kube-updater status ${names[0]}\``,
  });
}

/** Enough, because settings name at most so many objects. */
const mostNamed = 32;
