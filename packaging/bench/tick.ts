import { basename, resolve } from "node:path";
import { buildAgent, installAgent } from "../../test/system/lab/agent.ts";
import { bootHost, type Host } from "../../test/system/lab/host.ts";
import { missingForLab } from "../../test/system/lab/machine.ts";
import { serveRepository } from "../../test/system/lab/repository.ts";
import { serveVersions } from "../../test/system/lab/version-server.ts";
import { executablePath, nativeArchitecture, projectRoot } from "../project.ts";
import { updater } from "../products/updater.ts";
import { runtimeFolder } from "../runtime.ts";
import { median, type Figure } from "./measure.ts";
import { printFigures } from "./print.ts";

const rounds = 15;
const longestMs = 300_000;

/** Measures a whole tick on a booted host: what `systemctl start` of the unit takes, both halves of the pass included. */
export async function measureTick(): Promise<string> {
  const missing = await missingForLab();
  if (missing.length > 0) return `A whole tick is not measured here: ${missing.join(" ")}`;
  const host = await bootHost({ suite: "bookworm" });
  try {
    await prepare(host);
    const script = [
      `for round in $(seq ${rounds + 1}); do for unit in ${units.map(({ unit }) => unit).join(" ")}; do`,
      'begin=$EPOCHREALTIME; systemctl start "$unit" || exit 1; end=$EPOCHREALTIME;',
      'echo "$unit $((${end/./} - ${begin/./}))"; done; done',
    ].join("\n");
    const told = await host.mustRun(["bash", "-c", script], { timeoutMs: longestMs });
    for (const unit of units) await mustHaveAnswered(host, unit);
    return printFigures("a whole tick", figuresOf(told));
  } finally {
    await host.stop();
  }
}

type TimedUnit = {
  readonly unit: string;
  readonly name: string;
  /** The line that each run writes into its journal. */
  readonly expects: RegExp;
};

const current = /^no upgrades available \(15\.4\.5 == 15\.4\.5\)/;

const units: readonly TimedUnit[] = [
  { unit: "bench-floor.service", name: "the bare script, as a unit", expects: / v15\.4\.5 / },
  { unit: "svc-upgrade.service", name: "`svc-upgrade.service`, which asks `svc-upgrade-ask.service`", expects: current },
  { unit: "bench-shell.service", name: "bash, curl, dpkg-query, as a unit", expects: current },
];

/** Checks the journal, because a run that failed early or found something else would look fast. */
async function mustHaveAnswered(host: Host, { unit, expects }: TimedUnit): Promise<void> {
  await host.mustRun(["journalctl", "--sync"]);
  const journal = await host.mustRun(["journalctl", "--output=cat", "--unit", unit, "_TRANSPORT=stdout"]);
  const lines = journal.trim().split("\n");
  const answers = lines.filter((line) => expects.test(line)).length;
  if (answers === rounds + 1) return;
  throw new Error(
    `${unit} gave the expected answer ${answers} times in ${rounds + 1} runs; its last lines: ${lines.slice(-3).join("; ")}`,
  );
}

async function prepare(host: Host): Promise<void> {
  const [repository, versions] = await Promise.all([serveRepository(host), serveVersions(host)]);
  await repository.publish(await buildAgent(host, { version: "15.4.5" }));
  await installAgent(host, "15.4.5");
  versions.serve("default", { version: "v15.4.5" });
  await host.write("/etc/svc-upgrade/50-bench.yaml", `endpoint: ${versions.httpEndpoint}\nallow_plain_http: true\n`, {
    mode: "0644",
  });
  await host.write("/etc/svc-upgrade.d/schedule", "nop\n");
  await host.copyIn(executablePath(nativeArchitecture), "/usr/bin/svc-upgrade");
  await host.copyIn(resolve(runtimeFolder(nativeArchitecture), "bin/node"), "/opt/bench/node");
  for (const file of ["floor.cjs", "shell.sh"]) await host.copyIn(resolve(import.meta.dirname, file), `/opt/bench/${file}`);
  for (const path of updater.units) {
    await host.copyIn(resolve(projectRoot, "systemd", basename(path)), `/usr/lib/${path}`);
  }
  await host.mustRun(["systemd-sysusers", "svc-upgrade.conf"]);
  await host.write("/etc/systemd/system/bench-floor.service", oneshot("/opt/bench/node /opt/bench/floor.cjs"));
  await host.write("/etc/systemd/system/bench-shell.service", oneshot("/bin/bash /opt/bench/shell.sh"));
  await host.mustRun(["chmod", "0755", "/usr/bin/svc-upgrade", "/opt/bench/node"]);
  await host.mustRun(["systemctl", "daemon-reload"]);
}

function oneshot(command: string): string {
  return `[Unit]\nStartLimitIntervalSec=0\n[Service]\nType=oneshot\nExecStart=${command}\n`;
}

function figuresOf(told: string): readonly Figure[] {
  const times = new Map(units.map(({ unit }) => [unit, [] as number[]]));
  for (const line of told.trim().split("\n")) {
    const [unit, microseconds] = line.split(" ");
    times.get(unit!)!.push(Number(microseconds) / 1000);
  }
  // Does not count the first round, which fills the caches.
  const floor = times.get(units[0]!.unit)!.slice(1);
  return units.map(({ unit, name }) => {
    const own = times.get(unit)!.slice(1);
    return { name, milliseconds: median(own), ratio: median(own.map((time, round) => time / floor[round]!)), peakKilobytes: 0 };
  });
}
