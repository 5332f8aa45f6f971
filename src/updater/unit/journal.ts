import type { RunCommand } from "../../machine/processes/command.ts";
import type { UnitName } from "../../rules/settings/settings.ts";
import { toolEnvironment } from "./environment.ts";

const timeoutMs = 20_000;
/** More lines than a pass writes. */
const mostLines = "5000";

/** "own": without the lines that systemd and others write about the unit. */
export type JournalScope = "all" | "own";

/** Follows the journal of a unit and of the units that act for it. Each call returns the lines since the last call. */
export async function openJournal(
  run: RunCommand,
  units: readonly [UnitName, ...UnitName[]],
  scope: JournalScope,
): Promise<() => Promise<readonly string[]>> {
  const matches = scope === "all" ? ["-u", units[0]] : units.map((unit) => `_SYSTEMD_UNIT=${unit}`);
  const read = async (
    place: readonly string[],
  ): Promise<{ readonly lines: readonly string[]; readonly cursor: string | undefined }> => {
    const argv = ["journalctl", "--quiet", "--no-pager", "--show-cursor", "-o", "cat", ...matches, ...place] as const;
    const result = await run({ argv: [argv[0], ...argv.slice(1)], env: toolEnvironment, timeoutMs });
    // An unreadable journal must not stop the pass.
    if (result.kind !== "exited" || result.status !== 0) return { lines: [], cursor: undefined };
    const lines = result.stdout.split("\n").filter((line) => line !== "");
    const last = /^-- cursor: (.+)$/.exec(lines.at(-1) ?? "");
    return last === null ? { lines, cursor: undefined } : { lines: lines.slice(0, -1), cursor: last[1] };
  };
  let cursor = (await read(["-n", "1"])).cursor;
  return async () => {
    const place = cursor === undefined ? ["-n", mostLines] : ["-n", mostLines, `--after-cursor=${cursor}`];
    const next = await read(place);
    cursor = next.cursor ?? cursor;
    return next.lines;
  };
}
