import type { LockHolder } from "../../../machine/processes/lock-holder.ts";
import { ended, type Ended } from "../call/result.ts";
import type { Transact } from "../call/transact.ts";
import { rpmEnvironment } from "./environment.ts";
import { askRows, queryRpm, readTimeoutMs, rpmRoot, type InstalledRow, type RpmDatabase } from "./installed.ts";
import { rpmLockHolder } from "./lock.ts";
import { usualPatience, type Patience } from "../call/patience.ts";

type Arguments = readonly string[];

/** rpm itself, below whichever manager: it needs neither repositories nor a network. */
export type RpmCalls = {
  /** A question, as anybody. */
  readonly ask: (args: Arguments) => Promise<Ended>;
  /** Of every byte of a package file, whoever signed it. */
  readonly judge: (file: string) => Promise<"whole" | "spoilt">;
  readonly act: (args: Arguments, what: string) => Promise<Ended>;
  /** The same on a copy of the database, below rpm's root, and only for so long: it is a question, and nobody waits for its end. */
  readonly rehearse: (database: string, args: Arguments, what: string) => Promise<Ended>;
  /** Every instance of the package in the database, the one that was written last at the end. */
  readonly rows: (name: string) => Promise<readonly InstalledRow[]>;
  readonly lockHolder: () => LockHolder | undefined;
  readonly patience: Patience;
};

/** Each file of a large set is looked at on a slow disk. Whoever does not end when told to gets ten seconds more. */
const bounded = ["timeout", "--kill-after=10", "300"] as const;

export function rpmCalls({ run, root, transact }: RpmDatabase & { readonly transact: Transact }): RpmCalls {
  const argv = (args: Arguments): readonly [string, ...string[]] => ["rpm", ...rpmRoot(root), ...args];
  return {
    ask: (args) => queryRpm({ run, root }, args, readTimeoutMs),
    judge: async (file) => {
      // `rpm -K` is another name of it, under which it gives up rights that a sandbox does not let it give up.
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
