import { workOut } from "../../machine/clocks/local-times.ts";
import type { Log } from "../../machine/logging/log.ts";
import { networkPorts } from "../../machine/network/network-ports.ts";
import type { ProxyVariables } from "../../rules/route/route.ts";
import { daySeconds } from "../../rules/window/seconds.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { ApiServer } from "../api-server/api-server.ts";
import type { ObjectPolicy } from "../objects/object-facts.ts";
import { policyOf, type EachObject, type UpdaterSettings } from "../objects/settings.ts";
import { openChannels } from "./channel.ts";
import { zonePaths } from "./load-settings.ts";
import type { OthersOf } from "./other-objects.ts";
import { openLookup } from "./look-up-image.ts";
import type { WeighScope } from "./weigh.ts";

type Ports = {
  readonly api: ApiServer;
  readonly proxies: ProxyVariables;
  readonly log: Log;
  readonly stopping: AbortSignal;
  readonly others: OthersOf;
};

/** What a decision needs beside what is seen; the channel of each object in their order. */
export function weighScopes(each: EachObject, { api, proxies, log, stopping, others }: Ports): readonly WeighScope[] {
  const channels = openChannels(each, networkPorts({ proxies, log, stopping }));
  return channels.map((channel, index) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- there is a channel for each
    const settings = each[index] as UpdaterSettings;
    const { object, deadlines } = settings;
    return {
      api,
      stopping,
      channel,
      lookup: openLookup(settings, { api, proxies, log, stopping }),
      policyAt: (now) => policyAround(settings, now),
      now: nowSeconds,
      moving: { object, healthSeconds: deadlines.health, settleSeconds: deadlines.settle, freeSeconds: deadlines.free },
      others: () => others(settings),
    };
  });
}

export function nowSeconds(): UnixSeconds {
  return Math.floor(Date.now() / 1000);
}

/** Back as far as a clock may be corrected; ahead so that the window after the next one is in it. */
export function policyAround(settings: UpdaterSettings, now: UnixSeconds): ObjectPolicy {
  const { rules, zones } = settings;
  const span = { start: now - daySeconds, stop: now + 14 * daySeconds };
  return policyOf(settings, zones.length === 0 ? { spans: [], blackouts: [] } : workOut(rules, [], { paths: zonePaths, span }));
}
