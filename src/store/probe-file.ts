import { writeFileAtomically } from "../host/write-file.ts";
import type { HandOverForm } from "../record/hand-over.ts";
import { decodeProbe, encodeProbe, longestProbeBytes, type Probe } from "../record/probe.ts";
import { readReply, type Expected } from "./hand-over.ts";

/** Apart from the answer's file: the deciding half knows nothing of this one and parses nothing of it. */
export function writeProbe(path: string, probe: Probe, form: HandOverForm = "open"): void {
  writeFileAtomically(path, encodeProbe(probe, form), { root: "/", mode: 0o644, fault: "file-failed" });
}

export function readProbe(path: string, expected: Expected): Probe {
  return readReply(path, expected, { decode: decodeProbe, capBytes: longestProbeBytes });
}
