import { existsSync, statSync, type Stats } from "node:fs";
import { Fault } from "../../rules/fault/fault.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { removeFile } from "../../machine/files/remove-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";
import { changing } from "./file-change.ts";
import { ensureDirectory, removeEmpty } from "./directory.ts";
import type { Done } from "./done.ts";
import type { EnrolmentStanding } from "./enrolment.ts";
import { tellFragment } from "./fragment.ts";
import type { Places } from "./places.ts";

/** What is in the fragment's place: nothing, the wanted text, or an earlier text of enroll's. */
export type FragmentFound =
  | { readonly kind: "absent" }
  | { readonly kind: "same" }
  | { readonly kind: "earlier"; readonly text: string };

const capBytes: number = 64 * 1024;

/** Refuses a file that enroll did not write, or that somebody has edited. `written` is what enroll wrote. */
export function lookAtFragment(path: string, wanted: string, written: readonly string[]): FragmentFound {
  const reading = readFileCapped(path, { capBytes, links: "refuse" });
  if (reading.kind === "missing") return { kind: "absent" };
  if (reading.kind !== "read") throw foreign(path, "it is no file that enroll wrote");
  if (reading.text === wanted) return { kind: "same" };
  if (written.includes(reading.text)) return { kind: "earlier", text: reading.text };
  throw foreign(path, written.length > 0 ? "it was edited since enroll wrote it" : "enroll did not write it");
}

/** Checks the directory: settings count only if nobody but their owner can write there. */
export function lookAtSettings({ settings }: Places, ownerUid: number): EnrolmentStanding {
  const stats = statSync(settings, { throwIfNoEntry: false });
  if (stats === undefined) return { kind: "absent" };
  const why = flawOf(stats, ownerUid);
  if (why === undefined) return { kind: "present", uid: stats.uid };
  throw new Fault("settings-untrusted", {
    message: `no settings are written to ${settings}: ${why}`,
    hint: `after a look at what is in it: \`sudo chown ${ownerUid === 0 ? "root" : ownerUid} ${settings} && sudo chmod go-w ${settings}\``,
  });
}

export function writeFragment({ root, settings, fragment }: Places, text: string, found: FragmentFound): Done {
  const says = tellFragment(text);
  if (found.kind === "same") return done("none", fragment, `already enrolled: ${fragment} says ${says}`);
  ensureDirectory(settings, root);
  writeFileAtomically(fragment, text, { root, mode: 0o644, fault: "file-failed" });
  if (found.kind === "absent") return done("made", fragment, `wrote ${fragment}: ${says}`);
  return done("replaced", fragment, `wrote ${fragment}: ${says} (before: ${tellFragment(found.text)})`);
}

/** Restores the fragment of before, even if nothing was written. */
export function restoreFragment(places: Places, found: FragmentFound, settings: EnrolmentStanding): void {
  const { root, fragment } = places;
  if (found.kind === "earlier") writeFileAtomically(fragment, found.text, { root, mode: 0o644, fault: "file-failed" });
  if (found.kind === "absent") {
    changing(fragment, () => removeFile(fragment, root));
    removeIfOurs(places, settings);
  }
}

/** Removes the fragment. Leaves an edited one, which is somebody's work. */
export function removeFragment(places: Places, written: readonly string[], settings: EnrolmentStanding): Done {
  const { root, fragment } = places;
  const reading = readFileCapped(fragment, { capBytes, links: "refuse" });
  if (reading.kind === "missing") return done("none", fragment, `${fragment} was gone already`);
  if (reading.kind !== "read" || !written.includes(reading.text)) {
    return done("kept", fragment, `kept ${fragment}: it was edited since enroll wrote it; if nothing needs it: rm ${fragment}`);
  }
  changing(fragment, () => removeFile(fragment, root));
  removeIfOurs(places, settings);
  return done("removed", fragment, `removed ${fragment}`);
}

function flawOf(stats: Stats, ownerUid: number): string | undefined {
  if (!stats.isDirectory()) return "it is not a directory";
  if (stats.uid !== ownerUid) return `it belongs to user ${stats.uid}`;
  return (stats.mode & 0o022) === 0 ? undefined : `others can write to it (mode ${(stats.mode & 0o7777).toString(8)})`;
}

function removeIfOurs({ root, settings }: Places, before: EnrolmentStanding): void {
  if (before.kind === "absent" && existsSync(settings)) removeEmpty(settings, root);
}

function done(change: Done["change"], on: string, told: string): Done {
  return { what: "fragment", change, on, told };
}

function foreign(path: string, why: string): Fault {
  const later = path.replace("/10-cluster.yaml", "/20-local.yaml");
  return new Fault("file-failed", {
    message: `${path} is not overwritten: ${why}`,
    hint: `keep what you need of it under a later name, which wins, and enroll again: \`sudo mv -n ${path} ${later}\``,
  });
}
