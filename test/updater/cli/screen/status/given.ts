import { paintFor, type Paint } from "../../../../../src/updater/cli/screen/paint.ts";
import { renderStatus } from "../../../../../src/updater/cli/screen/status.ts";
import { viewGiven, type Host } from "../../../status/given.ts";

export const plain: Paint = paintFor("other", { environment: {} });

export function screen(host: Host = {}, zone: string = "Europe/Berlin"): string {
  return renderStatus(viewGiven(host), { zone, paint: plain });
}

/** The rows below the answer, by their labels: what each tells, as if the screen had no end. */
export function rows(host: Host = {}, zone?: string): Readonly<Record<string, string>> {
  const told: Record<string, string> = {};
  let label = "";
  const below = screen(host, zone).split("\n\n")[1] ?? "";
  for (const line of below.trimEnd().split("\n")) {
    const named = line.slice(0, 12).trim();
    const text = line.slice(12);
    label = named === "" ? label : named;
    told[label] = told[label] === undefined ? text : `${told[label]} ${text}`;
  }
  return told;
}
