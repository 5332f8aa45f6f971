import { Fault } from "../../../rules/fault/fault.ts";
import type { Change, FileOnHost, FileSet } from "../manager/manager.ts";
import type { RpmCalls } from "./calls.ts";
import { packageVersionOf } from "./version.ts";

/** The locks of a manager: which files they forbid, what they are called, and the command that shows them. */
export type Locks = { readonly keeps: (file: FileOnHost) => boolean; readonly named: string; readonly shownBy: string };

/** Refuses files that a lock forbids, because rpm knows no locks. A held companion that is installed in that version may stay. */
export async function refusePastLocks(rpm: Pick<RpmCalls, "rows">, { change, files }: Wanted, locks: Locks): Promise<void> {
  for (const file of files.filter(locks.keeps)) {
    const { name, version } = file;
    if (name !== change.name && (await rpm.rows(name)).some((row) => packageVersionOf(row) === version)) continue;
    throw new Fault("plan-refused", {
      message: `installing ${change.name} ${change.to} from its file would go past the ${locks.named} of ${name}`,
      hint: `see it with \`${locks.shownBy}\``,
    });
  }
}

type Wanted = { readonly change: Change; readonly files: FileSet };
