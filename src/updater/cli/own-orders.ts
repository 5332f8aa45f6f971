import { asFault } from "../../rules/fault/explain.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { isBooted, isOwnRoot } from "../../machine/processes/booted.ts";
import { runCommand } from "../../machine/processes/run-command.ts";
import { originText } from "../../rules/settings/explain.ts";
import { line } from "../../rules/settings/read-text.ts";
import { check } from "../../rules/shape/check.ts";
import type { SettingRow } from "../../rules/settings/settings.ts";
import { prepare, type PreparedSettings, type SettingSources } from "../sources/settings.ts";
import { removeOwnFragment, writeOwnFragment, type OwnFragment } from "../store/own-fragment.ts";
import { decidingUnit } from "../unit/own-units.ts";
import { unitControl } from "../unit/systemctl.ts";
import { changeable } from "./changeable.ts";
import type { CommandContext } from "./context.ts";
import type { SharedOptions } from "./options.ts";
import { sourcesOf } from "./wiring/sources.ts";

/** What administrators order by a command. Each order has its own settings fragment. */
export type Order = "hold" | "pin";

/** The sources of the settings of a root that this user may change. */
export function changeableSources(command: string, options: SharedOptions, context: CommandContext): SettingSources {
  return sourcesOf(changeable(command, options, context), context);
}

/** Writes the order in place of an earlier one. Afterwards it is in force, or nothing has changed. */
export async function putInForce(order: Order, text: string, sources: SettingSources): Promise<void> {
  const place = placeOf(order, sources);
  const before = (await prepare(sources)).rows.find(({ key }) => key === order)?.origin;
  const putBack = writeOwnFragment(place, text);
  try {
    const owner = ownerOf(order, (await prepare(sources)).rows);
    if (owner !== place.path) throw overruled(order, owner, place.path);
  } catch (thrown) {
    putBack();
    throw thrown;
  }
  if (before?.kind === "file" && before.path !== place.path) tellOfBeaten(order, before.path, sources);
  await tellOfPass(order, sources);
}

/** Removes the order's fragment, if it exists. `refusal` is the fault if another file has such an order, which is its author's. */
export async function takeBack(
  order: Order,
  sources: SettingSources,
  refusal: (prepared: PreparedSettings) => Fault | undefined,
): Promise<boolean> {
  const place = placeOf(order, sources);
  const isRemoved = removeOwnFragment(place);
  try {
    const refused = refusal(await prepare(sources));
    if (refused !== undefined) throw refused;
  } catch (thrown) {
    if (isRemoved) {
      sources.log("notice", `the ${order} that svc-upgrade ${order} had written is taken away`, { path: place.path });
    }
    throw thrown;
  }
  return isRemoved;
}

/** The file with the order in force. */
export function ownerOf(order: Order, rows: readonly SettingRow[]): string {
  const row = rows.find(({ key }) => key === order);
  if (row === undefined) throw new Error("every setting has its row");
  return originText(row.origin);
}

/** Checks a reason as every fragment's is checked. */
export function askedReason(reason: string | undefined): string | undefined {
  if (reason === undefined) return undefined;
  const reading = check(line, reason);
  if (reading.kind === "value") return reading.value;
  throw new Fault("usage", {
    message: `--reason cannot be ${reading.refusals.map(({ found }) => found).join(", ")}`,
    hint: 'give one line of text, for example --reason "year-end freeze"',
  });
}

function placeOf(order: Order, { paths }: SettingSources): OwnFragment {
  return { root: paths.root, path: paths[order] };
}

/** A shorter hold ends a longer one of another file, which its author would not expect. */
function tellOfBeaten(order: Order, path: string, { log }: SettingSources): void {
  const even = order === "hold" ? ", even after this one has ended" : "";
  log("warning", `the ${order} in ${path} does not count until \`sudo svc-upgrade un${order}\`${even}`);
}

/** Tells that a pass is running. Looks only at the unit: trying the lock could turn away a pass that is just beginning. */
async function tellOfPass(order: Order, { paths, log }: SettingSources): Promise<void> {
  if (!isOwnRoot(paths) || !isBooted()) return;
  try {
    const { active } = await unitControl(runCommand).show(decidingUnit);
    if (active !== "activating") return;
    log("notice", `a pass is running; it heeds the ${order} unless it has begun to change the package`);
  } catch (thrown) {
    log("warning", "whether a pass is running cannot be seen", { why: asFault(thrown).message });
  }
}

function overruled(order: Order, owner: string, path: string): Fault {
  return new Fault("settings-invalid", {
    message: `${owner} sets ${order} as well and wins over ${path}; nothing was changed`,
    hint: `change the ${order} in ${owner}, or take it out there and type this again`,
  });
}
