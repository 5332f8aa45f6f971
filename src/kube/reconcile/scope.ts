import { workOut } from "../../machine/clocks/local-times.ts";
import type { Log } from "../../machine/logging/log.ts";
import { networkPorts } from "../../machine/network/network-ports.ts";
import type { ProxyVariables } from "../../rules/route/route.ts";
import { daySeconds } from "../../rules/window/seconds.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { ApiServer } from "../api-server/api-server.ts";
import type { ObjectPolicy } from "../objects/object-facts.ts";
import { commonOf, policyOf, type Followed, type UpdaterSettings } from "../objects/settings.ts";
import { channelOpener } from "./channel.ts";
import { zonePaths } from "./load-settings.ts";
import type { AllObjects } from "./all-objects.ts";
import { openLookup } from "./look-up-image.ts";
import type { WeighScope } from "./weigh.ts";

type Ports = {
  readonly api: ApiServer;
  readonly proxies: ProxyVariables;
  readonly log: Log;
  readonly stopping: AbortSignal;
  readonly all: AllObjects;
};

/** Makes what a decision about an object needs besides the sight. */
export function scopeOpener(
  followed: Followed,
  { api, proxies, log, stopping, all }: Ports,
): (settings: UpdaterSettings) => WeighScope {
  const named = followed.kind === "settings" ? followed.settings : undefined;
  const isShared = (channel: string): boolean => named === undefined || named.filter((one) => one.channel === channel).length > 1;
  const openChannel = channelOpener(networkPorts({ proxies, log, stopping }), isShared);
  // Shared by all objects, because a registry's answer about an image holds for each.
  const lookup = openLookup(commonOf(followed), { api, proxies, log, stopping });
  return (settings) => {
    const { object, deadlines } = settings;
    return {
      api,
      stopping,
      channel: openChannel(settings),
      lookup,
      policyAt: (now) => policyAround(settings, now),
      now: nowSeconds,
      moving: { object, healthSeconds: deadlines.health, settleSeconds: deadlines.settle, freeSeconds: deadlines.free },
      all,
    };
  };
}

export function nowSeconds(): UnixSeconds {
  return Math.floor(Date.now() / 1000);
}

/** The policy, with local times from as far back as a clock may be corrected to the window after the next one. */
export function policyAround(settings: UpdaterSettings, now: UnixSeconds): ObjectPolicy {
  const { rules, zones } = settings;
  const span = { start: now - daySeconds, stop: now + 14 * daySeconds };
  return policyOf(settings, zones.length === 0 ? { spans: [], blackouts: [] } : workOut(rules, [], { paths: zonePaths, span }));
}
