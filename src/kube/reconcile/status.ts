import { encode } from "../../rules/shape/write.ts";
import { currentVersion } from "../objects/decide-object.ts";
import type { Followed, UpdaterSettings } from "../objects/settings.ts";
import { keptIn, readStored } from "../objects/record.ts";
import { statusScreen, unreadableIn } from "../objects/status-text.ts";
import { servedBy } from "../objects/event-text.ts";
import { statusAnswer, type StatusTold } from "./json.ts";
import { nowSeconds, policyAround } from "./scope.ts";
import { whileWatching } from "./watching.ts";
import type { Seen } from "./watched-objects.ts";

/** For people (screen) or for programs (json). */
export type Format = "screen" | "json";

/** Prints the records and the present state of the objects. */
export function status(followed: Followed, format: Format, stopping: AbortSignal): Promise<string> {
  return whileWatching(followed, { stopping, withoutPods: true }, ({ seen }) => {
    const all = [...seen];
    const answer =
      format === "screen"
        ? all.map(([settings, found]) => screen(settings, found)).join("\n")
        : `${JSON.stringify(
            encode(
              statusAnswer,
              all.map(([settings, found]) => told(settings, found)),
            ),
          )}\n`;
    return Promise.resolve(answer);
  });
}

function screen(settings: UpdaterSettings, { object, record }: Seen): string {
  const now = nowSeconds();
  return statusScreen({ reading: readStored(record), object, policy: policyAround(settings, now), now });
}

function told(settings: UpdaterSettings, { object, record }: Seen): StatusTold {
  const reading = readStored(record);
  const kept = keptIn(reading);
  return {
    name: settings.object,
    current: currentVersion(object, settings),
    served: kept && servedBy(kept.decision, kept),
    channel: kept?.heard.channel,
    decision: kept?.decision ?? unreadableIn(reading, policyAround(settings, nowSeconds())),
    kept,
    object,
  };
}
