import { Fault } from "../fault/fault.ts";

/** The text of a systemd EnvironmentFile= that gives exactly these variables. */
export function environmentFile(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => `${name}="${escaped(name, value)}"\n`)
    .join("");
}

/** Between double quotes systemd unescapes these four and takes all else as it stands. */
function escaped(name: string, value: string): string {
  if (/[\n\r\0]/.test(value)) {
    throw new Fault("proxy-invalid", {
      message: `the variable ${name} holds a line break`,
      hint: "write its value on one line in /etc/default/svc",
    });
  }
  return value.replace(/["\\`$]/g, "\\$&");
}
