import type { LockHolder } from "../../../machine/processes/lock-holder.ts";
import { ended, type Ended } from "../call/result.ts";
import type { Transact } from "../call/transact.ts";
import { rpmEnvironment } from "./environment.ts";
import { askRows, queryRpm, readTimeoutMs, rpmRoot, type InstalledRow, type RpmDatabase } from "./installed.ts";
import { rpmLockHolder } from "./lock.ts";
import { usualPatience, type Patience } from "../call/patience.ts";

type Arguments = readonly string[];

/** Calls of rpm itself and not of its manager, which need neither repositories nor a network. */
export type RpmCalls = {
  /** Asks, as any user. */
  readonly ask: (args: Arguments) => Promise<Ended>;
  /** Checks every byte of a package file, but not its signature. */
  readonly judge: (file: string) => Promise<"whole" | "spoilt">;
  readonly act: (args: Arguments, what: string) => Promise<Ended>;
  /** Asks a copy of the database below rpm's root. Has a time limit, because nobody has to wait for this answer. */
  readonly rehearse: (database: string, args: Arguments, what: string) => Promise<Ended>;
  /** Every installed instance of the package, the last written one at the end. */
  readonly rows: (name: string) => Promise<readonly InstalledRow[]>;
  readonly lockHolder: () => LockHolder | undefined;
  readonly patience: Patience;
};

/** A time limit: rpm reads each file of a large set, which takes long on a slow disk. A call that does not end then is killed ten seconds later. */
const bounded = ["timeout", "--kill-after=10", "300"] as const;

export function rpmCalls({ run, root, transact }: RpmDatabase & { readonly transact: Transact }): RpmCalls {
  const argv = (args: Arguments): readonly [string, ...string[]] => ["rpm", ...rpmRoot(root), ...args];
  return {
    ask: (args) => queryRpm({ run, root }, args, readTimeoutMs),
    judge: async (file) => {
      // Uses rpmkeys, the program behind `rpm -K`, which also tries to drop rights that a sandbox does not let it drop.
      const judging = ["rpmkeys", ...rpmRoot(root), "--checksig", "--nosignature", file] as const;
      const { status } = ended(await run({ argv: judging, env: rpmEnvironment, timeoutMs: readTimeoutMs }), "rpmkeys");
      return status === 0 ? "whole" : "spoilt";
    },
    act: async (args, what) => ended(await transact({ argv: argv(args), env: rpmEnvironment, what }), "rpm"),
    rehearse: async (database, args, what) => {
      const rehearsing = [...bounded, ...argv(["--dbpath", database, ...args])] as const;
      return ended(await transact({ argv: rehearsing, env: rpmEnvironment, what }), "rpm");
    },
    rows: async (name) => (await askRows({ run, root }, [name]))[0] ?? [],
    lockHolder: () => rpmLockHolder(root),
    patience: usualPatience,
  };
}
