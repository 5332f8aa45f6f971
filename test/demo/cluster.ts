/**
 * npm run demo:cluster: a cluster in a scratch folder on loopback, as any user: its start, its first maintenance window, what is refused,
 * a backup and how it is put back. Nothing outside the scratch folder is touched, and nothing is left.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refuseUnknown } from "../../packaging/asked.ts";
import { freePorts } from "../../packaging/free-ports.ts";
import { projectRoot } from "../../packaging/project.ts";
import { certificateFor } from "./cluster/certificate.ts";
import {
  answers,
  configuration,
  hostConfiguration,
  hours,
  later,
  maintenance,
  proxyConfiguration,
  rollout,
  slips,
  theirs,
  tonight,
  type Ports,
} from "./cluster/files.ts";
import { prepareHost } from "./cluster/host.ts";
import { certifyHost, hasSsh, login, makeHostKey, shellRole, startSshd } from "./cluster/shell.ts";
import { openTerminal, Surprise, type Terminal } from "./cluster/terminal.ts";

const program = [process.execPath, join(projectRoot, "src/svc.ts")];
const updater = [process.execPath, join(projectRoot, "src/svc-upgrade.ts")];
/** What a shell says of a program that such a signal has ended. */
const signalled = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
type Signalled = keyof typeof signalled;

const stopping = new AbortController();
for (const signal of Object.keys(signalled)) process.on(signal, () => stopping.abort(signal));

