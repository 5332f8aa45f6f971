import { settingsDigest } from "../../act/settings-digest.ts";
import { actThroughUnit, type ActingUnit } from "../../act/through-unit.ts";
import { askThroughUnit } from "../../pass/ask.ts";
import type { PassPorts } from "../../pass/pass.ts";
import type { EarlyConversation } from "../../socket/early.ts";
import type { AgentRecord } from "../../record/state.ts";
import { observers, refuseTransaction } from "./observers.ts";
import { commonPorts, type PassScope } from "./pass-ports.ts";
import { existsSync } from "node:fs";
import { asFault } from "../../../rules/fault/explain.ts";
import { readClock } from "../../../machine/clocks/read-clock.ts";
import type { Log } from "../../../machine/logging/log.ts";
import { runCommand } from "../../../machine/processes/run-command.ts";
import type { AgentCondition } from "../../plan/host-facts.ts";
import type { AgentSettings } from "../../../rules/settings/settings.ts";
import { conditionOf } from "../../unit/condition.ts";
import { isGoingDown } from "../../unit/going-down.ts";
import { unitControl } from "../../unit/systemctl.ts";

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

/** What the deciding unit knows of the agent's unit and the host. */
type UnitSeen = {
  readonly condition: PassPorts["watchAgent"];
  readonly restarts: PassPorts["countRestarts"];
  readonly isGoingDown: PassPorts["isGoingDown"];
};

const control = unitControl(runCommand);

/**
 * Asks systemd over the message bus as an ordinary user, or asks the acting unit if there is no bus. A missing answer is no fault, because a pass can
 * do without.
 */
function unitSeen({ unit }: AgentSettings, acting: ActingUnit, log: Log): UnitSeen {
  let seen: number | undefined;
  const throughBus = async (previous: AgentRecord | undefined): Promise<AgentCondition> => {
    const shown = await control.show(unit);
    seen = shown.restarts;
    return conditionOf(shown, readClock().bootId, previous);
  };
  return {
    condition: async (previous) => {
      try {
        return hasBus() ? await throughBus(previous).catch(() => acting.condition(previous)) : await acting.condition(previous);
      } catch (thrown) {
        log("warning", "how the agent's unit is could not be seen", { why: asFault(thrown).message });
        return "unknown";
      }
    },
    // Only a later rescue needs the number of restarts, so a failure to read it must not lose the record of a finished move.
    restarts: async (when) => {
      const restartsNow = async (): Promise<number> => (hasBus() ? (await control.show(unit)).restarts : acting.restarts());
      try {
        const restarts = (when === "as seen" ? seen : undefined) ?? (await restartsNow());
        return { bootId: readClock().bootId, restarts };
      } catch (thrown) {
        log("warning", "the restarts of the agent's unit could not be counted", { why: asFault(thrown).message });
        return undefined;
      }
    },
    // Asks without the bus too, which a shutdown ends early.
    isGoingDown: () => acting.isGoingDown().catch(() => isGoingDown(runCommand)),
  };
}

function hasBus(): boolean {
  return existsSync("/run/dbus/system_bus_socket");
}
