import { alternatingIn } from "../../../rules/channel/alternating.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { readClock } from "../../../machine/clocks/read-clock.ts";
import { loadState, withLocks } from "../../pass/conduct.ts";
import type { RejectedPackage } from "../../plan/host-facts.ts";
import { isHopeless } from "../../plan/repairs.ts";
import { forgetFailures, forgetRejection } from "../../record/remember.ts";
import type { State } from "../../record/state.ts";
import { readLedger, writeLedger } from "../../store/ledger-file.ts";
import { writeState } from "../../store/state-file.ts";
import { parseVersion, type Version } from "../../../rules/version/version.ts";
import type { UnixSeconds } from "../../../rules/window/window.ts";
import { changeable } from "../changeable.ts";
import type { CommandContext } from "../context.ts";
import type { RetryOptions } from "../options.ts";
import { retryAnswer } from "../json/retry.ts";
import { asTyped } from "../screen/status/with-root.ts";

/** Clears what earlier failures hold back, or one rejected version. It starts nothing: the next pass decides again. */
export async function retry(options: RetryOptions, { surroundings, log }: CommandContext): Promise<number> {
  const paths = changeable("retry", options, { surroundings });
  const version = options.version === undefined ? undefined : versionIn(options.version);
  const { cleared, left } = await withLocks({ paths, locks: [paths.lock, paths.changeLock], doing: "retry" }, async () => {
    // An unreadable state is put aside here as well, and asks for a person; this is one.
    const { now } = readClock();
    const before = loadState(paths, now, log);
    const after = version === undefined ? forgetFailures(before) : forgetRejection(before, rejectedIn(before, version));
    writeState(paths, after);
    const ledger = readLedger(paths);
    // Whoever types this wants what is half-way tried again, as often as it takes.
    writeLedger(paths, version === undefined ? { ...ledger, ungated: undefined } : ledger);
    const stays = heldBack(after, now);
    return { cleared: heldBack(before, now).filter((held) => !stays.includes(held)), left: stays };
  });
  const told = [
    cleared.length === 0 ? "nothing was held back" : `cleared: ${cleared.join("; ")}`,
    ...(left.length === 0 ? [] : [`left as it is: ${left.join("; ")}`]),
    asTyped("the next pass decides again; for one at once: svc-upgrade run --now", options.root),
  ];
  surroundings.out(options.json ? `${JSON.stringify(retryAnswer.write(cleared))}\n` : `${told.join("; ")}\n`);
  return 0;
}

function versionIn(text: string): Version {
  const version = parseVersion(text);
  if (version !== undefined) return version;
  throw new Fault("usage", {
    message: `"${text}" is not a version`,
    hint: "write it whole, as `svc-upgrade status` shows it: `svc-upgrade retry 15.4.6`",
  });
}

/** A version that was never rejected is a slip of the pen: whoever typed it must not believe that the right one was cleared. */
function rejectedIn({ rejected }: State, version: Version): Version {
  const versions = [...new Set(rejected.map(({ served }) => served))];
  if (versions.includes(version)) return version;
  throw new Fault("usage", {
    message: `${version} is not rejected here; ${versions.length === 0 ? "no version is" : `rejected: ${versions.join(", ")}`}`,
    hint: versions.length === 0 ? "see what holds this host back: `svc-upgrade status`" : `\`svc-upgrade retry ${versions[0]}\``,
  });
}

/** What holds the agent back, in words. */
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
