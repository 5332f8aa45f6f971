import { accepted, describe, refusedAs, type RefusedSetting } from "../../rules/shape/reading.ts";
import { allowing, maybe, own, parsed, record, refined, someOf, type Of, type Shape } from "../../rules/shape/shape.ts";
import { label, objectKind, subdomain } from "./fields.ts";
import { parseTagRule, tagRuleRule, type TagRule } from "./image.ts";

export const tag: Shape<TagRule> = parsed(parseTagRule, tagRuleRule);

/** Kept as in the file: it overrides the key beside the objects, and is read like that one. */
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

/** Each needs two connections to the API server. */
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

/** How an object conflicts with those before it. */
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
