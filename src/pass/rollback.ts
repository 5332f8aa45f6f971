import { asFault, faultData } from "../fault/explain.ts";
import type { NoRollback } from "../record/state.ts";
import type { PackageVersion } from "../version/wrapped.ts";
import type { Changing } from "./change.ts";
import { atHand } from "./keep.ts";
import { faultToJudge } from "./leave.ts";
import type { ChangeBegun } from "./ports.ts";
import { verify } from "./verify.ts";

/** The version before is there again, and runs; or why not. */
export type WentBack = { readonly kind: "back"; readonly to: PackageVersion; readonly activation: string } | NoRollback;

/** Once, from the kept package alone, and verified like the way forth: it must work while the network is down. */
export async function goBack(changing: Changing): Promise<WentBack> {
  const { journal, ports, settings } = changing;
  const { from } = journal.inHand();
  const name = settings.agent.package;
  if (from === undefined) return { kind: "not-tried", why: `${name} was not installed before` };
  if (atHand(from, changing) === undefined) {
    return { kind: "not-tried", why: `the package of ${name} ${from} is not at hand` };
  }
  ports.log("warning", `rolling back to ${name} ${from}`, {});
  return restore(from, changing);
}

/** The rollback from its first step. */
async function restore(to: PackageVersion, changing: Changing): Promise<WentBack> {
  const { journal, ports } = changing;
  try {
    const before = journal.inHand().agentBefore ?? "unknown";
    const since = ports.readClock().now;
    await journal.finish("back-install", () => installBack(to, changing));
    return await finishBack(to, { before, since }, changing);
  } catch (thrown) {
    return { kind: "failed", step: journal.inHand().step, fault: faultData(await faultToJudge(thrown, changing)) };
  }
}

/** One that was ended by a signal is tried once more: whoever runs out of memory, or kills by mistake, need not do it twice. */
const mostTries = 2;

async function installBack(to: PackageVersion, { journal, ports }: Changing): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    // One that took too long for us, or whose call was ended, is still at it.
    await ports.acting.awaitTransaction("to-its-end");
    try {
      return await ports.acting.install({ to, from: "kept", why: journal.inHand().why });
    } catch (thrown) {
      const { code, message } = asFault(thrown);
      if (code !== "interrupted" || tries === mostTries) throw thrown;
      ports.log("warning", `${message}; trying once more`, {});
    }
  }
}

/** What is left to do once the package of the version before is in place. */
export async function finishBack(to: PackageVersion, begun: ChangeBegun, changing: Changing): Promise<WentBack> {
  const { journal, ports } = changing;
  try {
    const watch = await ports.acting.watchUnit(begun);
    await journal.finish("back-verify", () => verify(to, "from", changing));
    const activation = await journal.finish("back-activate", watch.activate);
    await journal.finish("back-health", watch.proveHealth);
    return { kind: "back", to, activation };
  } catch (thrown) {
    return { kind: "failed", step: journal.inHand().step, fault: faultData(await faultToJudge(thrown, changing)) };
  }
}
