/*
 * A booted Debian with systemd as PID 1, fresh for each scenario; its packages are debs, or rpms that dnf or zypper manages. How to write one, in test/system/NAME.test.ts:
 *
 *     test("brings the agent to the served version", scenario({ suite: "bookworm" }, async ({ host, repository, versions }) => {
 *       await repository.publish(await buildAgent(host, { version: "15.4.5" }), await buildAgent(host, { version: "15.4.6" }));
 *       await installAgent(host, "15.4.5");
 *       versions.serve("default", { version: "v15.4.6" });
 *       await host.write("/etc/svc-upgrade/endpoint.yaml", `endpoint: ${versions.httpsEndpoint}\n`);
 *       await versions.authority.trustIn(host);
 *       expect((await host.run(["svc-upgrade", "run", "--now"])).status).toBe(0);
 *       expect((await agentProcess(host))?.speaks).toContain(" v15.4.6 ");
 *     }));
 *
 * `scenario` boots the host, adds its journal to a failure, and takes everything away. Two hosts, or none at first: `inLab`,
 * `bootHost`, and `stop` in a `finally`. Servers answer from the test's own process: nothing in a scenario may block it.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { baseRoot, familyOf, type Family, type Suite } from "./base.ts";
import { bootMachine, hasEnded, type Booted } from "./boot.ts";
import { killCgroup } from "./cgroup.ts";
import { diskIsOff, loseCaches, makeDisk, removeDisk, type DiskOptions } from "./disk.ts";
import { makeNetwork, removeNetwork, type HostNetwork, type NetworkKind } from "./network.ts";
import { mustRun, runProgram, type Input, type ProgramOptions, type ProgramResult } from "./program.ts";
import { abandonedSlots, claimSlot, releaseSlot, type Slot } from "./slot.ts";
import { until } from "./until.ts";

export type HostOptions = DiskOptions & {
  readonly suite: Suite;
  /** Debian's packages that hosts do not have otherwise. */
  readonly besides?: readonly string[];
  /** What lies over the suite's base root from the start; see prepared.ts. */
  readonly layer?: string;
  readonly network?: NetworkKind;
};

export type RunOptions = {
  readonly user?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: Input;
  readonly timeoutMs?: number;
  /** More of the unit's settings, as systemd-run's --property takes them. */
  readonly properties?: readonly string[];
};

/** A path's rights; root's and 0644 unless said. */
export type WriteOptions = { readonly mode?: string; readonly owner?: string };

export type JournalFormat = "cat" | "short" | "json";

export type Host = {
  readonly suite: Suite;
  readonly family: Family;
  readonly network: HostNetwork;
  /** The host's directory on this machine, for what a server beside it has to keep; removed with the host. */
  readonly directory: string;
  /** Runs a program as a unit of its own in the host, as root or as `user` ("ordinary" is there), and waits for its end. */
  readonly run: (argv: readonly string[], options?: RunOptions) => Promise<ProgramResult>;
  /** The same for what has to succeed; the answer is its standard output. */
  readonly mustRun: (argv: readonly string[], options?: RunOptions) => Promise<string>;
  /** Quicker than `run` and no unit: for questions to the host, not for what is under test. */
  readonly enter: (argv: readonly string[], options?: ProgramOptions) => Promise<ProgramResult>;
  readonly write: (path: string, content: string | Uint8Array, options?: WriteOptions) => Promise<void>;
  readonly read: (path: string) => Promise<string>;
  readonly copyIn: (file: string, path: string, options?: WriteOptions) => Promise<void>;
  readonly journal: (unit: string, format?: JournalFormat) => Promise<string>;
  /** The process that is PID 1 in there, as this machine numbers it. */
  readonly leader: () => number;
  /**
   * Every process dies at once. What was written stays, synced or not: the page cache is this machine's. With its caches lost, as
   * only a host with a `fileSystem` can, what was not synced is gone.
   */
  readonly powerCut: (caches?: "kept" | "lost") => Promise<void>;
  /** An orderly end, as an admin orders it; waits until the host is off. */
  readonly powerOff: () => Promise<void>;
  /** Boots again after `powerCut` or `powerOff`. */
  readonly boot: () => Promise<void>;
  /** Of a host that is off: moves what it has written into a directory of that name. */
  readonly keepDisk: (directory: string) => Promise<void>;
  /** Called when the host stops, the latest first: how servers end with their host. */
  readonly atStop: (end: () => Promise<void>) => void;
  readonly stop: () => Promise<void>;
};

/** A killed process is reaped at once; this is for a machine that is very busy. */
const longestDeathMs = 15_000;
/** An orderly end waits for units that finish their work: systemd's own default is 90 s each. */
const longestPowerOffMs = 120_000;

export async function bootHost(options: HostOptions): Promise<Host> {
  const base = await baseRoot(options.suite, options.besides);
  const slot = await claimSlot();
  try {
    const network = await makeNetwork(slot.number, options.network ?? "closed");
    for (const directory of ["root", "server"]) await mkdir(join(slot.directory, directory));
    await makeDisk(slot, options);
    const lower = options.layer === undefined ? base : `${options.layer}:${base}`;
    const host = hostIn(slot, { lower, network, suite: options.suite });
    await host.boot();
    await host.write(
      "/etc/hosts",
      `127.0.0.1 localhost\n::1 localhost\n127.0.1.1 agent-host\n${network.outerAddress} outer.test\n`,
    );
    return host;
  } catch (cause) {
    await removeHost(slot);
    throw cause;
  }
}

