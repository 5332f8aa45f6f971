import { asFault, faultData } from "../../rules/fault/explain.ts";
import type { NoRollback } from "../record/state.ts";
import type { PackageVersion } from "../../rules/version/wrapped.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { watchOn, type Changing } from "./change.ts";
import { atHand } from "./keep-packages.ts";
import { faultToJudge } from "./left-in-hand.ts";
import { verify } from "./verify.ts";

/** The version before is installed again and runs; or why not. */
export type WentBack =
  | { readonly kind: "back"; readonly to: PackageVersion; readonly activation: string }
  | Exclude<NoRollback, NotTried>;
type NotTried = Extract<NoRollback, { kind: "not-tried" }>;

/** Goes back once, from the kept package, and verifies the result. It works without the network. */
export async function goBack(changing: Changing): Promise<WentBack | NotTried> {
  const { from } = changing.journal.inHand();
  if (from !== undefined && atHand(from, changing) !== undefined) return restore(from, changing);
  return { kind: "not-tried", why: `the package of ${changing.settings.agent.package} ${from} is not at hand` };
}

/** Goes back from the first step; the package must be kept. */
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

/** An installation killed by a signal is tried once more: memory may be free again, and a mistaken kill need not be repeated. */
const mostTries = 2;

async function installBack(to: PackageVersion, { journal, ports }: Changing): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    // A transaction that took too long for us, or whose call was ended, still runs.
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

/** The steps after the version before is installed again. */
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
