import { Fault } from "../../rules/fault/fault.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { removeFile } from "../../machine/files/remove-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";
import { changing } from "./file-change.ts";
import { decodeEnrolment, encodeEnrolment, longestEnrolmentBytes, type Enrolment } from "./enrolment.ts";
import type { Places } from "./places.ts";

/** Undefined if nobody enrolled this host, or the enrolment was taken back. */
export function readEnrolment(path: string): Enrolment | undefined {
  const reading = readFileCapped(path, { capBytes: longestEnrolmentBytes, links: "refuse" });
  switch (reading.kind) {
    case "missing":
      return undefined;
    case "denied":
      throw unusable(path, "it may not be read by this user");
    case "refused":
      throw unusable(path, reading.why);
    case "read": {
      const decoded = decodeEnrolment(reading.text);
      if (decoded.kind === "unreadable") throw unusable(path, decoded.why);
      return decoded.value;
    }
  }
}

/** Everyone may read it, like the state beside it. An unchanged file is not written again. */
export function saveEnrolment(
  { root, enrolment: path }: Pick<Places, "root" | "enrolment">,
  enrolment: Enrolment | undefined,
): void {
  if (enrolment === undefined) return changing(path, () => removeFile(path, root));
  const text = encodeEnrolment(enrolment);
  const reading = readFileCapped(path, { capBytes: longestEnrolmentBytes, links: "refuse" });
  if (reading.kind === "read" && reading.text === text) return;
  writeFileAtomically(path, text, { root, mode: 0o644, fault: "state-unwritable" });
}

function unusable(path: string, why: string): Fault {
  return new Fault("file-failed", {
    message: `${path}, which says what enroll did here, cannot be used: ${why}`,
    hint: `move it away, then see what stands: \`sudo mv ${path} ${path}.old\`, \`ls -lR /etc/svc-upgrade\`, \`svc-upgrade schedule\``,
  });
}
