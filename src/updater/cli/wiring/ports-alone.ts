import { actHere } from "../../act/package-acts.ts";
import { unwatched, watchThrough } from "../../act/watch-through.ts";
import { readClock } from "../../../machine/clocks/read-clock.ts";
import { isOwnRoot } from "../../../machine/processes/booted.ts";
import type { Paths } from "../../../machine/files/paths.ts";
import { runWithExeca } from "../../../machine/processes/run-with-execa.ts";
import { transactDirectly } from "../../package/call/transact-directly.ts";
import type { PassPorts } from "../../pass/pass.ts";
import type { ActingSide } from "../../pass/ports.ts";
import { policyOf, type Asked } from "../../plan/host-policy.ts";
import { writeBegunSettings } from "../../store/begun-settings.ts";
import { askHere, observers } from "./observers.ts";
import { commonPorts, settingsNow, type PassScope } from "./pass-ports.ts";

/**
 * Ports for one process that does everything, below another root or without systemd. Nothing outlives this process, and the agent's unit is not
 * touched.
 */
export function portsAlone(scope: PassScope, passId: string, asked: Asked): PassPorts {
  const { paths, settings, rows } = scope;
  const looking = observers(scope, {
    transact: transactDirectly(runWithExeca),
    ask: askHere(scope),
    agent: () => Promise.resolve("unknown"),
  });
  const hands = {
    settings,
    manager: async () => (await looking.findManager()).manager,
    paths,
    pass: passId,
    gates: {
      policy: async () => policyOf(await settingsNow(scope), asked),
      schedule: looking.readSchedule,
      now: () => readClock().now,
    },
    noteSettings: () => writeBegunSettings(paths, passId, rows),
  };
  const acting: ActingSide = {
    ...actHere(hands),
    awaitTransaction: () => Promise.resolve(),
    watchUnit: (begun) => watchThrough(unwatched(leftAlone(paths)), undefined, begun),
  };
  return {
    ...commonPorts(scope, passId),
    ...looking,
    acting,
    notifier: undefined,
    countRestarts: () => Promise.resolve(undefined),
    isGoingDown: () => Promise.resolve(false),
  };
}

function leftAlone(paths: Paths): string {
  return `its unit was left alone, as always ${isOwnRoot(paths) ? "where systemd does not run" : "below another root"}`;
}
