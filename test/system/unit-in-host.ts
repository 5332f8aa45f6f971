/**
 * Runs the unit room inside a booted host, where its tests need it: `transact ARGV…`, `transact-within MS ARGV…`,
 * `activate UNIT HOW ARGV…` or `change SETTINGS ARGV…`, where the argument vector is what happens in the transaction; `await` one that is under way; or
 * `apt NAME VERSION`, with the real apt in it. Prints the outcome as one line of JSON.
 */
import { unitActs } from "../../src/updater/act/unit-watch.ts";
import { watchThrough } from "../../src/updater/act/watch-through.ts";
import { asFault, faultData } from "../../src/rules/fault/explain.ts";
import type { FaultData } from "../../src/rules/fault/fault.ts";
import { readClock } from "../../src/machine/clocks/read-clock.ts";
import { runCommand } from "../../src/machine/processes/run-command.ts";
import { aptManager } from "../../src/updater/package/apt/apt-manager.ts";
import type { Change } from "../../src/updater/package/manager/manager.ts";
import type { ChangeBegun } from "../../src/updater/pass/ports.ts";
import type { Activation, PackageName, Settings, UnitName } from "../../src/rules/settings/settings.ts";
import { activate } from "../../src/updater/unit/activate.ts";
import { awaitTransaction } from "../../src/updater/unit/await-transaction.ts";
import { conditionOf } from "../../src/updater/unit/condition.ts";
import { stopwatch } from "../../src/machine/clocks/stopwatch.ts";
import { thisMoment } from "../../src/updater/unit/moment.ts";
import { runningFile } from "../../src/updater/unit/running-file.ts";
import { unitControl } from "../../src/updater/unit/systemctl.ts";
import { transactInUnit, type TransactionCall } from "../../src/updater/unit/transaction.ts";
import type { PackageVersion } from "../../src/rules/version/wrapped.ts";

/** What of the settings a change takes; with `begun`, one that another pass began. */
export type Watched = Pick<Settings, "agent" | "health"> & { readonly begun?: ChangeBegun };

const transactions = { run: runCommand, stopwatch, directory: "/run/svc-upgrade" };
const transact = transactInUnit(transactions);
const [verb = "", ...rest] = process.argv.slice(2);

// A stop lets the step in hand come to its end, as a pass does.
process.on("SIGTERM", () => undefined);

async function transaction([program = "", ...more]: readonly string[]): Promise<unknown> {
  return transact(calling(program, more));
}

async function transactionWithin([timeoutMs = "", program = "", ...more]: readonly string[]): Promise<unknown> {
  return transactInUnit(transactions, Number(timeoutMs))(calling(program, more));
}

function calling(program: string, more: readonly string[]): TransactionCall {
  const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C.UTF-8", SECRET: 'a"b$1\\d' };
  return { argv: [program, ...more], env, what: "a test" };
}

async function activation([unit = "", how = "", ...argv]: readonly string[]): Promise<unknown> {
  const control = unitControl(runCommand);
  const wanted = {
    unit: unit as UnitName,
    how: how as Activation,
    before: conditionOf(await control.show(unit as UnitName), readClock().bootId, undefined),
    since: thisMoment(),
    begunBy: "this pass" as const,
  };
  const transacted = await transaction(argv);
  const running = (pid: number, sinceMs: number): ReturnType<typeof runningFile> => runningFile(runCommand, pid, sinceMs);
  return { transacted, activated: await activate({ control, runningFile: running }, wanted) };
}

/** What a change of the agent's package came to, as the unit's watch tells it. */
export type Changed = {
  readonly before: string;
  readonly activated: string | undefined;
  readonly fault: FaultData | undefined;
  readonly evidence: readonly string[];
  readonly log: readonly string[];
};

async function changeAgent([settings = "", ...argv]: readonly string[]): Promise<Changed> {
  const { begun, ...toWatch } = JSON.parse(Buffer.from(settings, "base64").toString()) as Watched;
  const log: string[] = [];
  const acts = unitActs({
    settings: toWatch,
    log: (level, sentence, fields) => void log.push(`${level}: ${sentence} ${fields?.["why"] ?? ""}`),
  });
  const watch = await watchThrough(acts, undefined, begun);
  let activated: string | undefined;
  let fault: FaultData | undefined;
  if (argv.length > 0) await transaction(argv);
  try {
    activated = await watch.activate();
    await watch.proveHealth();
  } catch (thrown) {
    fault = faultData(asFault(thrown));
  }
  return { before: watch.before, activated, fault, evidence: await watch.lastLines(), log };
}

async function awaitIt(): Promise<unknown> {
  const told: string[] = [];
  const log = (level: string, sentence: string): void => void told.push(`${level}: ${sentence}`);
  await awaitTransaction({ run: runCommand, stopwatch, log, stopping: new AbortController().signal }, "until-stopped");
  return { told };
}

async function upgrade([name = "", to = ""]: readonly string[]): Promise<unknown> {
  const apt = aptManager({ run: runCommand, transact, root: "/", proxies: {} });
  const change: Change = { name: name as PackageName, to: to as PackageVersion, direction: "up", hold: "none", beside: [] };
  await apt.refresh(change.name);
  const offers = await apt.offers(change.name);
  const planned = await apt.simulate(change);
  await apt.bring(change, planned);
  await apt.install(change, planned);
  return { offers, installed: await apt.inspect(change.name) };
}

const verbs: Readonly<Record<string, (words: readonly string[]) => Promise<unknown>>> = {
  transact: transaction,
  "transact-within": transactionWithin,
  activate: activation,
  change: changeAgent,
  await: awaitIt,
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
