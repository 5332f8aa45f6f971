import type { DecisionJson, InventoryEntryJson, OutcomeJson, UpdaterJson } from "../../api/generated/svc/v1/inventory_pb.ts";
import type { Methods } from "../../api/methods.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import { parseInstanceId } from "../../identity/names.ts";
import { tellShort } from "../../../machine/clocks/tell-time.ts";
import { table } from "../../../rules/text/table.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import type { TctlContext } from "../context.ts";
import { askedLabels, printLabels } from "../asked-labels.ts";
import { inventoryAnswer, type Inventory } from "../json/inventory.ts";
import { say } from "../screen/say.ts";
import { pages } from "../pages.ts";

export async function listInventory(context: TctlContext, given: Given): Promise<number> {
  const upgrader = given.text("upgrader") ?? "";
  const width = given.isSet("wide") ? "wide" : "plain";
  const brief = width === "plain" && context.options.format !== "json";
  const labels = given.text("label");
  const flags = ["services", "silent", "failed", "lagging"].filter((name) => given.isSet(name));
  const texts = ["why", "channel", "version", "olderThan"].map((name) => [name, given.text(name) ?? ""] as const);
  const isFiltered = labels !== undefined || flags.some((name) => name !== "services") || texts.some(([, text]) => text !== "");
  const value = await ask(context, {
    upgrader,
    brief,
    ...(labels === undefined ? {} : { labels: askedLabels(labels) }),
    ...Object.fromEntries([...flags.map((name) => [name, true] as const), ...texts]),
  });
  return say(context, { shape: inventoryAnswer, value, text: () => screen(value, { upgrader, width, isFiltered }) });
}

type Asked = Omit<Methods["InventoryService/ListInventory"]["request"], "pageToken">;

async function ask({ call }: TctlContext, asked: Asked): Promise<Inventory> {
  const found: InventoryEntryJson[] = [];
  let told = "";
  for await (const { entries = [], now = "" } of pages((page) => call("InventoryService/ListInventory", { ...asked, ...page }))) {
    found.push(...entries);
    told = now;
  }
  return { entries: found, now: told };
}

/** Hosts choose their own names. If two have the same name, both are shown. */
export async function showHost(context: TctlContext, { arguments: [host = ""] }: Given): Promise<number> {
  const value = await ask(context, { host: parseInstanceId(host.toLowerCase()) ?? host });
  if (value.entries.length === 0) {
    throw new Fault("usage", {
      message: `no host is called "${quote(host)}"`,
      hint: "`tctl inventory ls` shows the names and the ids",
    });
  }
  return say(context, {
    shape: inventoryAnswer,
    value,
    text: () => value.entries.map((entry) => story(entry, value.now)).join("\n"),
  });
}

type Wanted = { readonly upgrader: string; readonly width: "plain" | "wide"; readonly isFiltered: boolean };

function screen({ entries, now }: Inventory, { upgrader, width, isFiltered }: Wanted): string {
  if (entries.length === 0) {
    if (isFiltered) return "no instance fits all of that: `tctl inventory ls` shows all\n";
    if (upgrader === "none") return "every instance is enrolled in automatic updates\n";
    return `no instance has the upgrader ${upgrader}: \`tctl inventory ls\` shows all\n`;
  }
  const wide = width === "wide" ? ["Channel", "Installed", "Served", "Decision", "Reported", "OS", "Labels"] : [];
  return table(
    ["Server ID", "Hostname", "Services", "Version", "Upgrader", ...wide],
    entries.map((entry) => [
      entry.id ?? "",
      entry.hostname ?? "",
      (entry.services ?? []).map(serviceName).join(","),
      versionCell(entry),
      ...(width === "wide" ? [entry.upgrader ?? "", ...updaterCells(entry, now)] : [withStanding(entry)]),
    ]),
  );
}

/** The name for auth and proxies in the list, by their service. An agent's name is its own. */
function serviceName(service: string): string {
  return service === "auth" || service === "proxy" ? `svc-${service}` : service;
}

/** Adds the state to the last column, so that the list keeps five columns. */
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
  const told = standing === "" ? age : `${age}  (${standing})`;
  return [channel, installed, served, doing, told, osTold(entry), printLabels(entry.labels ?? {})];
}

