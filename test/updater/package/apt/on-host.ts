import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { aptManager } from "../../../../src/updater/package/apt/apt-manager.ts";
import { transactDirectly } from "../../../../src/updater/package/call/transact-directly.ts";
import type { Change, PackageManager } from "../../../../src/updater/package/manager/manager.ts";
import { runBehind } from "../run.ts";
import { asRoot, type Scratch } from "../scratch.ts";
import { agent } from "./given.ts";

/** apt, as a pass uses it: what is installed has been planned and brought before. */
export type Apt = Omit<PackageManager, "install"> & {
  readonly install: (change: Change) => Promise<void>;
  /** From one file, with nothing that moves along. */
  readonly installFile: (change: Change, path: string) => Promise<void>;
};

export type Host = {
  readonly root: string;
  readonly apt: Apt;
  /** Without what a pass does before it. */
  readonly installAlone: PackageManager["install"];
  /** What each transaction was for, in their order. */
  readonly transactions: readonly string[];
  /** Runs a program of apt's below the root, and waits for it: no server of the test can answer it meanwhile. */
  readonly command: (...argv: string[]) => string;
};

let roots = 0;

/** A root of its own with these source files, nothing fetched yet. */
export async function aptHost(scratch: Scratch, sources: Readonly<Record<string, string>>): Promise<Host> {
  roots += 1;
  const root = await scratch.root(`root-${roots}`, sources);
  const run = runBehind(asRoot);
  const transact = transactDirectly(run);
  const transactions: string[] = [];
  const manager = aptManager({
    run,
    transact: (command) => {
      transactions.push(command.what);
      return transact(command);
    },
    root,
    proxies: {},
  });
  const apt: Apt = {
    ...manager,
    install: async (wanted) => {
      const planned = await manager.simulate(wanted);
      await manager.bring(wanted, planned);
      await manager.install(wanted, planned);
    },
    installFile: (wanted, path) => manager.installFiles(wanted, [{ name: wanted.name, version: wanted.to, path }]),
  };
  const command = (...argv: string[]): string => {
    const [program = "", ...rest] = [...asRoot, ...argv];
    return execFileSync(program, rest, { env: environment(root), encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  };
  return { root, apt, installAlone: manager.install, transactions, command };
}

/** That of a call of apt below the root, by a configuration of the test's own. */
export function environment(root: string): Readonly<Record<string, string>> {
  const file = `${root}.conf`;
  const lines = [
    `Dir "${root}/";`,
    `Dir::State::status "${root}/var/lib/dpkg/status";`,
    ...["Dir::Etc::main", "Dir::Etc::parts", "Dir::Log::Terminal"].map((key) => `${key} "/dev/null";`),
    `DPkg::Options { "--root=${root}"; "--log=${root}/var/log/dpkg.log"; "--path-include=/*"; };`,
    'APT::Sandbox::User "root";',
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  return { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C.UTF-8", APT_CONFIG: file };
}

/** Has dpkg's database say of a package what a transaction that did not finish, or that left tasks for another one, leaves there. */
export async function writeStatus(root: string, status: string, name: string = agent): Promise<void> {
  const path = join(root, "var/lib/dpkg/status");
  const text = await readFile(path, "utf8");
  const tasks: Readonly<Record<string, string>> = {
    "triggers-awaited": "\nTriggers-Awaited: bystander",
    "triggers-pending": "\nTriggers-Pending: task",
  };
  // Of what is not configured dpkg notes the version that was, and will not have that of anything else.
  const kept = status.endsWith(" installed") ? text.replaceAll(/^Config-Version: .*\n/gm, "") : text;
  const more = tasks[status.split(" ").at(-1) ?? ""] ?? "";
  await writeFile(path, kept.replace(new RegExp(`^(Package: ${name}\nStatus: ).*$`, "m"), `$1${status}${more}`));
}
