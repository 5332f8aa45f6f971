import { asFault } from "../../../rules/fault/explain.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import { actWhenFree } from "./act-when-free.ts";
import type { RpmCalls } from "./calls.ts";
import { rpmFault } from "./failure.ts";

/**
 * Rebuilds the indexes of the database if it cannot answer the simplest question. Leaves two versions after a cut-off transaction: rpm records a
 * version before it runs the script that ends its installation, and only another installation runs that script. With one version removed, nobody
 * would see that the script never ran.
 */
export async function mend(calls: RpmCalls, names: readonly PackageName[]): Promise<void> {
  try {
    return await askAll(calls, names);
  } catch (thrown) {
    if (asFault(thrown).code !== "database-broken") throw thrown;
  }
  const { status, output } = await actWhenFree(calls, ["--rebuilddb"], "--rebuilddb");
  if (status !== 0) throw notRebuilt(output);
  await askAll(calls, names);
}

async function askAll({ rows }: RpmCalls, names: readonly PackageName[]): Promise<void> {
  for (const name of names) await rows(name);
}

function notRebuilt(output: string): Fault {
  return new Fault("database-broken", {
    message: `rpm cannot read its database, nor rebuild its indexes: ${quote(output, 200)}`,
    hint: "bring back a copy of /var/lib/rpm; see `sudo rpm --rebuilddb`",
    cause: rpmFault(output, "--rebuilddb"),
  });
}