async function main(): Promise<number> {
  refuseUnknown(process.argv.slice(2), []);
  const scratch = mkdtempSync(join(tmpdir(), "svc-demo-"));
  const terminal = openTerminal({ folder: scratch, program, updater, stopping: stopping.signal });
  try {
    const [auth = 0, authLook = 0, web = 0, webLook = 0, sshd = 0] = await freePorts(5);
    await show(terminal, { scratch, ports: { auth, authLook, web, webLook, sshd } });
    console.log("Done: a cluster with its first window, and nothing of it is left.");
    return 0;
  } catch (thrown) {
    if (thrown instanceof Surprise) {
      console.error(`The demo expected something else: ${thrown.message}.`);
      console.log("The demo failed.");
      return 1;
    }
    if (!stopping.signal.aborted) throw thrown;
    console.error("The demo was interrupted; nothing of it is left.");
    return signalled[stopping.signal.reason as Signalled];
  } finally {
    await terminal.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

type Scene = { readonly scratch: string; readonly ports: Ports };

async function show(terminal: Terminal, { scratch, ports }: Scene): Promise<void> {
  const { write, put, type, start, stop } = terminal;
  const title = (text: string): void => console.log(`# ${text}`);
  console.log("A cluster in a scratch folder on loopback. On a host, -c svc.yaml is left out: /etc/svc.yaml is read.\n");

  const { certificate, privateKey } = await certificateFor("127.0.0.1");
  put("proxy.crt", certificate);
  put("proxy.key", privateKey);
  put("answers", answers);

  title("One file says what this host runs: auth, which keeps the cluster, and a proxy, which hosts ask.");
  write("svc.yaml", configuration(scratch, ports));
  await type("svc check -c svc.yaml", { says: /svc\.yaml is right:/ });

  title("The first start makes the cluster: its store, and its certificate authority.");
  await start("svc start -c svc.yaml", { says: /^serving .*auth of the cluster example/m });
  await type("tctl status -c svc.yaml", { says: /^Cluster +example\n[^]*CA pin +sha256:[0-9a-f]{64}$/m });

  title("Who may say when agents move, and when they do.");
  write("maintenance.yaml", maintenance);
  await type("tctl create maintenance.yaml -c svc.yaml", {
    says: /^role "maintenance-manager" has been created\nmaintenance window has been updated\nIt opens next:\n( {2}\w{3} [^]*UTC\)?\n?){3}$/,
  });
  await type("tctl get role/maintenance-manager -c svc.yaml", { says: /^kind: role\nversion: v7\n/ });

  await showHosts(terminal, { scratch, ports });

  title("A person is invited: the link is good once. She chooses a password, and signs in through the proxy.");
  const invited = await type("tctl users add alice --roles=editor -c svc.yaml", { says: /"alice" has been created\n[^]*https:/ });
  const link = /https:\S+/.exec(invited)?.[0] ?? "";
  await type(`tsh invite ${link} --ca-file proxy.crt --password-file - < answers`, { says: /the password of alice is set/ });
  const proxy = `127.0.0.1:${ports.web}`;
  await type(`tsh login --proxy=${proxy} --user=alice --ca-file proxy.crt --password-file - < answers`, { says: /alice/ });

  title("A mistake: the window is not hers to say. Once root has given her the role, it is; from wherever she is.");
  write("later.yaml", later);
  await type(`tctl create -f later.yaml --proxy=${proxy}`, {
    says: /none of your roles allows \w+ on cluster_maintenance_config/,
    status: 77,
  });
  await type("tctl users update alice --set-roles=editor,maintenance-manager -c svc.yaml", { says: /"alice" has been updated/ });
  await type("tsh status -f json", { says: /"maintenance-manager"/ });
  await type(`tctl create -f later.yaml --proxy=${proxy}`, { says: /maintenance window has been updated/ });
  if (hasSsh()) await showShell(terminal, { scratch, ports });
  await type("tsh logout", { says: /alice/ });

  title("A mistake: all of it is told at once, and nothing was sent.");
  write("slips.yaml", slips);
  await type("tctl create slips.yaml -c svc.yaml", {
    says: /2 faults; nothing of it was sent\n {2}line 4: .*did you mean utc_start_hour\?[^]*\n {2}line 5: .*"Thirsday"/,
    status: 65,
  });

  title("A mistake: what is there is not overwritten unasked.");
  await type("tctl create maintenance.yaml -c svc.yaml", { says: /already, changed last by root@/, status: 73 });

  title("A mistake: somebody was quicker. The revision that was read is older than what is there.");
  await type("tctl get cluster_maintenance_config -c svc.yaml > mine.yaml", { says: /revision: "\d+"/ });
  write("theirs.yaml", theirs);
  await type("tctl create -f theirs.yaml -c svc.yaml", { says: /maintenance window has been updated/ });
  await type("tctl create -f mine.yaml -c svc.yaml", { says: /root@/, status: 73 });

  title("A proxy on another host joins. It has a token, which is good once, and the pin of the cluster's authority.");
  const made = await type("tctl tokens add --type=proxy --uses=1 --out=token -c svc.yaml", { says: /^proxy token .*, once\.$/m });
  const [, joining = ""] = /sudo (svc join .*)$/m.exec(made) ?? [];
  write("proxy2.yaml", proxyConfiguration(scratch, "proxy2"));
  await type(`${joining} -c proxy2.yaml`, { says: /^This host has joined the cluster example as the proxy / });
  await type("tctl instances ls -c svc.yaml", { says: /^[0-9a-f-]{36} +\S+ +proxy /m });

  title("A mistake: the token was used up.");
  write("proxy3.yaml", proxyConfiguration(scratch, "proxy3"));
  await type(`${joining} -c proxy3.yaml`, { says: /^error: .*\nnext: /m, status: 77 });

  title("A backup, and what happens after it.");
  await type("tctl backup cluster.backup -c svc.yaml", { says: /^backup of cluster example written/ });
  await type("tctl rm user/alice -c svc.yaml", { says: /"alice" has been deleted/ });

  title("The backup is put back while svc is stopped. Who was removed stays removed.");
  await stop("kill %1", { says: /^audit event=user\.deleted [^]*^stopping: /m });
  await type("tctl restore cluster.backup -c svc.yaml", { says: /removed again, as it was after the backup: user alice/ });
  await start("svc start -c svc.yaml", { says: /^serving /m });
  await type("tctl status -c svc.yaml", { says: /^Window +opens next /m });
  await type("tctl users ls -c svc.yaml", { says: /^there is no user/ });

  title("Who did what.");
  await type("tctl audit ls -c svc.yaml", { says: /role\.created +maintenance-manager/ });
}

/** A shell on web1, which has no open port: its sshd listens on loopback alone. */
async function showShell({ write, type, await: comes }: Terminal, { scratch, ports }: Scene): Promise<void> {
  console.log("# A shell on a host without an open port: its own sshd, this computer's ssh, and auth's decision between them.");
  await type("tctl inventory show web1 --format json -c svc.yaml > web1.json", { says: /"hostname"/ });
  const { instances } = JSON.parse(readFileSync(join(scratch, "web1.json"), "utf8")) as {
    readonly instances: readonly { readonly id: string }[];
  };
  const { certificate, userAuthorities } = await certifyHost(join(scratch, "web1"), makeHostKey(scratch));
  const serverId = instances[0]?.id ?? "";
  const sshd = startSshd({ scratch, port: ports.sshd, authorities: userAuthorities, certificate, serverId });
  try {
    await type(`tsh ssh ${login}@web1 id -un`, { says: new RegExp(`none of your roles has the login ${login}`), status: 77 });
    write("shells.yaml", shellRole);
    await type("tctl create shells.yaml -c svc.yaml", { says: /role "shells" has been created/ });
    await type("tctl users update alice --set-roles=editor,shells -c svc.yaml", { says: /"alice" has been updated/ });
    await comes(`tsh ssh ${login}@web1 id -un`, { says: new RegExp(`^${login}$`, "m") });
    await type("tctl audit ls --event=shell.opened -c svc.yaml", { says: /alice/ });
  } finally {
    sshd.kill();
  }
}

/** The start of a window, as a schedule tells it. */
function clock(index: number): RegExp {
  return new RegExp(`${String(hours[index]).padStart(2, "0")}:00`);
}

/** Three hosts as processes: the second has an agent that lags, the third no updater, and falls silent. */
async function showHosts({ write, put, type, await: comes, start, stop }: Terminal, { scratch, ports }: Scene): Promise<void> {
  const title = (text: string): void => console.log(`# ${text}`);
  const hosts = ["web1", "web2", "web3"] as const;

  title("Hosts join by a token. From then on each reports, and writes the windows to where its updater reads them.");
  const made = await type("tctl tokens add --type=node --uses=3 --out=nodes -c svc.yaml", { says: /^node token / });
  const [, joining = ""] = /sudo (svc join .*)$/m.exec(made) ?? [];
  for (const host of hosts) {
    write(`${host}.yaml`, hostConfiguration(scratch, host, host === "web1" && hasSsh() ? ports.sshd : undefined));
    if (host !== "web3")
      prepareHost(join(scratch, `${host}.root`), { proxy: `127.0.0.1:${ports.web}`, caFile: join(scratch, "proxy.crt") });
    await type(`${joining} -c ${host}.yaml`, { says: /^This host has joined the cluster example as the node / });
    await start(`svc start -c ${host}.yaml`, {
      says: host === "web3" ? /^serving /m : /^the schedule of the updater was written/m,
    });
  }

  title("One window for all: the updater reads back what the cluster said.");
  await type("svc-upgrade schedule web1.root/etc/svc-upgrade.d/schedule", { says: clock(0) });

  title("Who lags, and why: the updater of web2 has looked, and waits for the window.");
  await type("svc-upgrade run --root web2.root", { says: /15\.4\.4 -> 15\.4\.5\), not now: outside the maintenance window/ });
  await comes("tctl inventory ls --wide -c svc.yaml", { says: /web2 .*15\.4\.4 +15\.4\.5 +stay: outside-window until / });

  title("Who is not enrolled in automatic updates.");
  await type("tctl inventory ls --upgrader=none -c svc.yaml", { says: /web3/ });

  title("A host is lost: it is silent after three missed reports.");
  await stop("kill %4", { says: /^stopping: /m });
  await comes("tctl inventory ls -c svc.yaml", { says: /web3 .*silent since / });

  title("Another window reaches every host with its next report.");
  put("tonight.yaml", tonight);
  await type("tctl create -f tonight.yaml -c svc.yaml", { says: /^maintenance window has been updated/ });
  await comes("svc-upgrade schedule web2.root/etc/svc-upgrade.d/schedule", { says: clock(3) });

  title("A new version comes in stages: the canary is told, the others are not before it has proven it.");
  write("rollout.yaml", rollout);
  await type("tctl create rollout.yaml -c svc.yaml", { says: /rollout "agents" has been created/ });
  await comes("svc-upgrade dry-run --root web1.root", { says: /15\.4\.4 -> 15\.4\.6/ });
  await type("svc-upgrade dry-run --root web2.root", { says: /15\.4\.4 -> 15\.4\.5/ });
  await comes("tctl rollout status default -c svc.yaml", { says: /^canary +moving +1 /m });
  title("A person has doubts: from now on every host is told the version before, until the rollout is resumed.");
  await type("tctl rollout pause default --why=doubts -c svc.yaml", { says: /paused by root@.*\(doubts\)/ });
  await comes("svc-upgrade dry-run --root web1.root", { says: /15\.4\.4 -> 15\.4\.5/ });
}

process.exitCode = await main();
