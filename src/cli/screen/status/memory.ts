import { isInForce } from "../../../plan/backoff.ts";
import type { Rejection } from "../../../plan/facts.ts";
import type { StatusView } from "../../../status/view.ts";
import type { PackageVersion } from "../../../version/wrapped.ts";
import { tellStep } from "../../tell-move.ts";
import { tellMoment, tellMoments } from "../../times/moment.ts";
import { row, type Reader, type Row } from "./row.ts";
import { isToldAbove } from "./told-above.ts";
import { asTyped } from "./typed.ts";

/** What earlier passes left for later ones: what failed here, and the way back. */
export function memoryRows(view: StatusView, reader: Reader): readonly Row[] {
  const { memory, standing } = view;
  const { rejected, backoff, needsOperator, previous, step } = memory;
  const rows: Row[] = [];
  if (needsOperator !== undefined && !isToldAbove(view, "needs-operator")) {
    const lift = asTyped("svc-upgrade retry", reader.root);
    const told = `${tellMoments(needsOperator.why, reader)}, ${tellMoment(needsOperator.at, reader)}; lifted by: ${lift}`;
    rows.push({ ...row("operator", told), tone: "caution" });
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
    const told = `the step ${tellStep(step)}, ${tellMoment(step.startedAt, reader)}; the next pass first brings it to an end`;
    rows.push({ ...row("cut off", told), tone: "caution" });
  }
  if (previous !== undefined) {
    const { version, packageVersion, leftAt } = previous;
    const back = asTyped("svc-upgrade rollback", reader.root);
    rows.push(
      row("previous", `${version}${inPackage(version, packageVersion)}, left ${tellMoment(leftAt, reader)}; back to it: ${back}`),
    );
  }
  const ways = waysBack(view);
  if (ways.length > 0) rows.push(row("way back", ...ways));
  return rows;
}

/** Where a package is kept to go back to: from what is installed, and from what comes next. */
function waysBack({ seen: { installed }, memory: { kept, previous } }: StatusView): readonly string[] {
  const isKept = (wanted: PackageVersion | undefined): boolean => kept.some(({ packageVersion }) => packageVersion === wanted);
  const here = installed?.kind === "present" ? installed.packageVersion : undefined;
  const before = previous?.packageVersion;
  return [
    ...(isKept(before) && before !== here ? [`to ${before}, its package is kept`] : []),
    ...(isKept(here) ? [`after the next move: to ${here}, its package is kept`] : []),
  ];
}

/** Where the package says no more than the version, it is not said again. */
function inPackage(version: string, packageVersion: string): string {
  return packageVersion === version ? "" : ` (package ${packageVersion})`;
}

function rejectedRow({ served, packageVersion, at, why }: Rejection, reader: Reader): Row {
  const lift = asTyped("svc-upgrade retry", reader.root);
  const told = `${served}${inPackage(served, packageVersion)}, ${tellMoment(at, reader)}: ${tellMoments(why, reader)}`;
  return row("rejected", `${told}; to try it again: ${lift} ${served}`);
}

function isTheOneAbove({ served }: Rejection, view: StatusView): boolean {
  return isToldAbove(view, "rejected") && served === view.memory.lastContact?.served;
}
