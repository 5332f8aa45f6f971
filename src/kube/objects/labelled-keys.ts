import { allowing, maybe, record, type Of } from "../../rules/shape/shape.ts";
import { label, labelValue } from "./fields.ts";
import { tag } from "./named-objects.ts";

/** A label whose value names the updater that follows the object. */
export const updaterLabel = "svc.dev/updater";

/** Objects that are found by their label, not by name. */
export const labelled = allowing(
  `a mapping of updater (the value of the label ${updaterLabel}), container and tag`,
  record({ namespace: maybe(label), updater: labelValue, container: maybe(label), tag: maybe(tag) }),
);
export type LabelledKeys = Of<typeof labelled>;
