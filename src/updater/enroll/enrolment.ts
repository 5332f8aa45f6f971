import { defaults } from "../../rules/settings/defaults.ts";
import { decode, type Reading } from "../../rules/shape/read.ts";
import { count, kinds, listOf, orElse, record, text, type Of } from "../../rules/shape/shape.ts";
import { encode } from "../../rules/shape/write.ts";

/** How a path was before: it is put back to that. */
const standing = kinds({ absent: {}, present: { uid: count } });
export type EnrolmentStanding = Of<typeof standing>;

const usualSchedule = defaults["agent.schedule_file"].value.onHost;

const before = record({ settings: standing, directory: standing, schedule: standing });

/** What enroll found and what it wrote, for unenroll to take back. An incompatible change raises its number; new optional keys do not. */
const enrolment = record(
  {
    /** The whole text of the fragment, an endpoint of 1 KiB, a channel and two names; while that is being replaced, also the one before. */
    written: listOf(text(4096), 2),
    /** To whom the schedule was given. */
    agentUid: count,
    /** Which it was, as the host has it; earlier releases knew one place only. */
    schedule: orElse(text(1024), usualSchedule, (file) => file === usualSchedule),
    before,
  },
  { schema: 1 },
);
export type Enrolment = Of<typeof enrolment>;

/** Both texts with every character escaped, and all else. */
export const longestEnrolmentBytes: number = 64 * 1024;

export function encodeEnrolment(written: Enrolment): string {
  return `${JSON.stringify(encode(enrolment, written), undefined, 2)}\n`;
}

/** It is written once and taken back once: nothing that is not known here has to be kept for anybody. */
export function decodeEnrolment(found: string): Reading<Enrolment> {
  return decode(found, enrolment, "ignored");
}
