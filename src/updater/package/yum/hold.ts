import { Fault } from "../../../rules/fault/fault.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import { againWhenEnded } from "../call/again-when-ended.ts";
import type { RpmCalls } from "../rpm/calls.ts";
import { packageVersionOf } from "../rpm/version.ts";
import { addLockArgs, deleteLockArgs } from "./argv.ts";
import type { YumCalls } from "./calls.ts";
import { yumFault } from "./failure.ts";
import { holdsOf, lockEntry } from "./locks.ts";

export type HoldEffects = {
  readonly calls: Omit<YumCalls, "download" | "removeCaches">;
  readonly rpm: RpmCalls;
  /** The entries in the list of version locks. */
  readonly locks: () => readonly string[];
};

/** Locks the installed version before it removes the old lock, so that the package is always locked. */
export async function holdAt({ calls, rpm, locks }: HoldEffects, name: PackageName, failure: Fault | undefined): Promise<void> {
  const installed = (await rpm.rows(name)).map(packageVersionOf).at(-1);
  const before = holdsOf(locks(), name);
  if (installed === undefined || before.length === 0) return;
  const entry = lockEntry(name, installed);
  const calling = [
    ...(before.includes(entry) ? [] : [addLockArgs(entry)]),
    ...before.filter((old) => old !== entry).map(deleteLockArgs),
  ];
  for (const args of calling) {
    const { status, output } = await againWhenEnded(() => calls.act(args, `hold ${name}`));
    if (status === 0) continue;
    throw new Fault("install-failed", {
      message: `the version lock of ${name} could not be put on ${installed}`,
      hint: `put it there with \`${calls.program} versionlock add ${name}\``,
      cause: failure ?? yumFault(output, { program: calls.program, command: "versionlock" }),
    });
  }
}
