import { Fault } from "../../fault/fault.ts";
import type { Change } from "../manager.ts";
import type { RpmCalls } from "../rpm/calls.ts";
import { installFile } from "../rpm/install-file.ts";
import { isHeld } from "./unheld.ts";

/** As zypper would with the locks: rpm itself knows none. One that is lifted was never taken away. */
export async function installFileUnderLocks(
  { rpm, root }: { readonly rpm: RpmCalls; readonly root: string },
  change: Change,
  file: string,
): Promise<void> {
  const { name, to, hold } = change;
  if (hold === "none" && isHeld(root, name)) {
    throw new Fault("plan-refused", {
      message: `installing ${name} ${to} from its file would go past the lock of ${name}`,
      hint: "see it with `zypper locks`",
    });
  }
  await installFile(rpm, change, file);
}
