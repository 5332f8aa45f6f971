import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownSource } from "./source.ts";

/** A bug of the kind that slips through a review: one edit, or a few, of one file below `src`. */
export type Planted = {
  readonly title: string;
  /** Who has to find it. */
  readonly target: string;
  readonly path: string;
  readonly edits: readonly (readonly [find: string, replacement: string])[];
};

export const plantedBugs: readonly Planted[] = [
  bug("a second v is dropped, too", "version", "version/version.ts", [
    `text.startsWith("v") ? text.slice(1) : text`,
    `text.replace(/^v+/, "")`,
  ]),
  bug("15.4 is taken for 15.4.0", "version", "version/version.ts", [
    "(bare, { loose",
    `(/^\\d+\\.\\d+$/.test(bare) ? bare + ".0" : bare, { loose`,
  ]),
  bug("leading zeros are forgiven", "answer-version", "version/version.ts", ["loose: false", "loose: true"]),
  bug("white space after a version is forgiven", "version", "version/version.ts", [
    `/^\\d\\S*$/.test(bare)`,
    `/^\\d\\S*\\s*$/.test(bare)`,
  ]),
  bug("none may be written in capitals", "answer-version", "channel/answer.ts", [
    `word === "none"`,
    `word?.toLowerCase() === "none"`,
  ]),
  bug(
    "bytes that are no UTF-8 are passed over",
    "answer-version",
    "channel/answer.ts",
    ["fatal: true", "fatal: false"],
    [".decode(body);", `.decode(body).replaceAll("\\ufffd", "");`],
  ),
  bug("1 means critical", "answer-critical", "channel/answer.ts", [`word === "yes" ||`, `word === "yes" || word === "1" ||`]),
  bug("a channel may climb to other paths", "channel-name", "channel/path.ts", ["/^[A-Za-z0-9][", "/^[A-Za-z0-9.]["]),
  bug("a prerelease in a revision is its release", "wrapped-version", "version/wrapped.ts", [
    "|| prereleaseWord.test(revision[0])",
    "",
  ]),
  bug("a window may end where it starts", "schedule", "window/schedule.ts", ["start >= stop", "start > stop"]),
  bug("a window may have a third number", "schedule", "window/schedule.ts", ["(?:[ \\t]+->(?:", "(?:[ \\t]+(?:->|\\d+)(?:"]),
  bug("NOP in capitals", "schedule", "window/schedule.ts", [`line === "nop"`, `line.toLowerCase() === "nop"`]),
  bug("a window that just ended is not past", "schedule", "window/window.ts", ["window.stop > from", "window.stop >= from"]),
  bug("the 31st of November", "instant", "window/instant.ts", ["civilFromDay(day).date !== date", "date > 31"]),
  bug(
    "localhost with the root's dot as proxy",
    "proxy",
    "route/host.ts",
    [`hostname.replace(/\\.$/, "")`, "hostname"],
    [`name.split(".")`, `name.replace(/\\.$/, "").split(".")`],
  ),
  bug("a netmask of 33 bits", "address", "route/address.ts", [
    "length > widthOf(address.family)",
    "length > widthOf(address.family) + 1",
  ]),
  bug("octal parts in an IPv4 address", "address", "route/address.ts", [
    "/^(?:0|[1-9]\\d{0,2})$/.test(part)",
    "/^\\d{1,3}$/.test(part)",
  ]),
  bug("port 65536", "port", "route/port.ts", ["port <= 65_535", "port <= 65_536"]),
  bug("port 0", "proxy", "route/port.ts", ["/^[1-9]\\d{0,4}$/", "/^\\d{1,5}$/"]),
  bug(".domain matches the domain itself", "route", "route/no-proxy.ts", [`bare === text ? "matches" : "does-not"`, `"matches"`]),
  bug("a line break in a proxy's password", "proxy", "route/proxy.ts", ["[\\u0000-\\u001f\\u007f]", "[\\u0000-\\u0009]"]),
  bug("a hold may hold anything", "settings", "settings/read-fields.ts", ["[...unknownFields(raw, known)]", "[]"]),
  bug("an endpoint with a query", "settings", "settings/endpoint.ts", [`["?", "a query"],`, ""]),
  bug("hour 24", "settings", "settings/read-time.ts", ["raw <= 23", "raw <= 24"]),
  bug("export before a variable is forgiven", "environment-file", "settings/environment-file.ts", [
    "[^=\\n\\r]*/).replace(",
    "[^=\\n\\r]*/).replace(/^export /, '').replace(",
  ]),
  bug("a probe with a hop too few", "probe", "record/probe.ts", ["hopNames.every((name", "hopNames.slice(1).every((name"]),
  bug("an endpoint in another spelling", "request", "record/hand-over.ts", ["&& reading.value === found", ""]),
  bug("a fault called constructor", "state", "shape/read.ts", [
    "if (Object.hasOwn(form.words, value)) return value;",
    "if (value in form.words) return value;",
  ]),
  bug("a schema that is nearly 1", "asked", "shape/read.ts", [
    `own(found, "schema") !== schema`,
    `own(found, "schema") != schema`,
  ]),
  bug("one entry more than a list may hold", "state", "shape/read.ts", [
    "value.length > form.most",
    "value.length > form.most + 1",
  ]),
  bug("the same key twice in a fragment", "plain-yaml", "host/read-plain-yaml.ts", [" || Object.hasOwn(map, key)", ""]),
];

/** It accepts nothing wrong; it never ends. */
export const plantedHang: Planted = bug("a version in brackets is looked at for ever", "version", "version/version.ts", [
  "if (text.length > longestVersion) return undefined;",
  `if (text.length > longestVersion) return undefined;\n  while (text.includes("["));`,
]);

/** A copy of the source with the bug in it. */
export function plant(planted: Planted): { readonly source: string; readonly remove: () => void } {
  const text = edited(planted);
  const scratch = mkdtempSync(join(tmpdir(), "svc-upgrade-planted-"));
  const source = join(scratch, "src");
  cpSync(ownSource, source, { recursive: true });
  symlinkSync(join(ownSource, "../node_modules"), join(scratch, "node_modules"));
  writeFileSync(join(scratch, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(source, planted.path), text);
  return { source, remove: () => rmSync(scratch, { recursive: true }) };
}

function edited({ title, path, edits }: Planted): string {
  let text = readFileSync(join(ownSource, path), "utf8");
  for (const [find, replacement] of edits) {
    if (!text.includes(find)) throw new Error(`"${title}" cannot be planted: ${path} does not hold ${find}`);
    text = text.replace(find, () => replacement);
  }
  return text;
}

function bug(title: string, target: string, path: string, ...edits: Planted["edits"]): Planted {
  return { title, target, path, edits };
}
