import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import type { CommandResult } from "../../machine/processes/command.ts";

/** Returns what the command printed. Throws if the command could not ask systemd. */
export function must(result: CommandResult, what: string): string {
  const said = complaint(result);
  if (said === undefined && result.kind === "exited") return result.stdout;
  if (result.kind === "not-started" && result.reason === "missing") {
    throw new Fault("host-unsupported", {
      message: "systemctl is not installed",
      hint: "svc-upgrade needs systemd 247 or later",
    });
  }
  throw new Fault("os-failed", {
    message: `systemctl ${what} failed: ${said}`,
    hint: "see whether systemd answers: `systemctl is-system-running`",
  });
}

export function complaint(result: CommandResult): string | undefined {
  switch (result.kind) {
    case "exited":
      return result.status === 0 ? undefined : quote(result.stderr, 300) || `it ended with status ${result.status}`;
    case "killed":
      return `it was ended by ${result.signal}`;
    case "timed-out":
      return `it has not come to an end after ${Math.round(result.afterMs / 1000)} seconds`;
    case "not-started":
      return result.message;
  }
}
