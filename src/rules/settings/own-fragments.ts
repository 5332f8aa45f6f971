import { printInstant } from "../window/instant.ts";
import type { Hold, Pin } from "../decide/gate-policy.ts";

/** The fragment that `hold` writes. A JSON string is also a YAML string, whatever it contains. */
export function printHold({ until, reason }: Hold): string {
  const fields = [...(until === undefined ? [] : [`  until: "${printInstant(until)}"`]), ...reasonIn(reason)];
  const value = fields.length === 0 ? " {}" : `\n${fields.join("\n")}`;
  return `# Written by svc-upgrade hold; svc-upgrade unhold takes it away.\nhold:${value}\n`;
}

/** The fragment that `pin` writes. */
export function printPin({ version, reason }: Pin): string {
  const fields = [`  version: "${version}"`, ...reasonIn(reason)];
  return `# Written by svc-upgrade pin; svc-upgrade unpin takes it away.\npin:\n${fields.join("\n")}\n`;
}

function reasonIn(reason: string | undefined): readonly string[] {
  return reason === undefined ? [] : [`  reason: ${JSON.stringify(reason)}`];
}
