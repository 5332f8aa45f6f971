/**
 * Has a package manager's port do one thing inside a booted host, where its tests need it. What it is told is one base64 word;
 * prints what came of it as one line of JSON.
 */
import { mkdirSync } from "node:fs";
import { stopwatch } from "../../src/machine/clocks/stopwatch.ts";
import { asFault, faultData } from "../../src/rules/fault/explain.ts";
import type { FaultData } from "../../src/rules/fault/fault.ts";
import { runCommand } from "../../src/machine/processes/run-command.ts";
import type { BothSets, Change, FileSet, PackageManager, WantedFile } from "../../src/updater/package/manager/manager.ts";
import { yumManager } from "../../src/updater/package/yum/yum-manager.ts";
import { zypperManager } from "../../src/updater/package/zypper/zypper-manager.ts";
import type { PackageName } from "../../src/rules/settings/settings.ts";
import { transactInUnit } from "../../src/updater/unit/transaction.ts";

export type Wish = { readonly id: string; readonly manager: "yum" | "zypper" } & (
  | { readonly does: "inspectAll" | "mend"; readonly names: readonly PackageName[] }
  | { readonly does: "fetch"; readonly wanted: WantedFile; readonly directory: string }
  | { readonly does: "simulate" | "install"; readonly change: Change }
  | { readonly does: "installFiles"; readonly change: Change; readonly files: FileSet }
  | { readonly does: "objectionToBack"; readonly sets: BothSets }
);

export type Came = { readonly id: string; readonly answer?: unknown; readonly fault?: FaultData };

const transact = transactInUnit({ run: runCommand, stopwatch, directory: "/run/svc-upgrade" });
const effects = { run: runCommand, transact, root: "/", proxies: {} };
const managers = { yum: yumManager, zypper: zypperManager };

async function fulfil(wish: Wish): Promise<unknown> {
  const manager: PackageManager = managers[wish.manager](effects);
  switch (wish.does) {
    case "inspectAll":
    case "mend":
      return manager[wish.does](wish.names);
    case "fetch":
      mkdirSync(wish.directory, { recursive: true });
      return manager.fetch(wish.wanted, wish.directory);
    case "simulate":
      return manager.simulate(wish.change);
    case "install":
      return install(manager, wish.change);
    case "installFiles":
      return manager.installFiles(wish.change, wish.files);
    case "objectionToBack":
      return manager.objectionToBack(wish.sets);
  }
}

async function install(manager: PackageManager, change: Change): Promise<void> {
  const planned = await manager.simulate(change);
  await manager.bring(change, planned);
  await manager.install(change, planned);
}

// A stop lets the step in hand come to its end, as a pass does.
process.on("SIGTERM", () => undefined);

const wish = JSON.parse(Buffer.from(process.argv[2] ?? "", "base64").toString()) as Wish;
const came: Came = await fulfil(wish).then(
  (answer) => ({ id: wish.id, answer }),
  (thrown: unknown) => ({ id: wish.id, fault: faultData(asFault(thrown)) }),
);
console.log(JSON.stringify(came));
