import { makeDirectory } from "../../machine/files/directory.ts";
import type { Paths } from "../../machine/files/paths.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";
import { decodeBegunSettings, encodeBegunSettings, longestBegunBytes, type BegunSettings } from "../record/begun-settings.ts";
import type { SettingRow } from "../../rules/settings/settings.ts";

/** Writes the file so that only root can read it: it says what may replace the agent. */
export function writeBegunSettings(
  { root, rootsDirectory, begunSettings }: Pick<Paths, "root" | "rootsDirectory" | "begunSettings">,
  pass: string,
  rows: readonly SettingRow[],
): void {
  makeDirectory(rootsDirectory, { root });
  writeFileAtomically(begunSettings, encodeBegunSettings(pass, rows), { root, mode: 0o600, fault: "state-unwritable" });
}

/** Undefined if the file is missing or cannot be trusted. */
export function readBegunSettings(path: string, ownerUid: number): BegunSettings | undefined {
  const reading = readFileCapped(path, { capBytes: longestBegunBytes, links: "refuse" });
  if (reading.kind !== "read" || reading.uid !== ownerUid || reading.links !== 1) return undefined;
  const decoded = decodeBegunSettings(reading.text);
  return decoded.kind === "read" ? decoded.value : undefined;
}
