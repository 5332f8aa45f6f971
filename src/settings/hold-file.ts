import { printInstant } from "../window/instant.ts";
import type { Hold } from "../decide/policy.ts";

/** The fragment that `hold` writes. A JSON string is a YAML string, whatever stands in it. */
export function printHold({ until, reason }: Hold): string {
  const fields = [
    ...(until === undefined ? [] : [`  until: "${printInstant(until)}"`]),
    ...(reason === undefined ? [] : [`  reason: ${JSON.stringify(reason)}`]),
  ];
  const value = fields.length === 0 ? " {}" : `\n${fields.join("\n")}`;
  return `# Written by svc-upgrade hold; svc-upgrade unhold takes it away.\nhold:${value}\n`;
}
