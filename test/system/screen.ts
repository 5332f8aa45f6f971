import { stripVTControlCharacters } from "node:util";
import type { Host } from "./lab/host.ts";
import { proxyName } from "./lab/proxy.ts";

/** As any user types it on a terminal. */
export async function asked(host: Host, line: string): Promise<string> {
  return `$ ${line}\n${await onTerminal(host, line, "ordinary")}`;
}

/** As an administrator types it on a terminal. */
export async function typed(host: Host, line: string): Promise<string> {
  return `$ sudo ${line}\n${await onTerminal(host, line)}`;
}

async function onTerminal(host: Host, line: string, user?: string): Promise<string> {
  const { stdout } = await host.run(["script", "--quiet", "--return", "--command", line, "/dev/null"], {
    env: { TERM: "xterm" },
    timeoutMs: 180_000,
    ...(user === undefined ? {} : { user }),
  });
  return onScreen(stdout);
}

/** Of a line that was written over, what was written last; without colour. */
export function onScreen(typescript: string): string {
  const lines = typescript.replaceAll("\r\n", "\n").trimEnd().split("\n");
  return `${lines.map((line) => stripVTControlCharacters(line.split("\r").at(-1) ?? "")).join("\n")}\n`;
}

/** The command, these rows of what it prints, and a mark where others are. */
export function rowsOf(screen: string, names: readonly string[]): string {
  const [command, ...lines] = screen.trimEnd().split("\n");
  const kept: string[] = [];
  let keeps = false;
  for (const line of lines) {
    const name = /^(?:ok|warning|failed|skipped) +(\w+)/.exec(line)?.[1];
    if (name !== undefined) keeps = names.includes(name);
    if (keeps) kept.push(line);
    else if (kept.at(-1) !== "…") kept.push("…");
  }
  return [command, ...kept, ""].join("\n");
}

/** Names that a reader knows for those of the lab. */
export function named(screen: string): string {
  return screen
    .replaceAll(new RegExp(`${proxyName}:\\d+`, "g"), "proxy.corp.example.com:3128")
    .replaceAll(proxyName, "proxy.corp.example.com")
    .replaceAll(/outer\.test(?::\d+)?/g, "proxy.example.com");
}

/** What differs from host to host and from one minute to the next. */
export function timeless(screen: string): string {
  return (
    screen
      .replace(/\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\dZ)?/g, "DATE")
      .replace(/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/g, "Day")
      // A window that ends on the next day, for whoever looks two hours before midnight.
      .replace(/–Day (?:DATE )?/g, "–")
      .replace(/\b\d+\.\d+\.\d+\.\d+\b/g, "ADDRESS")
      .replace(/\b\d\d:\d\d\b/g, "TIME")
      .replace(/\b\d+(?:\.\d)? (?:s|seconds?|minutes?|hours?|days?|GB|MB)\b/g, "N")
      .replace(/\bN and N\b/g, "N")
      .replace(/(?:process|seconds=)\s*\d+/g, "N")
      .replace(/\/evidence\/[0-9a-f]+/g, "/evidence/N")
      .replace(/\s+/g, " ")
  );
}

export function indented(screen: string): string {
  return `\n${screen.trimEnd().replace(/^(?=.)/gm, "    ")}\n\n`;
}
