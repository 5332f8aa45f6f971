import { encode } from "../../../rules/shape/write.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import { alternatingIn } from "../../../rules/channel/alternating.ts";
import { rejectedIn, versionTyped } from "../../../rules/decide/version-to-retry.ts";
import { readClock } from "../../../machine/clocks/read-clock.ts";
import { loadState, withLocks } from "../../pass/pass-under-locks.ts";
import type { RejectedPackage } from "../../plan/host-facts.ts";
import { isHopeless } from "../../plan/target.ts";
import { forgetFailures, forgetRejection } from "../../record/remember.ts";
import type { State } from "../../record/state.ts";
import { readLedger, writeLedger } from "../../store/ledger-file.ts";
import { writeState } from "../../store/state-file.ts";
import type { Version } from "../../../rules/version/version.ts";
import type { UnixSeconds } from "../../../rules/window/window.ts";
import { changeable } from "../changeable.ts";
import type { CommandContext } from "../context.ts";
import type { SharedOptions } from "../options.ts";
import { retryAnswer } from "../json/orders.ts";
import { asTyped } from "../screen/status/with-root.ts";

/** Clears everything that earlier failures delay, or one rejected version. Starts nothing: the next pass decides again. */
export async function retry(
  options: SharedOptions,
  { arguments: [typed] }: Given,
  { surroundings, log }: CommandContext,
): Promise<number> {
  const paths = changeable("retry", options, { surroundings });
  const version = typed === undefined ? undefined : versionTyped(typed, program);
  const { cleared, left } = await withLocks({ paths, locks: [paths.lock, paths.changeLock], doing: "retry" }, async () => {
    // Also puts an unreadable state aside: it needs a person, and a person has typed this.
    const { now } = readClock();
    const before = loadState(paths, now, log);
    const after =
      version === undefined ? forgetFailures(before) : forgetRejection(before, rejectedIn(versions(before), version, program));
    writeState(paths, after);
    const ledger = readLedger(paths);
    // Forgets the count: the administrator wants the half-finished change tried again.
    writeLedger(paths, version === undefined ? { ...ledger, ungated: undefined } : ledger);
    const stays = heldBack(after, now);
    return { cleared: heldBack(before, now).filter((held) => !stays.includes(held)), left: stays };
  });
  const told = [
    cleared.length === 0 ? "nothing was held back" : `cleared: ${cleared.join("; ")}`,
    ...(left.length === 0 ? [] : [`left as it is: ${left.join("; ")}`]),
    asTyped("the next pass decides again; for one at once: svc-upgrade run --now", options.root),
  ];
  surroundings.out(options.json ? `${JSON.stringify(encode(retryAnswer, cleared))}\n` : `${told.join("; ")}\n`);
  return 0;
}

const program = "svc-upgrade";

function versions({ rejected }: State): readonly Version[] {
  return rejected.map(({ served }) => served);
}

/** What delays the agent, in words. */
function heldBack({ needsOperator, repair, rejected, backoff, heard }: State, now: UnixSeconds): readonly string[] {
  const alternating = alternatingIn(heard, now);
  return [
    ...(needsOperator === undefined ? [] : [needsOperator.why]),
    ...(repair === undefined || !isHopeless(repair, repair.to)
      ? []
      : [`${repair.attempts} repairs of ${repair.to} that did not help`]),
    ...rejected.map(rejection),
    ...(backoff === undefined ? [] : [`waiting after: ${backoff.cause.message}`]),
    ...(alternating === undefined ? [] : [`served in turn: ${alternating.versions.join(" and ")}`]),
  ];
}

function rejection({ packageVersion, why }: RejectedPackage): string {
  return `${packageVersion} was rejected: ${why}`;
}
