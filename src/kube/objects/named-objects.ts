import { optional, readFields, type Field } from "../../rules/settings/read-fields.ts";
import {
  accepted,
  describe,
  readEach,
  refused,
  refusedAs,
  type RefusedSetting,
  type SettingReading,
} from "../../rules/settings/reading.ts";
import { label, objectKind, subdomain } from "./fields.ts";
import { parseTagRule, tagRuleRule, type TagRule } from "./image.ts";
import type { ObjectKind } from "./seen.ts";

export type ObjectKeys = {
  readonly namespace: string | undefined;
  readonly kind: ObjectKind;
  readonly name: string;
  readonly container: string;
  readonly tag: TagRule | undefined;
  /** As in the file; each stands for the one beside the objects, and is read as that one is. */
  readonly channel: unknown;
  readonly window: unknown;
};

export const tagField: Field<TagRule | undefined> = optional({
  read: (raw) => {
    const rule = typeof raw === "string" ? parseTagRule(raw) : undefined;
    return rule === undefined ? refused(raw) : accepted(rule);
  },
  allowed: tagRuleRule,
});

const asItIs: Field<unknown> = { read: accepted, allowed: "" };

const objectFields: { readonly [Key in keyof ObjectKeys]: Field<ObjectKeys[Key]> } = {
  namespace: optional(label),
  kind: objectKind,
  name: subdomain,
  container: label,
  tag: tagField,
  channel: asItIs,
  window: asItIs,
};
export const objectField: Field<ObjectKeys> = {
  read: (raw) => readFields<ObjectKeys>(raw, objectFields),
  allowed: "a mapping of kind, name and container",
};

/** Each is two connections to the API server. */
const mostObjects = 32;

function readObjects(raw: unknown): SettingReading<readonly [ObjectKeys, ...ObjectKeys[]]> {
  if (!Array.isArray(raw)) return refused(raw);
  if (raw.length > mostObjects) {
    const allowed = `at most ${mostObjects}: give the others an updater of their own, or a label: \`labelled\``;
    return refusedAs([{ at: "", found: `${raw.length} objects`, allowed }]);
  }
  const reading = readEach(raw, objectField.read);
  if (reading.kind === "refused") return refusedAs(reading.refusals.map((one) => ({ allowed: objectField.allowed, ...one })));
  const [first, ...others] = reading.value;
  if (first === undefined) return refusedAs([{ at: "", found: "an empty list" }]);
  const all = [first, ...others] as const;
  const refusals = all.flatMap((one, index) => clashes(one, all.slice(0, index), index));
  return refusals.length > 0 ? refusedAs(refusals) : accepted(all);
}

/** What is wrong with an object beside those before it. */
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

export const objectsField: Field<readonly [ObjectKeys, ...ObjectKeys[]]> = {
  read: readObjects,
  allowed: `a list of at most ${mostObjects} mappings of kind, name and container`,
};
