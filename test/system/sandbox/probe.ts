import { join } from "node:path";
import type { Host } from "../lab/host.ts";
import { mustRun } from "../lab/program.ts";

/** What a program came by in the place of a unit's own: each key with what was said of it, in the order of the saying. */
export type Findings = ReadonlyMap<string, readonly string[]>;

export type Probed = {
  readonly unit: string;
  /** A process of another user, and one of root's. */
  readonly pids: readonly [string, string];
  readonly channel: { readonly address: string; readonly port: number };
  readonly loopbackPort: number;
  /** Further settings of the unit, as a drop-in holds them. */
  readonly settings?: readonly string[];
  /** Runs after the probe, in the same sandbox; its failure is no failure. */
  readonly afterwards?: string;
};

const probe = "/usr/local/bin/sandbox-probe";
const output = "/root/sandbox-probe.txt";

export async function installProbe(host: Host): Promise<void> {
  const binary = join(host.directory, "sandbox-probe");
  await mustRun(["gcc", "-static", "-O1", "-s", "-o", binary, join(import.meta.dirname, "probe.c")]);
  await host.copyIn(binary, probe, { mode: "0755" });
}

/** Starts the unit as it is shipped, but for its program. */
export async function probeUnit(host: Host, probed: Probed): Promise<Findings> {
  const { unit, settings = [], afterwards } = probed;
  const dropIn = `/etc/systemd/system/${unit}.d/probe.conf`;
  const starts = [commandLine(probed), ...(afterwards === undefined ? [] : [`-${afterwards}`])];
  const lines = ["[Service]", "ExecStart=", ...starts.map((start) => `ExecStart=${start}`), `StandardOutput=append:${output}`];
  await host.write(dropIn, [...lines, ...settings, ""].join("\n"));
  await host.mustRun(["systemctl", "daemon-reload"]);
  await host.mustRun(["systemctl", "start", unit]);
  const said = await host.read(output);
  await host.mustRun(["rm", output, dropIn]);
  await host.mustRun(["systemctl", "daemon-reload"]);
  return findings(said);
}

/** The same in no sandbox, as a user who is in the group of /etc/shadow: what is found here shows that the probe's eyes are open. */
export async function probeFreely(host: Host, probed: Probed): Promise<Findings> {
  const options = { user: "ordinary", properties: ["SupplementaryGroups=shadow"] };
  return findings(await host.mustRun(commandLine(probed).split(" "), options));
}

function commandLine({ pids, channel, loopbackPort }: Probed): string {
  return [probe, ...pids, channel.address, channel.port, loopbackPort].join(" ");
}

function findings(said: string): Findings {
  const found = new Map<string, readonly string[]>();
  for (const line of said.trim().split("\n")) {
    const [, key = "", value = ""] = /^(\S+) (.*)$/.exec(line) ?? [];
    found.set(key, [...(found.get(key) ?? []), value]);
  }
  return found;
}
