import { Fault } from "../fault/fault.ts";
import { readFileCapped, type FileReading } from "../host/read-file.ts";
import { writeFileAtomically } from "../host/write-file.ts";
import { decodeAnswer, decodeRequest } from "../record/decode-hand-over.ts";
import { encodeAnswer, encodeRequest } from "../record/encode-hand-over.ts";
import { longestHandOverBytes, type Answer, type Request } from "../record/hand-over.ts";
import type { Reading } from "../record/read.ts";
import type { UnixSeconds } from "../window/window.ts";

/** The deciding half's question, for everyone to read. */
export function writeRequest(path: string, request: Request): void {
  writeFileAtomically(path, encodeRequest(request), { mode: 0o644, fault: "file-failed" });
}

/** The question, as the asking half takes it: from root, or from whoever else is named. */
export function readRequest(path: string, isOwner: OwnerTest): Request {
  return taken(path, readHandOver(path, isOwner, decodeRequest));
}

export function writeAnswer(path: string, answer: Answer): void {
  writeFileAtomically(path, encodeAnswer(answer), { mode: 0o644, fault: "file-failed" });
}

export type OwnerTest = (uid: number) => boolean;

/** What makes an answer the one to this pass's question. */
export type Expected = { readonly pass: string; readonly now: UnixSeconds; readonly isOwner: OwnerTest };

/** An answer is written within the deadlines of one request; older or younger than this it belongs to another time. */
const freshSeconds = 300;

/** The asking half has been on the network, and its file is judged as if a stranger had written it. */
export function readAnswer(path: string, expected: Expected): Answer {
  const answer = taken(path, readHandOver(path, expected.isOwner, decodeAnswer));
  if (answer.pass !== expected.pass) throw invalid(path, `it answers the pass ${answer.pass}, not ${expected.pass}`);
  const age = expected.now - answer.at;
  if (Math.abs(age) > freshSeconds) {
    throw invalid(path, `it was written ${Math.abs(age)} seconds ${age > 0 ? "ago" : "in the future"}`);
  }
  return answer;
}

function readHandOver<T>(path: string, isOwner: OwnerTest, decode: (text: string) => Reading<T>): Reading<T> {
  const reading = readFileCapped(path, { capBytes: longestHandOverBytes, links: "refuse" });
  const why = flawOf(reading, isOwner);
  if (reading.kind !== "read" || why !== undefined) return { kind: "unreadable", why: why ?? "it is not there" };
  return decode(reading.text);
}

function flawOf(reading: FileReading, isOwner: OwnerTest): string | undefined {
  switch (reading.kind) {
    case "missing":
      return "it is not there";
    case "denied":
      return "it may not be read";
    case "refused":
      return reading.why;
    case "read":
      // A second name may lie where somebody else can still write to the file.
      if (reading.links !== 1) return `it has ${reading.links} names`;
      if (!isOwner(reading.uid)) return `it belongs to user ${reading.uid}`;
      return (reading.mode & 0o022) === 0 ? undefined : `others may write it (mode ${reading.mode.toString(8)})`;
  }
}

function taken<T>(path: string, reading: Reading<T>): T {
  if (reading.kind === "unreadable") throw invalid(path, reading.why);
  return reading.value;
}

function invalid(path: string, why: string): Fault {
  return new Fault("hand-over-invalid", {
    message: `${path} cannot be used: ${why}`,
    hint: "look at what the asking half said: journalctl -u svc-upgrade-ask",
  });
}
