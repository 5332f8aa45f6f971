import { defaults } from "../../rules/settings/defaults.ts";
import { decode, type Reading } from "../../rules/shape/read.ts";
import { count, kinds, listOf, orElse, record, text, type Of } from "../../rules/shape/shape.ts";
import { encode } from "../../rules/shape/write.ts";

/** What was at a path before, so that unenroll can restore it. */
const standing = kinds({ absent: {}, present: { uid: count } });
export type EnrolmentStanding = Of<typeof standing>;

const usualSchedule = defaults["agent.schedule_file"].value.onHost;

const before = record({ settings: standing, directory: standing, schedule: standing });

/** What enroll found and wrote, so that unenroll can undo it. An incompatible change raises the schema number; new optional keys do not. */
const enrolment = record(
  {
    /** The fragment's text: an endpoint of 1 KiB, a channel and two names. During a change, also the text before. */
    written: listOf(text(4096), 2),
    /** The user to whom the schedule was given. */
    agentUid: count,
    /** The schedule's path on the host. Earlier releases knew only one path. */
    schedule: orElse(text(1024), usualSchedule, (file) => file === usualSchedule),
    before,
  },
  { schema: 1 },
);
export type Enrolment = Of<typeof enrolment>;

/** Enough for both texts with every character escaped, and all other keys. */
export const longestEnrolmentBytes: number = 64 * 1024;

export function encodeEnrolment(written: Enrolment): string {
  return `${JSON.stringify(encode(enrolment, written), undefined, 2)}\n`;
}

/** Drops unknown keys: the file is written once and undone once. */
export function decodeEnrolment(found: string): Reading<Enrolment> {
  return decode(found, enrolment, "ignored");
}
