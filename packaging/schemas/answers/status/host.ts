import type { InstalledPackage } from "../../../../src/plan/facts.ts";
import type { Running, UnitsSeen } from "../../../../src/status/seen.ts";
import type { ShownUnit } from "../../../../src/unit/shown.ts";
import { count, instant, oneOf, record, text, truth, type Keys } from "../../shapes.ts";

const conditions: Readonly<Record<Extract<InstalledPackage, { kind: "present" }>["condition"], string>> = {
  whole: "wholly installed",
  "half-way": "its installation did not finish",
};

const runners: Readonly<Record<Running["by"], string>> = {
  unit: "by svc-upgrade.service",
  process: "by a process of its own",
};

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

export const hostKeys: Required<Keys> = {
  always: { units: oneOf("whether the units could be seen", unitsSeen) },
  sometimes: {
    package: record("the agent's package; left out where it is not installed", {
      always: {
        version: text("as the package manager writes it"),
        condition: oneOf("how it is installed", conditions),
        held: truth("whether the package manager holds it"),
      },
      sometimes: { name: text("its name; left out where the settings are wrong") },
    }),
    damage: text("what is broken and waits for its repair, for people"),
    running: record("a pass that is running now", {
      always: { by: oneOf("how", runners) },
      sometimes: { process: count("the id of that process") },
    }),
    agent: record("the agent's unit", {
      always: {
        unit: text("its name"),
        state: oneOf("ActiveState of the service manager", states),
        sub: text("SubState of the service manager"),
        enabled: truth("whether it starts at boot"),
        restarts: count("how often the service manager restarted it by itself since it was started"),
      },
      sometimes: { since: instant("when it came up; left out while it is not up"), process: count("the id of its main process") },
    }),
    timer: record("svc-upgrade.timer", {
      always: { enabled: truth("whether it starts at boot"), active: truth("whether it runs now") },
      sometimes: { last: instant("when it started a pass last"), next: instant("when it starts the next one") },
    }),
  },
};
