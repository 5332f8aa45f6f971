import { existsSync, opendirSync } from "node:fs";
import { dirname } from "node:path";
import { Fault } from "../fault/fault.ts";
import type { Paths } from "../host/paths.ts";
import { readFileCapped, type FileReading } from "../host/read-file.ts";
import { writeFileAtomically } from "../host/write-file.ts";
import { decodeAnswer, decodeRequest } from "../record/decode-hand-over.ts";
import { encodeAnswer, encodeRequest } from "../record/encode-hand-over.ts";
import { longestHandOverBytes, type Answer, type HandOverForm, type Request } from "../record/hand-over.ts";
import type { Reading } from "../record/read.ts";
import type { UnixSeconds } from "../window/window.ts";

/** The deciding half's question, for everyone to read. */
export function writeRequest(path: string, request: Request): void {
  writeFileAtomically(path, encodeRequest(request), { root: "/", mode: 0o644, fault: "file-failed" });
}

/** The question, as the asking half takes it: from root, or from whoever else is named. */
export function readRequest(path: string, isOwner: OwnerTest): Request {
  return taken(path, isOwner, { decode: decodeRequest, capBytes: longestHandOverBytes });
}

export function writeAnswer(path: string, answer: Answer, form: HandOverForm = "open"): void {
  writeFileAtomically(path, encodeAnswer(answer, form), { root: "/", mode: 0o644, fault: "file-failed" });
}

/**
 * Whether the asking half has left anything but its replies: what was taken over once must neither keep later answers out nor fill the
 * memory. However much there is, the first stranger is enough.
 */
export function hasStrangers({ answer, probe }: Pick<Paths, "answer" | "probe">): boolean {
  const path = dirname(answer);
  if (!existsSync(path)) return false;
  const directory = opendirSync(path);
  try {
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      if (!entry.isFile() || ![answer, probe].includes(`${path}/${entry.name}`)) return true;
    }
    return false;
  } finally {
    directory.closeSync();
  }
}

export type OwnerTest = (uid: number) => boolean;

/** What makes an answer the one to this pass's question. */
export type Expected = { readonly pass: string; readonly now: UnixSeconds; readonly isOwner: OwnerTest };

/** An answer is written within the deadlines of one request; older or younger than this it belongs to another time. */
const freshSeconds = 300;

export function readAnswer(path: string, expected: Expected): Answer {
  return readReply(path, expected, { decode: decodeAnswer, capBytes: longestHandOverBytes });
}

export type Form<T> = { readonly decode: (text: string) => Reading<T>; readonly capBytes: number };

/** The asking half has been on the network, and its file is judged as if a stranger had written it. */
export function readReply<T extends Pick<Answer, "pass" | "at">>(path: string, expected: Expected, form: Form<T>): T {
  const reply = taken(path, expected.isOwner, form);
  if (reply.pass !== expected.pass) throw invalid(path, `it answers the pass ${reply.pass}, not ${expected.pass}`);
  const age = expected.now - reply.at;
  if (Math.abs(age) > freshSeconds) {
    throw invalid(path, `it was written ${Math.abs(age)} seconds ${age > 0 ? "ago" : "in the future"}`);
  }
  return reply;
}

function taken<T>(path: string, isOwner: OwnerTest, { decode, capBytes }: Form<T>): T {
  const reading = readFileCapped(path, { capBytes, links: "refuse" });
  const why = flawOf(reading, isOwner);
  if (reading.kind !== "read" || why !== undefined) throw invalid(path, why ?? "it is not there");
  const decoded = decode(reading.text);
  if (decoded.kind === "unreadable") throw invalid(path, decoded.why);
  return decoded.value;
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

function invalid(path: string, why: string): Fault {
  return new Fault("hand-over-invalid", {
    message: `${path} cannot be used: ${why}`,
    hint: "look at what the asking half said: `journalctl -u svc-upgrade-ask`",
  });
}
