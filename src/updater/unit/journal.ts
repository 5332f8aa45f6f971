import type { RunCommand } from "../../machine/processes/command.ts";
import type { UnitName } from "../../rules/settings/settings.ts";
import { toolEnvironment } from "./environment.ts";

const timeoutMs = 20_000;
/** More lines than a pass writes. */
const mostLines = "5000";

/** "own": without what systemd says of the unit, and others on its behalf. */
export type JournalScope = "all" | "own";

/** A place in the journal of a unit, and of others that speak for it by themselves: every call gives the lines that were written since the one before. */
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
    // A journal that cannot be read must not keep the pass from being run.
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
