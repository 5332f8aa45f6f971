import { expect, test } from "vitest";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { proxyUrl, setVariables } from "./behind-proxy.ts";
import { configure, pin, tctl, unit, withCluster } from "./cluster/on-host.ts";
import { makeAuthority } from "./lab/certificate.ts";
import type { Host } from "./lab/host.ts";
import { bootPrepared } from "./lab/prepared.ts";
import type { ProgramResult } from "./lab/program.ts";
import { proxyName, startSquid } from "./lab/proxy.ts";
import { relay } from "./lab/relay.ts";
import { scenario, withJournal } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { buildWall } from "./lab/wall.ts";

const bookworm = { suite: "bookworm" } as const;
const withSsh = { ...bookworm, besides: ["openssh-server", "openssh-client", "netcat-openbsd"] } as const;
const credentials = { user: "fleet", password: "s3cret-Pass" };
const password = "correct horse battery staple";
const tokenFile = "/root/svc-token";
const proxyHost = "outer.test";

const page = readFileSync(join(import.meta.dirname, "../../docs/shells.md"), "utf8");

/** The block of docs/shells.md that begins with this line, as it is typed by root. */
function documented(begin: string): string {
  const blocks = page.match(/(?:^ {4}.*\n)+/gm) ?? [];
  const block = blocks.find((one) => one.trimStart().startsWith(begin)) ?? "";
  expect(block, `docs/shells.md has a block that begins with ${begin}`).not.toBe("");
  return `${block.replaceAll(/^ {4}/gm, "").replaceAll("sudo ", "").trim()}\n`;
}

async function startCluster(host: Host): Promise<void> {
  const authority = await makeAuthority(`${host.directory}/authority`);
  const own = await authority.issue("proxy", [`DNS:${proxyHost}`]);
  await host.copyIn(authority.caFile, "/root/ca.pem");
  await host.write("/etc/ssl/proxy.key", own.key, { owner: "root:svc", mode: "0640" });
  await host.write("/etc/ssl/proxy.pem", own.cert);
  await configure(
    host,
    `auth_service: {cluster_name: example.com, second_factor: "off", report_interval: 1s}
proxy_service:
  public_addr: ${proxyHost}
  web_listen_addr: 0.0.0.0:443
  https_keypairs: [{key_file: /etc/ssl/proxy.key, cert_file: /etc/ssl/proxy.pem}]
`,
  );
  await host.mustRun(["systemctl", "enable", "--now", "--quiet", unit]);
}

/** Joins behind squid and a wall, and lets the cluster's people in at its sshd, which listens on loopback alone. */
async function startAgent(host: Host, cluster: Host): Promise<string> {
  const squid = await startSquid(host, { credentials, onlyPort: 443, outerTest: cluster.network.innerAddress });
  await buildWall(host, squid.port);
  await host.write("/etc/hosts", `127.0.0.1 localhost agent-host\n${host.network.outerAddress} ${proxyName}\n`);
  await setVariables(host, { HTTPS_PROXY: proxyUrl("http", squid, credentials) });
  await tctl(cluster, "tokens", "add", "--type=node", "--uses=1", `--out=${tokenFile}`);
  await host.write(tokenFile, await cluster.read(tokenFile), { mode: "0600" });
  await configure(host, `svc: {nodename: web1}\n${documented("ssh_service:")}`);
  const where = ["--auth-server", `${proxyHost}:443`, "--token", tokenFile, "--ca-pin", await pin(cluster)];
  const { instance } = JSON.parse(await host.mustRun(["svc", "join", ...where, "--json"])) as { readonly instance: string };
  const said = await host.mustRun(["sh", "-ec", documented("sudo systemctl restart svc")]);
  const [fingerprint = said] = /SHA256:[A-Za-z0-9+/]{43}/.exec(said) ?? [];
  expect(await tctl(cluster, "status")).toContain(`SSH CA   ${fingerprint}\n`);
  expect((await host.run(["svc", "ssh", "setup", "--check"])).stderr).toContain("sshd does not have TrustedUserCAKeys");
  const lines = [...said.matchAll(/^ {4}(\w+ \/?.*)$/gm)].map(([, line = ""]) => line);
  await host.write("/etc/ssh/sshd_config.d/svc.conf", ["ListenAddress 127.0.0.1", ...lines, ""].join("\n"));
  expect(await host.mustRun(["sh", "-ec", documented("sudo sshd -t")])).toContain("sshd takes the certificates");
  // The user of the agent is the one whom a proxy that is taken over could reach.
  for (const attempt of [
    "echo key >>/etc/ssh/svc-user-authorities",
    "rm /etc/ssh/svc-user-authorities",
    "mv /etc/ssh/svc-user-authorities /etc/ssh/other",
    "echo TrustedUserCAKeys /tmp/keys >/etc/ssh/sshd_config.d/a.conf",
    "pkill -HUP -x sshd",
  ])
    expect([attempt, (await host.run(["sh", "-c", attempt], { user: "svc" })).status]).not.toEqual([attempt, 0]);
  await until("the tunnel to be open", 60_000, async () =>
    (await host.journal(unit)).includes("the tunnel to a proxy is open") ? true : undefined,
  );
  return instance;
}

const home = { user: "ordinary", env: { HOME: "/home/ordinary" } } as const;

function asPerson(desk: Host, ...argv: readonly string[]): Promise<ProgramResult> {
  return desk.run(argv, home);
}

