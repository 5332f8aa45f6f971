import { allowing, maybe, record, type Of } from "../../rules/shape/shape.ts";
import { label, labelValue } from "./fields.ts";
import { tag } from "./named-objects.ts";

/** Its value says which updater an object is followed by. */
export const updaterLabel = "svc.dev/updater";

/** Objects that no setting names: those that bear the label. */
export const labelled = allowing(
  `a mapping of updater (the value of the label ${updaterLabel}), container and tag`,
  record({ namespace: maybe(label), updater: labelValue, container: maybe(label), tag: maybe(tag) }),
);
export type LabelledKeys = Of<typeof labelled>;
