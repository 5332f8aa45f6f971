/** A unit as `systemctl show` describes it. */
export type ShownUnit = {
  readonly isLoaded: boolean;
  readonly active: "active" | "reloading" | "inactive" | "failed" | "activating" | "deactivating" | "other";
  readonly sub: string;
  readonly result: string;
  readonly isEnabled: boolean;
  /** How often systemd restarted it by itself since it was last started by hand, or since boot. */
  readonly restarts: number;
  /** 0: there is none. */
  readonly mainPid: number;
  /** When its main process was started, in microseconds of the monotonic clock; 0: never. */
  readonly startedAtUs: number;
  /** When it came up; a reload leaves this as it is, a restart does not. */
  readonly activeSinceUs: number;
};

/** What is asked for; `systemctl show` gives one `Key=value` line for each it knows. */
export const shownProperties: readonly string[] = [
  "LoadState",
  "ActiveState",
  "SubState",
  "Result",
  "UnitFileState",
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
  const mainPid = number("MainPID");
  return {
    isLoaded: values.get("LoadState") === "loaded",
    active: activeStates.includes(active) ? (active as ShownUnit["active"]) : "other",
    sub: values.get("SubState") ?? "",
    result: values.get("Result") ?? "",
    isEnabled: /^enabled(-runtime)?$/.test(values.get("UnitFileState") ?? ""),
    restarts: number("NRestarts"),
    mainPid,
    // A unit whose main process systemd does not know is at least known to be up since then.
    startedAtUs: number(mainPid === 0 ? "ActiveEnterTimestampMonotonic" : "ExecMainStartTimestampMonotonic"),
    activeSinceUs: number("ActiveEnterTimestampMonotonic"),
  };
}

/** Up, or on its way: not waiting for its next restart. */
export function isRunning({ active, sub }: ShownUnit): boolean {
  return active === "active" || active === "reloading" || (active === "activating" && !isBetweenRestarts(sub));
}

/** systemd gave it up for now and will start it again; newer versions know a second such state. */
export function isBetweenRestarts(sub: ShownUnit["sub"]): boolean {
  return sub === "auto-restart" || sub === "auto-restart-queued";
}
