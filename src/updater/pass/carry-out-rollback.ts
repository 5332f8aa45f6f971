import { asFault, faultData } from "../../rules/fault/explain.ts";
import type { NoRollback } from "../record/state.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { watchOn, type Changing } from "./change.ts";
import { atHand } from "./keep-packages.ts";
import { faultToJudge } from "./left-in-hand.ts";
import { verify } from "./verify.ts";

/** Whether the version before is installed again and runs; if not, why. */
export type WentBack =
  | { readonly kind: "back"; readonly to: PackageVersion; readonly activation: string }
  | Exclude<NoRollback, NotTried>;
type NotTried = Extract<NoRollback, { kind: "not-tried" }>;

/** Rolls back once, from the kept package, and verifies the result. Needs no network. */
export async function goBack(changing: Changing): Promise<WentBack | NotTried> {
  const { from } = changing.journal.inHand();
  if (from !== undefined && atHand(from, changing) !== undefined) return restore(from, changing);
  return { kind: "not-tried", why: `the package of ${changing.settings.agent.package} ${from} is not at hand` };
}

/** Rolls back from the first step. The package must have been kept. */
export async function restore(to: PackageVersion, changing: Changing): Promise<WentBack> {
  const { journal, ports, settings } = changing;
  ports.log("warning", `rolling back to ${settings.agent.package} ${to}`, {});
  try {
    const since = ports.readClock().now;
    await journal.finish("back-install", () => installBack(to, changing));
    return await finishBack(to, since, changing);
  } catch (thrown) {
    return { kind: "failed", step: journal.inHand().step, fault: faultData(await faultToJudge(thrown, changing)) };
  }
}

/** Tries again an installation that a signal killed: memory may be free again, and a mistaken kill may not be repeated. */
const mostTries = 2;

async function installBack(to: PackageVersion, { journal, ports }: Changing): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    // The transaction may still run, because it took too long for us or its call was ended.
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

/** The steps of a rollback after the earlier version is installed. */
export async function finishBack(to: PackageVersion, since: UnixSeconds, changing: Changing): Promise<WentBack> {
  const { journal } = changing;
  try {
    const watch = await watchOn(since, changing);
    await journal.finish("back-verify", () => verify(to, "from", changing));
    const activation = await journal.finish("back-activate", watch.activate);
    await journal.finish("back-health", watch.proveHealth);
    return { kind: "back", to, activation };
  } catch (thrown) {
    return { kind: "failed", step: journal.inHand().step, fault: faultData(await faultToJudge(thrown, changing)) };
  }
}
