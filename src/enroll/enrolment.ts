import { count, listOf, literal, object, oneOfKind, readJson, text, type Reading } from "../record/read.ts";

/** How a path was before: it is put back to that. */
export type Standing = { readonly kind: "absent" } | { readonly kind: "present"; readonly uid: number };

/** What enroll found and what it wrote, for unenroll to take back. */
export type Enrolment = {
  /** The whole text of the fragment; while that is being replaced, also the one before. */
  readonly written: readonly string[];
  /** To whom the schedule was given. */
  readonly agentUid: number;
  readonly before: Before;
};

export type Before = { readonly settings: Standing; readonly directory: Standing; readonly schedule: Standing };

/** An incompatible change raises it; new optional keys do not. */
const enrolmentSchema = 1;

/** Larger than any fragment: an endpoint of 1 KiB, a channel and two names. */
const longestFragment = 4096;
const mostWritten = 2;
/** Both texts with every character escaped, and all else. */
export const longestEnrolmentBytes: number = 64 * 1024;

export function encodeEnrolment({ written, agentUid, before }: Enrolment): string {
  return `${JSON.stringify({ schema: enrolmentSchema, written, agentUid, before }, undefined, 2)}\n`;
}

/** Strict in types, tolerant of keys that a newer minor version added. */
export function decodeEnrolment(found: string): Reading<Enrolment> {
  return readJson(found, (value, at) => {
    schema(value, at);
    return enrolment(value, at);
  });
}

const schema = object<{ readonly schema: typeof enrolmentSchema }>({ schema: literal(enrolmentSchema) });

const standing = oneOfKind<Standing>({
  absent: object<Extract<Standing, { kind: "absent" }>>({ kind: literal("absent") }),
  present: object<Extract<Standing, { kind: "present" }>>({ kind: literal("present"), uid: count }),
});

/** It is written once and taken back once: nothing that is not known here has to be kept for anybody. */
const enrolment = object<Enrolment>(
  {
    written: listOf(text(longestFragment), mostWritten),
    agentUid: count,
    before: object<Before>({ settings: standing, directory: standing, schedule: standing }),
  },
  { unknown: "ignored" },
);
