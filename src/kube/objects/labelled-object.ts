import { channelNameRule, parseChannelName } from "../../rules/channel/path.ts";
import { quote } from "../../rules/text/quote.ts";
import { decodeValue, type Reading } from "../../rules/shape/read.ts";
import { maybe, record, text } from "../../rules/shape/shape.ts";
import { channelAnnotation, containerAnnotation } from "./labelled-keys.ts";
import { readObject, type ObjectKind, type SeenObject } from "./seen.ts";
import type { Labelled, UpdaterSettings } from "./settings.ts";

/** An object, and what its annotations say in place of the settings. */
export type LabelledObject = {
  readonly object: SeenObject;
  readonly container: string | undefined;
  readonly channel: string | undefined;
};

/** The most that the API server takes for all annotations of an object. */
const annotation = text(256 * 1024);

const annotated = record({
  metadata: record({
    annotations: maybe(record({ [containerAnnotation]: maybe(annotation), [channelAnnotation]: maybe(annotation) })),
  }),
});

export function readLabelledObject(found: unknown): Reading<LabelledObject> {
  const reading = readObject(found);
  if (reading.kind === "unreadable") return reading;
  const told = decodeValue(found, annotated, "ignored");
  if (told.kind === "unreadable") return told;
  const { annotations } = told.value.metadata;
  const [container, channel] = [annotations?.[containerAnnotation], annotations?.[channelAnnotation]];
  return { kind: "read", value: { object: reading.value, container, channel } };
}

type Annotated = Omit<LabelledObject, "object"> & { readonly kind: ObjectKind; readonly name: string };

/** What the settings say for this object. A channel that is none is told in place of any decision. */
export function settingsOfLabelled(
  { usual, namespace, updater, container: usualContainer }: Labelled,
  { kind, name, container, channel }: Annotated,
): UpdaterSettings {
  // What is no name of a container is that of none.
  const object = { namespace, kind, name, container: quote(container ?? usualContainer), labelled: updater };
  if (channel === undefined) return { ...usual, object };
  const own = parseChannelName(channel);
  if (own !== undefined) return { ...usual, object, channel: own };
  const told = `the annotation ${channelAnnotation} is ${JSON.stringify(quote(channel))}, which is no channel`;
  return { ...usual, object, wrong: { told, hint: `correct or remove it; allowed: ${channelNameRule}` } };
}
