import { isInForce } from "../../../../rules/decide/backoff.ts";
import type { RejectedPackage } from "../../../plan/host-facts.ts";
import type { AlongSeen } from "../../../status/observed.ts";
import type { StatusView } from "../../../status/view.ts";
import type { PackageVersion } from "../../../../rules/version/wrapped.ts";
import { tellStep } from "../../../sentences/step.ts";
import { tellMoment, tellMoments } from "../../times/moment.ts";
import { caution, row, type Reader, type Row } from "./row.ts";
import { isToldAbove } from "./already-told.ts";
import { asTyped } from "./with-root.ts";

/** The rows about what failed on this host, and about a rollback. */
export function memoryRows(view: StatusView, reader: Reader): readonly Row[] {
  const { memory, standing } = view;
  const { rejected, backoff, needsOperator, previous, step } = memory;
  const rows: Row[] = [];
  if (needsOperator !== undefined && !isToldAbove(view, "needs-operator")) {
    const lift = asTyped("svc-upgrade retry", reader.root);
    const told = `${tellMoments(needsOperator.why, reader)}, ${tellMoment(needsOperator.at, reader)}; lifted by: ${lift}`;
    rows.push(caution("operator", told));
  }
  rows.push(
    ...rejected.filter((rejection) => !isTheOneAbove(rejection, view)).map((rejection) => rejectedRow(rejection, reader)),
  );
  if (backoff !== undefined && isInForce(backoff, reader.now) && !isToldAbove(view, "backing-off")) {
    const { served, until, failures, cause } = backoff;
    const after = failures === 1 ? "a failure" : `${failures} failures`;
    rows.push(
      row("wait", `with ${served} until ${tellMoment(until, reader)}, after ${after}: ${tellMoments(cause.message, reader)}`),
    );
  }
  if (step !== undefined && standing.kind !== "running") {
    const told = `${tellStep(step)}, ${tellMoment(step.startedAt, reader)}; the next pass finishes it first`;
    rows.push(caution("unfinished", told));
  }
  if (previous !== undefined) {
    const { version, packageVersion, leftAt } = previous;
    const back = asTyped("svc-upgrade rollback", reader.root);
    const told = `${version}${inPackage(version, packageVersion)}, left ${tellMoment(leftAt, reader)}`;
    rows.push(row("previous", `${told}; ${tellBack(packageVersion, view, back)}`));
  }
  const ways = rollbacks(view);
  if (ways.length > 0) rows.push(row("rollback", ...ways));
  return rows;
}

/** Offers a rollback only to a package that is kept here. */
function tellBack(to: PackageVersion, { seen: { along }, memory: { kept } }: StatusView, typed: string): string {
  const objection = along.find(({ packageVersion }) => packageVersion === to)?.objection;
  if (objection !== undefined) return `no rollback to it: ${objection}`;
  const isKept = kept.some(({ packageVersion }) => packageVersion === to);
  return isKept ? `back to it: ${typed}` : "its package is not kept";
}

/** The packages that are kept for a rollback from the installed version, and from the next one. */
function rollbacks({ seen: { installed, along }, memory: { kept, previous } }: StatusView): readonly string[] {
  const beside = (version: PackageVersion | undefined): AlongSeen | undefined =>
    along.find(({ packageVersion }) => packageVersion === version);
  const isKept = (wanted: PackageVersion | undefined): boolean => kept.some(({ packageVersion }) => packageVersion === wanted);
  const tellAlong = (version: PackageVersion | undefined): string => {
    const others = beside(version)?.names.length ?? 0;
    return others === 0 ? "" : `, with ${others} that ${others === 1 ? "moves" : "move"} along`;
  };
  // Only a plan shows which packages would move along with the next version.
  const tellNext = (version: PackageVersion | undefined): string =>
    beside(version) === undefined ? "" : `; svc-upgrade doctor says whether that is all it takes`;
  const here = installed?.packageVersion;
  const before = previous?.packageVersion;
  return [
    ...(isKept(before) && before !== here && beside(before)?.objection === undefined
      ? [`to ${before}, its package is kept${tellAlong(before)}`]
      : []),
    ...(isKept(here) ? [`${here} is kept for a rollback of the next move${tellAlong(here)}${tellNext(here)}`] : []),
  ];
}

/** The package's version; empty if it equals the agent's version. */
function inPackage(version: string, packageVersion: string): string {
  return packageVersion === version ? "" : ` (package ${packageVersion})`;
}

function rejectedRow({ served, packageVersion, at, why }: RejectedPackage, reader: Reader): Row {
  const lift = asTyped("svc-upgrade retry", reader.root);
  const told = `${served}${inPackage(served, packageVersion)}, ${tellMoment(at, reader)}: ${tellMoments(why, reader)}`;
  return row("rejected", `${told}; to try it again: ${lift} ${served}`);
}

function isTheOneAbove({ served }: RejectedPackage, view: StatusView): boolean {
  return isToldAbove(view, "rejected") && served === view.memory.lastContact?.served;
}