/** Alice takes her invitation and signs in, on a computer that has nothing but tsh and ssh. */
async function signIn(desk: Host, cluster: Host, proxy: string): Promise<void> {
  const added = await tctl(cluster, "users", "add", "alice", "--roles=access", `--proxy=${proxy}`, "--format", "json");
  const { invitation } = JSON.parse(added) as { readonly invitation: { readonly link: string } };
  const typed = `${password}\n\n`;
  const invited = await desk.run(["tsh", "invite", invitation.link, "--password-file=-"], { ...home, input: typed });
  expect([invited.status, invited.stderr]).toEqual([0, ""]);
  const signedIn = await desk.run(["tsh", "login", `--proxy=${proxy}`, "--user=alice", "--password-file=-"], {
    ...home,
    input: typed,
  });
  expect([signedIn.status, signedIn.stderr]).toEqual([0, ""]);
}

test(
  "a person opens a shell, copies and forwards a port on a host without an open port, behind squid with a password",
  scenario({ ...withCluster(bookworm), ...withSsh }, async ({ host }) => {
    const [cluster, desk] = await Promise.all([
      bootPrepared(withCluster(bookworm)),
      bootPrepared({ ...withCluster(bookworm), ...withSsh }),
    ]);
    try {
      await startCluster(cluster);
      const id = await startAgent(host, cluster);
      const port = await relay(desk, { host: cluster, port: 443 });
      await desk.write("/etc/hosts", `127.0.0.1 localhost desk\n${desk.network.outerAddress} ${proxyHost}\n`);
      await desk.write("/usr/local/share/ca-certificates/proxy.crt", await cluster.read("/root/ca.pem"));
      await desk.mustRun(["update-ca-certificates"]);
      await signIn(desk, cluster, `${proxyHost}:${port}`);

      const refused = await asPerson(desk, "tsh", "ssh", `root@${id}`, "--", "hostname");
      expect([refused.status, refused.stderr]).toEqual([77, expect.stringContaining("none of your roles has the login root")]);
      await cluster.write("/root/role.yaml", documented("kind: role"));
      await tctl(cluster, "create", "/root/role.yaml");
      await tctl(cluster, "users", "update", "alice", "--set-roles=access,ops");

      const shell = await asPerson(desk, "tsh", "ssh", `root@${id}`, "--", "hostname; id -un; exit 7");
      expect([shell.status, shell.stdout]).toEqual([7, "agent-host\nroot\n"]);
      const other = await asPerson(desk, "tsh", "ssh", `svc@${id}`, "--", "true");
      expect([other.status, other.stderr]).toEqual([77, expect.stringContaining("none of your roles has the login svc")]);
      expect(await tctl(cluster, "audit", "ls", "--event=shell.opened")).toContain("root on web1");

      const active = await asPerson(desk, "tsh", "ssh", "root@web1", "systemctl", "is-active", "svc");
      expect([active.status, active.stdout]).toEqual([0, "active\n"]);
      await asPerson(desk, "dd", "if=/dev/urandom", "of=/home/ordinary/backup.tar", "bs=1M", "count=10", "status=none");
      const copying = `cd; mkdir -m 700 .ssh; ${documented("tsh config >>")}`;
      const copied = await asPerson(desk, "sh", "-ec", copying);
      expect([copied.status, copied.stdout]).toEqual([0, ""]);
      const sumOf = (text: string): string => text.split(" ")[0] ?? "";
      const sum = sumOf((await asPerson(desk, "sha256sum", "/home/ordinary/backup.tar")).stdout);
      expect(sumOf(await host.mustRun(["sha256sum", "/root/backup.tar"]))).toBe(sum);

      // A name that the administrator gave: ssh takes the certificate, and keeps no key of the host.
      await tctl(cluster, "instances", "label", id, "public_addr=web1.example.com");
      await host.mustRun(["sh", "-ec", documented("tctl instances label").split("\n")[1] ?? ""]);
      const name = "root@web1.example.com";
      await asPerson(desk, "rm", "/home/ordinary/.svc/known_hosts");
      expect((await asPerson(desk, "ssh", "-o", "StrictHostKeyChecking=yes", name, "true")).status).toBe(0);

      const forwarding = ["ssh", "-f", "-N", "-L", "127.0.0.1:5001:127.0.0.1:22", name];
      const reading = "nc -w 3 127.0.0.1 5001 </dev/null";
      const forwarded = await asPerson(desk, "sh", "-c", `${forwarding.join(" ")} && ${reading}; pkill -f 127.0.0.1:5001`);
      expect(forwarded.stdout).toMatch(/^SSH-2\.0-OpenSSH/);

      const lasting = asPerson(desk, "tsh", "ssh", `root@${id}`, "--", "echo open; sleep 300");
      await until("the shell to be open", 30_000, async () =>
        (await host.run(["pgrep", "-x", "sleep"])).status === 0 ? true : undefined,
      );
      // The role is gone for an open shell too.
      await tctl(cluster, "users", "update", "alice", "--set-roles=access");
      expect(await lasting).toMatchObject({ status: 255, stdout: "open\n" });
      await until("the audit to say so", 15_000, async () => {
        const ended = await tctl(cluster, "audit", "ls", "--event=shell.closed");
        return ended.includes("no role allows root there any more") && ended.includes("the person ended it") ? true : undefined;
      });
      expect((await asPerson(desk, "tsh", "ssh", `root@${id}`, "--", "true")).status).toBe(77);
    } catch (failure) {
      throw await withJournal(cluster, failure);
    } finally {
      await Promise.all([cluster.stop(), desk.stop()]);
    }
  }),
);
