/** A unit as `systemctl show` describes it. */
export type ShownUnit = {
  readonly isLoaded: boolean;
  /** An admin has ruled it out. What of it was running may still run. */
  readonly isMasked: boolean;
  readonly active: "active" | "reloading" | "inactive" | "failed" | "activating" | "deactivating" | "other";
  readonly sub: string;
  readonly result: string;
  /** It comes up by itself with the next boot: by its own links, another unit's, or one that starts it when it is needed. */
  readonly isEnabled: boolean;
  /**
   * By its own links alone. "static": without [Install] there is nothing that `systemctl enable` could do; "script": of the time before
   * systemd, which `systemctl enable` knows.
   */
  readonly unitFile: "enabled" | "disabled" | "static" | "script" | "other";
  /** Of its service: "simple", "forking" and others. */
  readonly type: string;
  /** The units that want it, and those that start it when it is needed: sockets, timers, paths. */
  readonly wantedBy: readonly string[];
  readonly triggeredBy: readonly string[];
  /** What starts it when it is needed; undefined where nothing does, or that is not looked at. */
  readonly trigger: Trigger | undefined;
  /** How often systemd restarted it by itself since it was last started by hand, or since boot. */
  readonly restarts: number;
  /** 0: there is none. */
  readonly mainPid: number;
  /** When its main process was started, in microseconds of the monotonic clock; 0: never. */
  readonly startedAtUs: number;
  /** When it came up; a reload leaves this as it is, a restart does not. */
  readonly activeSinceUs: number;
};

export type Trigger = { readonly unit: string; readonly state: "waiting" | "off" | "failed"; readonly isEnabled: boolean };

/** What is asked for; `systemctl show` gives one `Key=value` line for each it knows. */
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
    // A unit whose main process systemd does not know is at least known to be up since then.
    startedAtUs: number(mainPid === 0 ? "ActiveEnterTimestampMonotonic" : "ExecMainStartTimestampMonotonic"),
    activeSinceUs: number("ActiveEnterTimestampMonotonic"),
  };
}

/** Up, or on its way: not waiting for its next restart. */
export function isRunning(unit: ShownUnit): boolean {
  const { active, sub } = unit;
  if (hasEndedUnseen(unit)) return false;
  return active === "active" || active === "reloading" || (active === "activating" && !isBetweenRestarts(sub));
}

/**
 * A script of the time before systemd stays "active" for ever once it was started: that nothing of it runs any more shows in the
 * second word alone.
 */
export function hasEndedUnseen({ active, sub, type }: ShownUnit): boolean {
  return active === "active" && sub === "exited" && type === "forking";
}

/** It is down, as it should be while nobody needs it. */
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

/** systemd gave it up for now and will start it again; newer versions know a second such state. */
export function isBetweenRestarts(sub: ShownUnit["sub"]): boolean {
  return sub === "auto-restart" || sub === "auto-restart-queued";
}
