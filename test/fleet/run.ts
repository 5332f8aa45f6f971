/*
 * The fleet simulation: what many hosts ask of the version server and of the package mirror, and how many instances that takes.
 *     npm run fleet -- [--part curves|drive|both] [--hosts N] [--driven N] [--speed N] [--seed N]
 *                      [--package-mb N] [--packages 1|2] [--link-mbit N] [--plot FILE]
 * --hosts are drawn, --driven ones really ask a svc-proxy of their own, so many times as fast as --speed says. --packages is 2
 * where a host moves for the first time: it then fetches the package of its rollback as well.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { captionOf, legendOf, titleOf } from "./caption.ts";
import { drawCurves, peaks, printCurves, type Peak } from "./curves.ts";
import { instancesFormula, printInstances } from "./instances.ts";
import { readOptions } from "./options.ts";
import { drawFigure } from "./plot/figure.ts";
import { rounded, whole } from "./print.ts";
import { printRides, rideAll } from "./rides.ts";
import { parseTimerUnit } from "./timer/unit-file.ts";

const options = readOptions(process.argv.slice(2), resolve(import.meta.dirname, "fleet.svg"));
const { part, hosts, driven, speed, seed, download } = options;
const timer = parseTimerUnit(readFileSync(resolve(import.meta.dirname, "../../systemd/svc-upgrade.timer"), "utf8"));
console.log(
  `svc-upgrade.timer: a random delay of ${timer.randomDelaySeconds} s, an accuracy of ${timer.accuracySeconds} s; seed ${seed}`,
);

const drawn: readonly Peak[] = part === "drive" ? [] : curves();
if (part !== "curves") {
  console.log(`\n${whole(driven)} hosts ask a svc-proxy of their own as a window opens, ${speed} times as fast as they would:\n`);
  const rides = await rideAll({ timer, hosts: driven, seed }, speed);
  console.log(printRides(rides));
  const errors = rides.flatMap(({ name, measured }) => measured.errors.map((error) => `${name}: ${error}`));
  if (errors.length > 0) console.log(`\nthe first errors:\n${errors.slice(0, 3).join("\n")}`);
  if (drawn.length > 0) {
    console.log(
      `\nInstances of one core each for ${whole(hosts)} hosts:\n${instancesFormula}.\n\n${printInstances(drawn, rides)}`,
    );
  }
  console.log(
    "\nServer and driver share this machine; the CPU time is the server's alone. Where the driver was late, what it reached is its own measure and not the server's.",
  );
  process.exitCode = errors.length === 0 ? 0 : 1;
}

function curves(): readonly Peak[] {
  const panels = drawCurves({ timer, hosts, seed }, download);
  const { packageBytes, packages, hostBitsPerSecond } = download;
  console.log(
    `\n${whole(hosts)} hosts; a move fetches ${packages} × ${rounded(packageBytes / 1e6)} MB at ${rounded(hostBitsPerSecond / 1e6)} Mbit/s:\n`,
  );
  console.log(printCurves(panels));
  const figure = drawFigure({ panels, title: titleOf(options), legend: legendOf(timer), caption: captionOf(options) });
  writeFileSync(options.plot, figure);
  console.log(`\nthe plot: ${options.plot}`);
  return peaks(panels);
}
