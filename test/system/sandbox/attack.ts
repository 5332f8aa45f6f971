import { join } from "node:path";
import type { Host } from "../lab/host.ts";
import { mustRun } from "../lab/program.ts";
import { until } from "../lab/until.ts";

/** Each attempt, and whether it was reached or refused, in the order of the attempts. */
export type Outcomes = Readonly<Record<string, string>>;

const binary = "/usr/local/bin/attack";

/** What the attempts are made on: root's and another user's processes, secrets, a socket, a unit, a setuid program. */
export async function installAttack(host: Host): Promise<readonly string[]> {
  const compiled = join(host.directory, "attack");
  await mustRun(["gcc", "-static", "-O1", "-s", "-o", compiled, join(import.meta.dirname, "attack.c")]);
  await host.copyIn(compiled, binary, { mode: "0755" });
  await host.copyIn(compiled, `${binary}-setuid`, { mode: "4755" });
  await host.write("/srv/ordinary-secret", "secret\n", { mode: "0600", owner: "ordinary" });
  for (const path of ["/root/secret", "/etc/ssh/ssh_host_ed25519_key"]) await host.write(path, "secret\n", { mode: "0600" });
  await host.write("/tmp/witness", "secret\n");
  const units = {
    "attack-witness.service": "[Service]\nType=oneshot\nExecStart=true\n",
    "attack-listener.socket": "[Socket]\nListenStream=/run/attack-witness.socket\nSocketMode=0600\n",
    "attack-listener.service": "[Service]\nExecStart=sleep 1000\n",
    "attack-root.service": "[Service]\nExecStart=sleep 1000\n",
    "attack-stranger.service": "[Service]\nUser=ordinary\nExecStart=sleep 1000\n",
  };
  for (const [name, text] of Object.entries(units)) await host.write(`/etc/systemd/system/${name}`, text);
  await host.mustRun(["systemctl", "daemon-reload"]);
  await host.mustRun(["systemctl", "start", "attack-listener.socket", "attack-root.service", "attack-stranger.service"]);
  return Promise.all(["attack-stranger.service", "attack-root.service"].map((unit) => pidOf(host, unit)));
}

/** The command line of the attack, for whatever starts it there. */
export function attackIn(place: string, pids: readonly string[]): readonly string[] {
  return [binary, place, ...pids];
}

/** Starts the unit as it is shipped, but for its program. */
export async function attackFrom(host: Host, unit: string, command: readonly string[]): Promise<void> {
  const dropIn = `/etc/systemd/system/${unit}.d/attack.conf`;
  await host.write(dropIn, `[Service]\nExecStart=\nExecStart=${command.join(" ")}\n`);
  await host.mustRun(["systemctl", "daemon-reload"]);
  await host.mustRun(["systemctl", "start", unit]);
  await host.mustRun(["rm", dropIn]);
  await host.mustRun(["systemctl", "daemon-reload"]);
}

/** What the attack in that place has told, once it is through. */
export async function outcomesIn(host: Host, place: string): Promise<Outcomes> {
  const said = await until(`the attack in the place of ${place} ends`, 30_000, async () => {
    await host.enter(["journalctl", "--sync"]);
    const { stdout } = await host.enter(["journalctl", "--quiet", "--output=cat", "--identifier=attack"]);
    return stdout.includes(`${place} end\n`) ? stdout : undefined;
  });
  const told = said.split("\n").flatMap((line) => {
    const [where, attempt = "", outcome = ""] = line.split(" ");
    return where === place && attempt !== "end" ? [[attempt, outcome] as const] : [];
  });
  return Object.fromEntries(told);
}

function pidOf(host: Host, unit: string): Promise<string> {
  return until(`${unit} runs`, 10_000, async () => {
    const pid = (await host.mustRun(["systemctl", "show", "--property=MainPID", "--value", unit])).trim();
    return pid === "0" ? undefined : pid;
  });
}
