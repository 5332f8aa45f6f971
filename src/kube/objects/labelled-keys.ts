import { optional, readFields, type Field } from "../../rules/settings/read-fields.ts";
import { label, labelValue } from "./fields.ts";
import type { TagRule } from "./image.ts";
import { tagField } from "./named-objects.ts";

/** Its value says which updater an object is followed by. */
export const updaterLabel = "svc.dev/updater";
/** In place of the settings, of one object. */
export const containerAnnotation = "svc.dev/container";
export const channelAnnotation = "svc.dev/channel";

/** Objects that no setting names: those that bear the label. */
export type LabelledKeys = {
  readonly namespace: string | undefined;
  readonly updater: string;
  readonly container: string | undefined;
  readonly tag: TagRule | undefined;
};

const fields: { readonly [Key in keyof LabelledKeys]: Field<LabelledKeys[Key]> } = {
  namespace: optional(label),
  updater: labelValue,
  container: optional(label),
  tag: tagField,
};

export const labelledField: Field<LabelledKeys> = {
  read: (raw) => readFields<LabelledKeys>(raw, fields),
  allowed: `a mapping of updater (the value of the label ${updaterLabel}), container and tag`,
};
