import { readFileCapped } from "../../machine/files/read-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";
import { decodeCalendar, encodeCalendar, longestCalendarBytes, type KeptCalendar } from "../record/calendar.ts";

/** The calendar that an earlier pass of this user worked out; undefined if it is missing, or if another user could have written it. */
export function readKeptCalendar(path: string): KeptCalendar | undefined {
  const reading = readFileCapped(path, { capBytes: longestCalendarBytes, links: "refuse" });
  if (reading.kind !== "read" || reading.links !== 1) return undefined;
  const isOwn = reading.uid === process.geteuid?.() && (reading.mode & 0o022) === 0;
  return isOwn ? decodeCalendar(reading.text) : undefined;
}

/** Does not keep a calendar that is too long to read back. Each pass then makes it again. */
export function keepCalendar(path: string, calendar: KeptCalendar, root: string): void {
  const text = encodeCalendar(calendar);
  if (Buffer.byteLength(text) > longestCalendarBytes) return;
  writeFileAtomically(path, text, { root, mode: 0o644, fault: "file-failed" });
}
