import { Fault } from "../../../rules/fault/fault.ts";
import type { PackageName } from "../../../rules/settings/settings.ts";
import { againWhenEnded } from "../call/again-when-ended.ts";
import type { AptCalls } from "./calls.ts";
import { aptFault } from "./failure.ts";
import { holdArgv } from "./offline-argv.ts";

/**
 * Restores a hold. Repeats the call if it was killed, because no other program restores the hold. `failure` is what went wrong while the hold was
 * lifted.
 */
export async function putHoldBack(
  { actOffline }: Pick<AptCalls, "actOffline">,
  name: PackageName,
  failure: Fault | undefined,
): Promise<void> {
  const { status, output } = await againWhenEnded(() => actOffline(holdArgv(name), `hold ${name}`));
  if (status === 0) return;
  throw new Fault("install-failed", {
    message: `the hold on ${name} was lifted and could not be put back`,
    hint: `put it back with \`apt-mark hold ${name}\``,
    cause: failure ?? aptFault(output, `hold ${name}`),
  });
}
