/**
 * Runs the unit room inside a booted host, where its tests need it: `transact ARGV…` or `activate UNIT HOW ARGV…`, where the
 * argument vector is what happens in the transaction, or `apt NAME VERSION`, with the real apt in it. Prints the outcome as one
 * line of JSON.
 */
import { asFault, faultData } from "../../src/fault/explain.ts";
import { runCommand } from "../../src/host/run-command.ts";
import { aptManager } from "../../src/package/apt.ts";
import type { Change } from "../../src/package/manager.ts";
import type { Activation, PackageName, UnitName } from "../../src/settings/settings.ts";
import { activate, thisMoment } from "../../src/unit/activate.ts";
import { runningFile } from "../../src/unit/running-file.ts";
import { unitControl } from "../../src/unit/systemctl.ts";
import { transactInUnit } from "../../src/unit/transaction.ts";
import type { PackageVersion } from "../../src/version/wrapped.ts";

const transact = transactInUnit(runCommand, "/run/svc-upgrade/transaction.env");
const [verb = "", ...rest] = process.argv.slice(2);

// A stop lets the step in hand come to its end, as a pass does.
process.on("SIGTERM", () => undefined);

async function transaction([program = "", ...more]: readonly string[]): Promise<unknown> {
  const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C.UTF-8", SECRET: 'a"b$1\\d' };
  return transact({ argv: [program, ...more], env, what: "a test" });
}

async function activation([unit = "", how = "", ...argv]: readonly string[]): Promise<unknown> {
  const control = unitControl(runCommand);
  const wanted = {
    unit: unit as UnitName,
    how: how as Activation,
    before: await control.show(unit as UnitName),
    since: thisMoment(),
  };
  const transacted = await transaction(argv);
  const running = (pid: number, sinceMs: number): ReturnType<typeof runningFile> => runningFile(runCommand, pid, sinceMs);
  return { transacted, activated: await activate({ control, runningFile: running }, wanted) };
}

async function upgrade([name = "", to = ""]: readonly string[]): Promise<unknown> {
  const apt = aptManager({ run: runCommand, transact, root: "/", proxies: {} });
  const change: Change = { name: name as PackageName, to: to as PackageVersion, direction: "up", hold: "none" };
  await apt.refresh(change.name);
  const offers = await apt.offers(change.name);
  await apt.simulate(change);
  await apt.install(change);
  return { offers, installed: await apt.inspect(change.name) };
}

const verbs: Readonly<Record<string, (words: readonly string[]) => Promise<unknown>>> = {
  transact: transaction,
  activate: activation,
  apt: upgrade,
};

async function main(): Promise<void> {
  try {
    console.log(JSON.stringify(await verbs[verb]?.(rest)));
  } catch (thrown) {
    console.log(JSON.stringify({ fault: faultData(asFault(thrown)) }));
  }
}

await main();
