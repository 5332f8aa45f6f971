/** A unit as `systemctl show` describes it. */
export type ShownUnit = {
  readonly isLoaded: boolean;
  /** An administrator masked the unit. Its process may still run. */
  readonly isMasked: boolean;
  readonly active: "active" | "reloading" | "inactive" | "failed" | "activating" | "deactivating" | "other";
  readonly sub: string;
  readonly result: string;
  /** Whether the unit starts at the next boot: by its own links, by another unit's, or through a unit that starts it when needed. */
  readonly isEnabled: boolean;
  /**
   * The state of the unit's own links. "static": it has no [Install], so `systemctl enable` can do nothing. "script": a SysV script, which `systemctl
   * enable` knows.
   */
  readonly unitFile: "enabled" | "disabled" | "static" | "script" | "other";
  /** The service's type: "simple", "forking" and others. */
  readonly type: string;
  /** The units that want this one, and the sockets, timers and paths that start it when needed. */
  readonly wantedBy: readonly string[];
  readonly triggeredBy: readonly string[];
  /** The unit that starts this one when needed. Undefined if it does not exist, or if nobody looked. */
  readonly trigger: Trigger | undefined;
  /** How often systemd restarted the unit by itself since the last manual start, or since the boot. */
  readonly restarts: number;
  /** The pid of the main process; 0 if none runs. */
  readonly mainPid: number;
  /** When the main process started, in microseconds of the monotonic clock; 0 if never. */
  readonly startedAtUs: number;
  /** When the unit became active. A restart changes this, a reload does not. */
  readonly activeSinceUs: number;
};

export type Trigger = { readonly unit: string; readonly state: "waiting" | "off" | "failed"; readonly isEnabled: boolean };

/** The properties to ask for; `systemctl show` prints a `Key=value` line for each that it knows. */
export const shownProperties: readonly string[] = [
  "LoadState",
  "ActiveState",
  "SubState",
  "Result",
  "UnitFileState",
  "SourcePath",
  "Type",
  "WantedBy",
  "RequiredBy",
  "TriggeredBy",
  "NRestarts",
  "MainPID",
  "ExecMainStartTimestampMonotonic",
  "ActiveEnterTimestampMonotonic",
];

const activeStates: readonly string[] = ["active", "reloading", "inactive", "failed", "activating", "deactivating"];

export function parseShown(output: string): ShownUnit {
  const values = new Map(
    output.split("\n").map((line) => {
      const at = line.indexOf("=");
      return [line.slice(0, at), line.slice(at + 1)] as const;
    }),
  );
  const number = (key: string): number => Number(/^\d+$/.exec(values.get(key) ?? "")?.[0] ?? 0);
  const active = values.get("ActiveState") ?? "";
  const words = (key: string): readonly string[] => (values.get(key) ?? "").split(" ").filter((word) => word !== "");
  const mainPid = number("MainPID");
  return {
    isLoaded: values.get("LoadState") === "loaded",
    active: activeStates.includes(active) ? (active as ShownUnit["active"]) : "other",
    isMasked: values.get("LoadState") === "masked",
    sub: values.get("SubState") ?? "",
    result: values.get("Result") ?? "",
    isEnabled: hasLinks(values.get("UnitFileState")),
    unitFile: unitFileOf(values.get("UnitFileState"), values.get("SourcePath")),
    type: values.get("Type") ?? "",
    wantedBy: [...words("WantedBy"), ...words("RequiredBy")],
    triggeredBy: words("TriggeredBy"),
    trigger: undefined,
    restarts: number("NRestarts"),
    mainPid,
    // If the main process is unknown, uses the time since which the unit is up.
    startedAtUs: number(mainPid === 0 ? "ActiveEnterTimestampMonotonic" : "ExecMainStartTimestampMonotonic"),
    activeSinceUs: number("ActiveEnterTimestampMonotonic"),
  };
}

/** Whether the unit is up or starting, and not waiting for its next restart. */
export function isRunning(unit: ShownUnit): boolean {
  const { active, sub } = unit;
  if (hasEndedUnseen(unit)) return false;
  return active === "active" || active === "reloading" || (active === "activating" && !isBetweenRestarts(sub));
}

/** Whether a SysV script's processes have all ended. Once started, it stays "active" for ever; only its sub-state shows the end. */
export function hasEndedUnseen({ active, sub, type }: ShownUnit): boolean {
  return active === "active" && sub === "exited" && type === "forking";
}

/** Whether the unit is down because its socket, timer or path has not needed it yet. */
export function isWaiting({ active, trigger }: ShownUnit): boolean {
  return active === "inactive" && trigger?.state === "waiting";
}

export function hasLinks(unitFileState: string | undefined): boolean {
  return /^enabled(-runtime)?$/.test(unitFileState ?? "");
}

function unitFileOf(state: string | undefined, source: string | undefined): ShownUnit["unitFile"] {
  if (state === "static") return "static";
  if (state === "generated") return source?.startsWith("/etc/init.d/") === true ? "script" : "other";
  if (hasLinks(state)) return "enabled";
  return state === "disabled" ? "disabled" : "other";
}

/** Whether systemd is waiting to restart the unit. Newer versions have a second state for this. */
export function isBetweenRestarts(sub: ShownUnit["sub"]): boolean {
  return sub === "auto-restart" || sub === "auto-restart-queued";
}
