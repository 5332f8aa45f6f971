import { settingsDigest } from "../../act/settings-digest.ts";
import { actThroughUnit } from "../../act/through-unit.ts";
import { askThroughUnit } from "../../pass/ask.ts";
import type { PassPorts } from "../../pass/pass.ts";
import type { EarlyConversation } from "../../socket/early.ts";
import type { AgentRecord } from "../../record/state.ts";
import { observers, refuseTransaction } from "./observers.ts";
import { commonPorts, type PassScope } from "./pass-ports.ts";
import { unitSeen } from "./unit-seen.ts";

type OfPass = { readonly passId: string; readonly early: EarlyConversation };

/** Ports for a booted host: the asking unit asks, and the acting unit acts. Transactions are units too. */
export function portsThroughUnits(scope: PassScope, { passId, early }: OfPass): PassPorts {
  const { paths, settings, log, stopping } = scope;
  let seen: AgentRecord | undefined;
  const acting = actThroughUnit({
    path: paths.acting,
    begin: () => ({ kind: "begin", pass: passId, settings: settingsDigest(settings) }),
    seen: () => seen,
    stopping,
  });
  const unit = unitSeen(settings.agent, acting, log);
  const looking = observers(scope, {
    transact: refuseTransaction,
    ask: askThroughUnits(scope, { passId, early }),
    agent: (previous) => {
      seen = previous ?? seen;
      return unit.condition(previous);
    },
  });
  return {
    ...commonPorts(scope, passId),
    ...looking,
    findManager: async () => {
      const { manager, installed } = await looking.findManager();
      return { manager: { ...manager, offers: acting.offers, buildOf: (_name, version) => acting.buildOf(version) }, installed };
    },
    acting,
    notifier: acting.notifier,
    countRestarts: unit.restarts,
    isGoingDown: unit.isGoingDown,
  };
}

function askThroughUnits(
  { paths, settings, endpoint, proxies }: PassScope,
  { passId, early }: OfPass,
): ReturnType<typeof askThroughUnit> {
  const { channel, caFile, allowPlainHttp } = settings;
  return askThroughUnit({ pass: passId, endpoint, channel, caFile, allowPlainHttp }, { path: paths.asking, proxies, early });
}
