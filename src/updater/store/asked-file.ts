import type { Paths } from "../../machine/files/paths.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";
import type { Asked } from "../plan/host-policy.ts";
import { decodeAsked, encodeAsked, isFresh, type AskedNote, type Freshness } from "../record/asked.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

const byTimer: Asked = { when: "timer", absent: "stop" };
const capBytes = 1024;

/** Reads what root asked before it started the pass. Without a note, or with one for another pass or time, nothing special is asked. */
export function readAsked({ asked }: Pick<Paths, "asked">, now: UnixSeconds): Asked {
  const note = readNote(asked, now, "for a pass that begins");
  return note === undefined || note.pass !== undefined ? byTimer : { ...note.asked, by: "hand" };
}

/** Takes the note for the acting unit. From then on it counts only for this pass. */
export function takeAsked({ root, asked }: Pick<Paths, "root" | "asked">, pass: string, now: UnixSeconds): Asked {
  const note = readNote(asked, now, "for a move that begins");
  if (note === undefined || (note.pass !== undefined && note.pass !== pass)) return byTimer;
  writeFileAtomically(asked, encodeAsked({ ...note, pass }), { root, mode: 0o644, fault: "file-failed" });
  return note.asked;
}

function readNote(path: string, now: UnixSeconds, freshness: Freshness): AskedNote | undefined {
  const reading = readFileCapped(path, { capBytes, links: "refuse" });
  if (reading.kind !== "read" || reading.uid !== 0 || reading.links !== 1) return undefined;
  const note = decodeAsked(reading.text);
  return note.kind === "read" && isFresh(note.value, now, freshness) ? note.value : undefined;
}
