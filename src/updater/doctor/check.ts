/** The checks, in the order of the output. */
export type CheckName =
  | "settings"
  | "route"
  | "proxy"
  | "dns"
  | "tls"
  | "channel"
  | "answer"
  | "schedule"
  | "package"
  | "manager"
  | "offer"
  | "previous"
  | "disk"
  | "agent"
  | "binary"
  | "timer"
  | "clock"
  | "rivals"
  | "notify";

/**
 * One hop or prerequisite, and its state. "warning": upgrades work, but an administrator should look. "failed": upgrades do not work. "skipped": the
 * check could not look, and `told` says why.
 */
export type Check = {
  readonly name: CheckName;
  readonly verdict: "ok" | "warning" | "failed" | "skipped";
  /** What was found, in a sentence. */
  readonly told: string;
  /** What to type, for a warning or a failure. */
  readonly fix?: string | undefined;
};

/** What a check found, without its name. */
export type Finding = Omit<Check, "name">;

type Find = (told: string, fix?: string) => Finding;

export const ok: Find = finding("ok");
export const warning: Find = finding("warning");
export const failed: Find = finding("failed");
export const skipped: Find = finding("skipped");

function finding(verdict: Check["verdict"]): Find {
  return (told, fix) => ({ verdict, told, ...(fix === undefined ? {} : { fix }) });
}
