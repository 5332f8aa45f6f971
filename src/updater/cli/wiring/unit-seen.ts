import { existsSync } from "node:fs";
import type { ActingUnit } from "../../act/through-unit.ts";
import { asFault } from "../../../rules/fault/explain.ts";
import { readClock } from "../../../machine/clocks/read-clock.ts";
import type { Log } from "../../../machine/logging/log.ts";
import { runCommand } from "../../../machine/processes/run-command.ts";
import type { PassPorts } from "../../pass/pass.ts";
import type { AgentCondition } from "../../plan/host-facts.ts";
import type { AgentRecord } from "../../record/state.ts";
import type { AgentSettings } from "../../../rules/settings/settings.ts";
import { conditionOf } from "../../unit/condition.ts";
import { isGoingDown } from "../../unit/going-down.ts";
import { unitControl } from "../../unit/systemctl.ts";

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
export function unitSeen({ unit }: AgentSettings, acting: ActingUnit, log: Log): UnitSeen {
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
