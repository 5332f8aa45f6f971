import { asFault } from "../../../rules/fault/explain.ts";
import type { AnyFaultCode } from "../../../rules/fault/fault.ts";
import type { BothSets, FileSet } from "../manager/manager.ts";
import type { Ended } from "../call/result.ts";
import type { RpmCalls } from "./calls.ts";
import { withDatabaseCopy } from "./database-copy.ts";
import { refusalIn } from "./failure.ts";
import { removedBy } from "./refuse-removals.ts";

type Calls = RpmCalls & { readonly root: string };

/**
 * Options for a simulation. Ignores the free space, which is checked when it is needed. Uses no plugins, because nobody else should hear of a
 * simulation.
 */
const rehearsing: readonly string[] = ["-U", "--oldpackage", "--replacepkgs", "--ignoresize", "--noplugins"];
/** Options to note packages as installed in the copy. The manager planned them, so their dependencies and scripts need no check. */
const asIfInstalled: readonly string[] = ["--justdb", "--nodeps", "--noscripts", "--notriggers", "--replacefiles"];

/** After these faults nothing is known about the rollback. The next pass asks again. */
const passing: ReadonlySet<AnyFaultCode> = new Set(["manager-busy", "busy", "interrupted", "stopping", "bug"]);

/** The statuses of `timeout` for a call that took too long. */
const tookTooLong: readonly number[] = [124, 137];

/** Asks rpm why a rollback would fail, on a copy of its database after the move. */
export async function objectionToBack(calls: Calls, { after, before }: BothSets): Promise<string | undefined> {
  try {
    return await withDatabaseCopy(calls, async (database) => {
      const [{ name, version }] = before;
      const what = `rpm --test the rollback to ${name} ${version}`;
      const forth = await calls.rehearse(database, [...rehearsing, ...asIfInstalled, ...pathsOf(after)], what);
      if (forth.status !== 0) return notAsked(tellRefusal(forth));
      const removed = await removedBy((args) => calls.ask(["--dbpath", database, ...args]), before);
      if (removed.length > 0) return `it would remove ${removed.join(", ")}`;
      const back = await calls.rehearse(database, [...rehearsing, "--test", ...pathsOf(before)], what);
      if (tookTooLong.includes(back.status)) return notAsked(tellRefusal(back));
      return back.status === 0 ? undefined : `rpm would refuse it: ${tellRefusal(back)}`;
    });
  } catch (thrown) {
    const fault = asFault(thrown);
    if (passing.has(fault.code)) throw fault;
    return notAsked(fault.message);
  }
}

function pathsOf(files: FileSet): readonly string[] {
  return files.map(({ path }) => path);
}

function tellRefusal({ status, output }: Ended): string {
  return tookTooLong.includes(status) ? "it took too long" : refusalIn(output);
}

function notAsked(why: string): string {
  return `rpm could not be asked whether it would refuse it: ${why}`;
}
