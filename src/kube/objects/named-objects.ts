import { accepted, describe, refusedAs, type RefusedSetting } from "../../rules/shape/reading.ts";
import { allowing, maybe, own, parsed, record, refined, someOf, type Of, type Shape } from "../../rules/shape/shape.ts";
import { label, objectKind, subdomain } from "./fields.ts";
import { parseTagRule, tagRuleRule, type TagRule } from "./image.ts";

export const tag: Shape<TagRule> = parsed(parseTagRule, tagRuleRule);

/** Keeps the raw value: it replaces the shared key, and is read like it. */
const asItIs: Shape<unknown> = maybe(own<unknown>(accepted, ""));

export const namedObject = allowing(
  "a mapping of kind, name and container",
  record({
    namespace: maybe(label),
    kind: objectKind,
    name: subdomain,
    container: label,
    tag: maybe(tag),
    channel: asItIs,
    window: asItIs,
  }),
);
export type ObjectKeys = Of<typeof namedObject>;

/** Each object needs two connections to the API server. */
const mostObjects = 32;

export const namedObjects: Shape<readonly [ObjectKeys, ...ObjectKeys[]]> = refined(
  allowing(
    `a list of at most ${mostObjects} mappings of kind, name and container; others get an updater of their own, or a label: \`labelled\``,
    someOf(namedObject, mostObjects),
  ),
  (all) => {
    const refusals = all.flatMap((one, index) => clashes(one, all.slice(0, index), index));
    return refusals.length > 0 ? refusedAs(refusals) : accepted(all);
  },
);

/** Says how an object conflicts with earlier ones. */
function clashes(one: ObjectKeys, before: readonly ObjectKeys[], index: number): readonly RefusedSetting[] {
  const same = before.findIndex(({ kind, name }) => kind === one.kind && name === one.name);
  const isElsewhere = before.some(({ namespace }) => namespace !== one.namespace);
  return [
    ...(same === -1
      ? []
      : [{ at: `[${index}].name`, found: `${describe(one.name)} as in objects[${same}]`, allowed: "each once" }]),
    ...(isElsewhere
      ? [{ at: `[${index}].namespace`, found: describe(one.namespace), allowed: "the same for all, or none: the pod's" }]
      : []),
  ];
}
