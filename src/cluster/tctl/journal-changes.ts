import { quote } from "../../rules/text/quote.ts";
import type { AuditEntry } from "../storage/port.ts";
import type { RunCommand } from "../../machine/processes/command.ts";
import { isMapping, type Mapping } from "../../rules/shape/reading.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

export type ChangesSince =
  | { readonly kind: "unknown"; readonly why: string }
  | { readonly kind: "known"; readonly by: "audit" | "journal"; readonly lines: readonly string[]; readonly more: number };

const journalTimeoutMs = 60_000;
const mostLines = 200;

/** Finds changes in the journal. Auth logs what it audits, so that changes are known even if the store is lost. */
export async function changesSince(at: UnixSeconds, run: RunCommand): Promise<ChangesSince> {
  const told = ["--output=json", "--output-fields=MESSAGE", "--no-pager", "--quiet"];
  const argv = ["journalctl", "--unit=svc.service", `--since=@${at}`, ...told] as const;
  const result = await run({ argv, env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C" }, timeoutMs: journalTimeoutMs });
  if (result.kind === "not-started") return { kind: "unknown", why: "this host has no journal" };
  if (result.kind !== "exited" || result.status !== 0) return { kind: "unknown", why: "the journal could not be read" };
  if (result.stdout.trim() === "") return { kind: "unknown", why: "the journal of svc.service holds nothing since then" };
  const lines = result.stdout.split("\n").flatMap((text) => changeIn(text) ?? []);
  return { kind: "known", by: "journal", lines: lines.slice(0, mostLines), more: Math.max(0, lines.length - mostLines) };
}

/** The change in a journal entry; undefined if the entry is about none. */
function changeIn(entry: string): string | undefined {
  const { MESSAGE: message, __REALTIME_TIMESTAMP: microseconds } = parsed(entry);
  if (typeof message !== "string") return undefined;
  const { event, actor, kind, name } = message.startsWith("{") ? parsed(message) : fieldsOf(message);
  if (![event, actor, kind, name].every((value) => typeof value === "string")) return undefined;
  const when = new Date(Math.floor(Number(microseconds) / 1000));
  const time = Number.isNaN(when.getTime()) ? "" : `${when.toISOString().replace(/\.\d+Z$/, "Z")} `;
  return changeLine(time, { event: String(event), actor: String(actor), kind: String(kind), name: String(name) });
}

export function changeLine(
  time: string,
  { event, actor, kind, name }: Pick<AuditEntry, "event" | "actor" | "kind" | "name">,
): string {
  return quote(`${time}${event} ${kind}/${name} by ${actor}`, 200);
}

/** Reads the fields that the text log prints. */
function fieldsOf(message: string): Mapping {
  if (!message.startsWith("audit ")) return {};
  const fields = message.matchAll(/ ([a-z_]+)=("(?:[^"\\]|\\.)*"|\S*)/g);
  return Object.fromEntries(
    [...fields].map(([, key = "", value = ""]) => [key, value.startsWith('"') ? unquoted(value) : value]),
  );
}

function unquoted(value: string): string {
  try {
    return String(JSON.parse(value));
  } catch {
    // The line was cut off, or is another program's.
    return value;
  }
}

function parsed(text: string): Mapping {
  try {
    const value: unknown = JSON.parse(text);
    return isMapping(value) ? value : {};
  } catch {
    return {};
  }
}