function osTold({ os: { id = "", versionId = "" } = {} }: InventoryEntryJson): string {
  return versionId === "" ? id : `${id} ${versionId}`;
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

function versionCell({ version = "", misfit = "" }: InventoryEntryJson): string {
  return misfit === "" ? version : `${version} (too ${misfit === "newer" ? "new" : "old"})`;
}

const misfits: Readonly<Record<string, string>> = {
  newer: "later than auth's major: update auth first",
  older: "more than one major behind auth: bring it up to date",
};

/** A row for each field of a message, in the order of the screen. Fields in `Elsewhere` are shown in other rows. */
type RowsOf<Message, Elsewhere extends keyof Message> = Readonly<
  Record<Exclude<keyof Message, Elsewhere>, readonly [name: string, told: string]>
>;

/** One host in rows. Leaves out empty ones. */
function story(entry: InventoryEntryJson, now: string): string {
  const { id = "", hostname = "", services = [], version = "", misfit = "", reported, updater } = entry;
  const standing = standingOf(entry);
  const age = reported === undefined ? "never" : `${tellShort(reported)}, ${ageOf(reported, now)}`;
  const rows: RowsOf<InventoryEntryJson, "misfit" | "silent" | "gone" | "updater"> = {
    hostname: ["Host", hostname],
    id: ["Server ID", id],
    services: ["Services", services.map(serviceName).join(", ")],
    version: ["Version", `${version}${misfit === "" ? "" : `, ${misfits[misfit] ?? misfit}`}`],
    os: ["OS", osTold(entry)],
    labels: ["Labels", printLabels(entry.labels ?? {})],
    reported: ["Reported", standing === "" ? age : `${age} (${standing})`],
    upgrader: ["Upgrader", upgraderTold(entry)],
    rollout: ["Rollout", rolloutTold(entry)],
  };
  const told = Object.values({ ...rows, ...(updater && updaterRows(updater)) }).filter(([, of]) => of !== "");
  const width = Math.max(...told.map(([name]) => name.length)) + 2;
  return told.map(([name, of]) => `${name.padEnd(width)}${of}\n`).join("");
}

function rolloutTold({ rollout: { rollout = "", stage = "", standing = "" } = {} }: InventoryEntryJson): string {
  return rollout === "" ? "" : `${rollout}: ${stage}, ${standing}`;
}

function upgraderTold({ upgrader = "", updater, services = [] }: InventoryEntryJson): string {
  if (upgrader !== "none" || services.includes("auth")) return upgrader;
  return updater === undefined
    ? "none: no updater is installed there"
    : "none: its timer is off (sudo systemctl enable --now svc-upgrade.timer)";
}

function updaterRows(updater: UpdaterJson): RowsOf<UpdaterJson, "kind" | "installed" | "served" | "heldUntil" | "asksAs"> {
  const { channel = "", installed = "", served = "", decision, step = "", outcome, rejected = [], looked } = updater;
  const heldUntil = updater.heldUntil === undefined ? "until root ends it" : `until ${tellShort(updater.heldUntil)}`;
  return {
    package: ["Package", `${updater.package ?? ""} ${installed === "" ? "(not installed)" : installed}`],
    channel: ["Channel", `${channel}${served === "" ? ", which serves nothing that was heard" : `, which serves ${served}`}`],
    window: ["Window", windowWords[updater.window ?? ""] ?? updater.window ?? ""],
    decision: ["Decision", decisionCell(decision)],
    step: ["Step", step],
    outcome: ["Outcome", outcome === undefined ? "" : outcomeTold(outcome)],
    rejected: ["Rejected", rejected.join(", ")],
    downgrade: ["Downgrades", updater.downgrade === "allow" ? "allowed" : ""],
    unhealthy: ["Agent", updater.unhealthy === true ? "unhealthy" : ""],
    held: ["Held", updater.held === true ? heldUntil : ""],
    looked: ["Last pass", looked === undefined ? "" : tellShort(looked)],
  };
}

const windowWords: Readonly<Record<string, string>> = {
  schedule: "the cluster's",
  setting: "of its own settings, which beats the cluster's",
  none: "none: no schedule has reached it",
};

function outcomeTold({ kind = "", version = "", fault = "", at }: OutcomeJson): string {
  return `${kind} ${version}${fault === "" ? "" : `: ${fault}`}${at === undefined ? "" : `, ${tellShort(at)}`}`;
}

/** The age of a report. Both times are auth's, because this computer's clock may differ. */
function ageOf(reported: string, now: string): string {
  const seconds = Math.max(0, Math.floor((Date.parse(now) - Date.parse(reported)) / 1000));
  const [unit, size] = units.find(([, each]) => seconds >= each) ?? ["s", 1];
  return `${Math.floor(seconds / size)} ${unit} ago`;
}
