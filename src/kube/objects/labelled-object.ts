import { channelNameRule, parseChannelName } from "../../rules/channel/path.ts";
import { quote } from "../../rules/text/quote.ts";
import { channelAnnotation, type ObjectKind, type SeenObject } from "./seen.ts";
import type { Labelled, UpdaterSettings } from "./settings.ts";

type Labelling = Pick<SeenObject, "instead"> & { readonly kind: ObjectKind; readonly name: string };

/** The settings of this object. An invalid channel is reported in place of any decision. */
export function settingsOfLabelled(
  { usual, namespace, updater, container: usualContainer }: Labelled,
  { kind, name, instead: { container, channel } }: Labelling,
): UpdaterSettings {
  // The name is quoted, because an invalid one matches no container.
  const object = { namespace, kind, name, container: quote(container ?? usualContainer), labelled: updater };
  if (channel === undefined) return { ...usual, object };
  const own = parseChannelName(channel);
  if (own !== undefined) return { ...usual, object, channel: own };
  const told = `the annotation ${channelAnnotation} is ${JSON.stringify(quote(channel))}, which is no channel`;
  return { ...usual, object, wrong: { told, hint: `correct or remove it; allowed: ${channelNameRule}` } };
}
