import { currentVersion } from "../objects/decide-object.ts";
import type { UpdaterSettings } from "../objects/settings.ts";
import { readKept } from "../objects/record.ts";
import { statusScreen } from "../objects/status-text.ts";
import { servedBy } from "../objects/event-text.ts";
import { statusAnswer } from "./json.ts";
import { nowSeconds, policyAround } from "./scope.ts";
import { whileWatching } from "./watching.ts";

/** For people, or for programs. */
export type Format = "screen" | "json";

/** What the record says, and what the object is meanwhile. */
export function status(settings: UpdaterSettings, format: Format, stopping: AbortSignal): Promise<string> {
  // It needs no pods.
  const looking: UpdaterSettings = { ...settings, act: "looks" };
  return whileWatching(looking, stopping, ({ first: { object, record } }) => {
    const now = nowSeconds();
    const policy = policyAround(settings, now);
    const reading = readKept(record?.record);
    if (format === "screen") return Promise.resolve(statusScreen({ reading, object, policy, now }));
    const kept = reading.kind === "kept" ? reading.record : undefined;
    const told = {
      name: policy.object,
      current: currentVersion(object, policy),
      served: kept && servedBy(kept.decision, kept),
      channel: kept?.heard.channel,
      decision: kept?.decision,
      kept,
      object,
    };
    return Promise.resolve(`${JSON.stringify(statusAnswer.write(told))}\n`);
  });
}
