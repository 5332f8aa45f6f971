import type { RunCommand } from "../../machine/processes/command.ts";
import type { UnitName } from "../../rules/settings/settings.ts";
import { askingAgain } from "../../machine/processes/ask-systemd-again.ts";
import { must } from "./complaint.ts";
import { toolEnvironment } from "./environment.ts";

/** PID 1 usually answers in milliseconds. */
export const askTimeoutMs = 20_000;

/** A unit's properties as systemd prints them. An unknown property is empty; one with several values has a line for each. */
export async function showProperties<Name extends string>(
  run: RunCommand,
  unit: UnitName,
  names: readonly Name[],
): Promise<Readonly<Record<Name, string>>> {
  const argv = ["systemctl", "show", `--property=${names.join(",")}`, "--", unit] as const;
  const result = await askingAgain(run)({ argv, env: toolEnvironment, timeoutMs: askTimeoutMs });
  const output = must(result, `show ${unit}`);
  const lines = output.split("\n");
  const valueOf = (name: string): string =>
    lines
      .filter((line) => line.startsWith(`${name}=`))
      .map((line) => line.slice(name.length + 1))
      .join("\n");
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, string>;
}
