import { isBooted } from "../../../machine/processes/booted.ts";
import { askingAgain } from "../../../machine/processes/ask-systemd-again.ts";
import type { CommandResult, RunCommand } from "../../../machine/processes/command.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import type { ServingProgram } from "../../server-rules/remarks.ts";
import { commandOf, keptProxiesOf, propertiesFrom } from "../unit-properties.ts";
import type { Log } from "../../../machine/logging/log.ts";
import { keepProxies } from "./keep-proxies.ts";
import { configIn, inUnit } from "./unit-command.ts";

/** Enough for a slow disk and for systemd to set up the sandbox. */
const timeoutMs = 60_000;
const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C.UTF-8" };

/** The result of the unit's own check, or why it could not run. */
export type CheckedAsUnit =
  | { readonly kind: "checked"; readonly status: number; readonly stdout: string; readonly stderr: string }
  | { readonly kind: "not-looked-at"; readonly why: string };

export type CheckedUnit = { readonly program: ServingProgram; readonly starts: "serve" | "start" };

type AnswerOptions = {
  readonly json: boolean;
  readonly logFormat: string | undefined;
  readonly logLevel: string | undefined;
};

export type Asking = CheckedUnit & {
  /** The file to check. The unit's own by default. */
  readonly config: string | undefined;
  /** Our own options that the check inside the unit gets too. */
  readonly options: AnswerOptions;
  readonly run: RunCommand;
  readonly log: Log;
};

/**
 * Checks in a transient unit with the service's properties, drop-ins included: its user, groups, environment and sandbox. The caller often has more
 * rights than the service.
 */
export async function checkAsUnit({ program, starts, config, options, run, log }: Asking): Promise<CheckedAsUnit> {
  if (!isBooted()) return notLookedAt("systemd does not run here");
  const unit = `${program}.service`;
  const ask = askingAgain(run);
  const text = output(await ask({ argv: ["systemctl", "cat", "--no-pager", unit], env, timeoutMs }));
  const shown = output(await ask({ argv: ["systemctl", "show", "--property=ExecStart", "--value", unit], env, timeoutMs }));
  const command = commandOf(shown ?? "");
  if (text === undefined || !command.includes(starts)) return notLookedAt(`systemd knows of no ${unit} that starts ${program}`);
  const own = configIn(command);
  if (config !== undefined && config !== own) return notLookedAt(`${unit} reads ${own}`);
  if (process.getuid?.() !== 0) return notLookedAt(`only root can: sudo ${program} check`);
  const kept = keptProxiesOf(text);
  if (kept !== undefined) keepProxies(kept, { log });
  const properties = propertiesFrom(text).map((property) => `--property=${property}`);
  const argv = [...command.map((word) => (word === starts ? inUnit : word)), ...flagsOf(options)];
  // A check changes nothing, so it may run twice.
  const result = await ask({
    argv: ["systemd-run", "--quiet", "--wait", "--pipe", "--collect", ...properties, "--", ...argv],
    env,
    timeoutMs,
  });
  return judged(result, unit);
}

function flagsOf({ json, logFormat, logLevel }: AnswerOptions): readonly string[] {
  return [
    ...(json ? ["--json"] : []),
    ...(logFormat === undefined ? [] : [`--log-format=${logFormat}`]),
    ...(logLevel === undefined ? [] : [`--log-level=${logLevel}`]),
  ];
}

function judged(result: CommandResult, unit: string): CheckedAsUnit {
  if (result.kind === "not-started") return notLookedAt(result.message);
  if (result.kind !== "exited") return notLookedAt(`systemd-run ${result.kind === "timed-out" ? "did not end" : "was killed"}`);
  const { status, stdout, stderr } = result;
  const [said = ""] = stderr.trim().split("\n").slice(-1);
  // The program's own statuses are 0 and 64 to 78.
  if (status > 0 && status < 64) return notLookedAt(`systemd-run says "${said}"`);
  if (status >= 200) {
    throw new Fault("os-failed", {
      message: `${unit} cannot start: systemd cannot set up what it demands, and would end it with ${status}${setUp.get(status) ?? ""}`,
      hint: `see what it is: \`systemctl cat ${unit}\``,
    });
  }
  return { kind: "checked", status, stdout, stderr };
}

/** Statuses of systemd.exec(5) that a drop-in causes most easily. */
const setUp = new Map([
  [203, " (its program cannot be run)"],
  [216, " (there is no group as SupplementaryGroups= or Group= names one)"],
  [217, " (there is no user as User= names one)"],
  [226, " (a path of its sandbox does not exist)"],
]);

function output(result: CommandResult): string | undefined {
  return result.kind === "exited" && result.status === 0 ? result.stdout : undefined;
}

function notLookedAt(why: string): CheckedAsUnit {
  return { kind: "not-looked-at", why };
}
