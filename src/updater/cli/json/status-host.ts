import type { InstalledPackage } from "../../plan/host-facts.ts";
import { always, instant, line, recordOf, sometimes } from "../../../rules/shape/answer.ts";
import { count, truth, words } from "../../../rules/shape/shape.ts";
import type { AgentSeen, Running, UnitsSeen } from "../../status/observed.ts";
import type { StatusView } from "../../status/view.ts";
import type { ShownUnit } from "../../unit/shown.ts";
import type { ShownTimer } from "../../unit/timer.ts";

type Present = Extract<InstalledPackage, { kind: "present" }>;

const conditions: Readonly<Record<Present["condition"], string>> = {
  whole: "wholly installed",
  "half-way": "its installation did not finish",
};

const installedPackage = recordOf<Present & { readonly name: string | undefined }>()({
  name: sometimes("its name; left out where the settings are wrong", line, "name"),
  version: always("as the package manager writes it", line, "packageVersion"),
  condition: always("how it is installed", words(conditions), "condition"),
  held: always("whether the package manager holds it", truth, "isHeld"),
});

const runners: Readonly<Record<Running["by"], string>> = {
  unit: "by svc-upgrade.service",
  process: "by a process of its own",
};

const running = recordOf<Running>()({
  by: always("how", words(runners), "by"),
  process: sometimes("the id of that process", count, (found) => (found.by === "process" ? found.pid : undefined)),
});

const unitsSeen: Readonly<Record<UnitsSeen["kind"], string>> = {
  units: "they were asked",
  "another-root": "another root has none that run",
  "no-systemd": "systemd does not run here",
};

const states: Readonly<Record<ShownUnit["active"], string>> = {
  active: "it runs",
  reloading: "it runs, and reloads its configuration",
  inactive: "it does not run",
  failed: "it does not run, because it failed",
  activating: "it is being started",
  deactivating: "it is being stopped",
  other: "another word of the service manager",
};

const agent = recordOf<AgentSeen>()({
  unit: always("its name", line, "unit"),
  state: always("ActiveState of the service manager", words(states), ({ shown }) => shown.active),
  sub: always("SubState of the service manager", line, ({ shown }) => shown.sub),
  enabled: always("whether it starts at boot", truth, ({ shown }) => shown.isEnabled),
  since: sometimes("when it came up; left out while it is not up", instant, "activeSince"),
  process: sometimes("the id of its main process", count, ({ shown: { mainPid } }) => (mainPid === 0 ? undefined : mainPid)),
  restarts: always(
    "how often the service manager restarted it by itself since it was started",
    count,
    ({ shown }) => shown.restarts,
  ),
});

const timer = recordOf<ShownTimer>()({
  enabled: always("whether it starts at boot", truth, "isEnabled"),
  active: always("whether it runs now", truth, "isActive"),
  last: sometimes("when it started a pass last", instant, "lastAt"),
  next: sometimes("when it starts the next one", instant, "nextAt"),
});

/** The keys about the package and the units now. */
export const hostKeys = {
  package: sometimes(
    "the agent's package; left out where it is not installed",
    installedPackage,
    ({ seen: { installed, settings } }: StatusView) =>
      installed?.kind === "present" ? { ...installed, name: settings?.settings.agent.package } : undefined,
  ),
  damage: sometimes("what is broken and waits for its repair, for people", line, ({ damage }: StatusView) => damage),
  running: sometimes("a pass that is running now", running, ({ seen }: StatusView) => seen.running),
  units: always("whether the units could be seen", words(unitsSeen), ({ seen }: StatusView) => seen.units.kind),
  agent: sometimes("the agent's unit", agent, ({ seen: { units } }: StatusView) =>
    units.kind === "units" ? units.agent : undefined,
  ),
  timer: sometimes("svc-upgrade.timer", timer, ({ seen: { units } }: StatusView) =>
    units.kind === "units" ? units.timer : undefined,
  ),
};
