import type { DecisionJson, InventoryEntryJson } from "../../api/generated/svc/v1/inventory_pb.ts";
import { tellShort } from "../../../machine/host/tell-time.ts";
import { table } from "../../../rules/shape/table.ts";
import type { TctlContext } from "../context.ts";
import { inventoryAnswer, type Inventory } from "../json/inventory.ts";
import type { Given } from "../rows.ts";
import { say } from "../screen/say.ts";

export async function listInventory(context: TctlContext, given: Given): Promise<number> {
  const upgrader = given.text("upgrader") ?? "";
  const width = given.isSet("wide") ? "wide" : "plain";
  const entries: InventoryEntryJson[] = [];
  let now = "";
  for (let pageToken = ""; ;) {
    const page = await context.call("InventoryService/ListInventory", { upgrader, pageToken });
    entries.push(...(page.entries ?? []));
    now = page.now ?? "";
    pageToken = page.nextPageToken ?? "";
    if (pageToken === "") break;
  }
  const value = { entries, now };
  return say(context, { shape: inventoryAnswer, value, text: () => screen(value, { upgrader, width }) });
}

type Wanted = { readonly upgrader: string; readonly width: "plain" | "wide" };

function screen({ entries, now }: Inventory, { upgrader, width }: Wanted): string {
  if (entries.length === 0) {
    if (upgrader === "none") return "every instance is enrolled in automatic updates\n";
    return `no instance has the upgrader ${upgrader}: \`tctl inventory ls\` shows all\n`;
  }
  const wide = width === "wide" ? ["Channel", "Installed", "Served", "Decision", "Reported"] : [];
  return table(
    ["Server ID", "Hostname", "Services", "Version", "Upgrader", ...wide],
    entries.map((entry) => [
      entry.id ?? "",
      entry.hostname ?? "",
      (entry.services ?? []).map(serviceName).join(","),
      entry.version ?? "",
      ...(width === "wide" ? [entry.upgrader ?? "", ...updaterCells(entry, now)] : [withStanding(entry)]),
    ]),
  );
}

/** Auth and proxies are listed by the names of their services; an agent's are its own. */
function serviceName(service: string): string {
  return service === "auth" || service === "proxy" ? `svc-${service}` : service;
}

/** In the last column, so that five columns stay five. */
function withStanding(entry: InventoryEntryJson): string {
  const standing = standingOf(entry);
  return standing === "" ? (entry.upgrader ?? "") : `${entry.upgrader ?? ""}  (${standing})`;
}

function standingOf({ silent = false, gone = false, reported }: InventoryEntryJson): string {
  if (gone) return reported === undefined ? "gone" : `gone since ${tellShort(reported)}`;
  if (!silent) return "";
  return reported === undefined ? "silent: it has never reported" : `silent since ${tellShort(reported)}`;
}

function updaterCells(entry: InventoryEntryJson, now: string): readonly string[] {
  const { updater: { channel = "", installed = "", served = "", decision, step = "" } = {}, reported } = entry;
  const doing = step === "" ? decisionCell(decision) : `moving: ${step}`;
  const standing = standingOf(entry);
  const age = reported === undefined ? "never" : ageOf(reported, now);
  return [channel, installed, served, doing, standing === "" ? age : `${age}  (${standing})`];
}

function decisionCell(decision: DecisionJson | undefined): string {
  if (decision === undefined) return "";
  const { kind = "", why = "", until } = decision;
  return `${kind}${why === "" ? "" : `: ${why}`}${until === undefined ? "" : ` until ${tellShort(until)}`}`;
}

const units = [
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
] as const;

/** Both times are auth's: this computer's clock may differ. */
function ageOf(reported: string, now: string): string {
  const seconds = Math.max(0, Math.floor((Date.parse(now) - Date.parse(reported)) / 1000));
  const [unit, size] = units.find(([, each]) => seconds >= each) ?? ["s", 1];
  return `${Math.floor(seconds / size)} ${unit} ago`;
}
