import { Fault } from "../fault/fault.ts";
import type { Origin, SettingFault } from "./settings.ts";

/** Prints one line for each fault: where, which key, what was found, what is allowed. */
export function explainSettingFaults(faults: readonly SettingFault[]): string {
  return faults.map(explain).join("\n");
}

export function settingsFault(
  faults: readonly SettingFault[],
  hint: string = "correct that, then see what holds: `svc-upgrade config`",
): Fault {
  const lines = explainSettingFaults(faults);
  return new Fault("settings-invalid", {
    message: faults.length === 1 ? `a setting is wrong: ${lines}` : `${faults.length} settings are wrong:\n${lines}`,
    hint,
  });
}

/** Says in words where a value came from. */
export function originText(origin: Origin): string {
  switch (origin.kind) {
    case "built-in":
      return "built-in";
    case "file":
      return origin.path;
    case "environment":
      return origin.variable;
    case "flag":
      return origin.flag;
  }
}

function explain({ origin, key, found, allowed }: SettingFault): string {
  return `${originText(origin)}: ${key === "" ? "" : `${key}: `}${found} (allowed: ${allowed})`;
}