/** Takes away what crashed runs left; hosts of runs that still live are let be. */
export async function sweepAbandonedHosts(): Promise<void> {
  for (const slot of await abandonedSlots()) await removeHost(slot);
}

async function removeHost(slot: Slot): Promise<void> {
  await killCgroup(slot.number);
  await removeNetwork(slot.number);
  await removeDisk(slot);
  await releaseSlot(slot);
}

type Made = { readonly lower: string; readonly network: HostNetwork; readonly suite: Suite };

function hostIn(slot: Slot, made: Made): Host {
  let booted: Booted | undefined;
  const ends: (() => Promise<void>)[] = [];

  function leader(): number {
    if (booted === undefined) throw new Error(`host ${slot.number} is off`);
    return booted.leader;
  }

  function enter(argv: readonly string[], options: ProgramOptions = {}): Promise<ProgramResult> {
    return runProgram(["nsenter", "--target", String(leader()), "--all", "--wdns=/", ...argv], options);
  }

  async function run(argv: readonly string[], options: RunOptions = {}): Promise<ProgramResult> {
    const { input, timeoutMs } = options;
    return enter(
      ["systemd-run", "--wait", "--pipe", "--collect", "--quiet", ...unitArguments(options), "--", ...argv.map(literally)],
      {
        ...(input === undefined ? {} : { input }),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      },
    );
  }

  async function mustRunInside(argv: readonly string[], options: RunOptions = {}): Promise<string> {
    const { status, stdout, stderr } = await run(argv, options);
    if (status !== 0) throw new Error(`in the host: ${argv.join(" ")}: exit ${status}\n${stdout}${stderr}`);
    return stdout;
  }

  async function mustEnter(argv: readonly string[], options: ProgramOptions = {}): Promise<string> {
    const { status, stdout, stderr } = await enter(argv, options);
    if (status !== 0) throw new Error(`in the host: ${argv.join(" ")}: exit ${status}\n${stderr}`);
    return stdout;
  }

  /** Through the host's own programs: an absolute link below /proc/PID/root would lead back to this machine's files. */
  async function put(path: string, input: Input, options: WriteOptions): Promise<void> {
    const script = 'mkdir -p "$(dirname "$1")" && cat >"$1" && chown "$2" "$1" && chmod "$3" "$1"';
    await mustEnter(["sh", "-c", script, "put", path, options.owner ?? "0:0", options.mode ?? "0644"], { input });
  }

  async function powerCut(caches: "kept" | "lost" = "kept"): Promise<void> {
    const machine = booted?.machine;
    if (caches === "lost") await loseCaches(slot, machine?.pid);
    booted = undefined;
    await killCgroup(slot.number);
    await until("systemd-nspawn to end", longestDeathMs, () => (machine === undefined || hasEnded(machine) ? true : undefined));
    await diskIsOff(slot);
  }

  return {
    suite: made.suite,
    family: familyOf(made.suite),
    network: made.network,
    directory: join(slot.directory, "server"),
    run,
    mustRun: mustRunInside,
    enter,
    write: (path, content, options = {}) => put(path, content, options),
    read: (path) => mustEnter(["cat", path]),
    copyIn: (file, path, options = {}) => put(path, { file }, options),
    journal: async (unit, format = "cat") => {
      await mustEnter(["journalctl", "--sync"]);
      return mustEnter(["journalctl", "--no-pager", "--quiet", `--output=${format}`, `--unit=${unit}`]);
    },
    leader,
    powerCut,
    powerOff: async () => {
      const { machine } = booted ?? {};
      // Without waiting: the host may be gone before its own systemctl has an answer.
      await mustEnter(["systemctl", "--no-block", "poweroff"]);
      await until("the host to be off", longestPowerOffMs, () => (machine === undefined || hasEnded(machine) ? true : undefined));
      await powerCut();
    },
    boot: async () => {
      if (booted !== undefined) throw new Error(`host ${slot.number} is already on`);
      booted = await bootMachine(slot, made);
    },
    keepDisk: async (directory) => {
      if (booted !== undefined) throw new Error(`host ${slot.number} is on`);
      // As a program does it: between two file systems too, and with what an overlay notes in attributes.
      await mustRun(["mv", "--no-target-directory", join(slot.directory, "disk/upper"), directory]);
    },
    atStop: (end) => void ends.push(end),
    stop: async () => {
      try {
        for (const end of ends.toReversed()) await end();
      } finally {
        await powerCut();
        await removeHost(slot);
      }
    },
  };
}

/** A unit's command line knows variables of its own, and `$$` for a dollar. */
function literally(argument: string): string {
  return argument.replaceAll("$", "$$$$");
}

function unitArguments(options: RunOptions): readonly string[] {
  return [
    ...(options.user === undefined ? [] : [`--uid=${options.user}`]),
    ...Object.entries(options.env ?? {}).map(([name, value]) => `--setenv=${name}=${value}`),
    ...(options.properties ?? []).map((property) => `--property=${property}`),
  ];
}
