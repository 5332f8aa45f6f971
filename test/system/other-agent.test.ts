import { describe, expect, test } from "vitest";
import { excerpt } from "../documents.ts";
import { proxyUrl } from "./behind-proxy.ts";
import { acme, buildAcmeAgent } from "./lab/acme-agent.ts";
import type { Suite } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { packageVersion } from "./lab/package.ts";
import { installPackage, refreshLists } from "./lab/package-tools.ts";
import { bootPrepared } from "./lab/prepared.ts";
import { proxyName, startSquid, type LabProxy } from "./lab/proxy.ts";
import { serveRepository, type Repository } from "./lab/repository.ts";
import { inLab, withJournal, type LabTest } from "./lab/scenario.ts";
import { serveVersions, type VersionServer } from "./lab/version-server.ts";
import { buildWall } from "./lab/wall.ts";
import { lastPass } from "./moves.ts";
import { configure, installedVersion, tick, withUpdater } from "./updater.ts";

const credentials = { user: "fleet", password: "s3cret-Pass" };
const loopback = "127.0.0.1";

type Acme = {
  readonly host: Host;
  readonly proxy: LabProxy;
  readonly repository: Repository;
  readonly versions: VersionServer;
};

/** Acme's agent at 15.4.5, on a host whose only way out is the proxy that its environment file names. */
function withAcme(suite: Suite, play: (stage: Acme) => Promise<void>): LabTest {
  return inLab(async () => {
    const host = await bootPrepared(withUpdater({ suite }));
    try {
      await play(await stageOn(host));
    } catch (failure) {
      throw await withJournal(host, failure);
    } finally {
      await host.stop();
    }
  });
}

async function stageOn(host: Host): Promise<Acme> {
  const versions = await serveVersions(host, { address: loopback });
  const { authority } = versions;
  await authority.trustIn(host);
  const first = await serveRepository(host, "first");
  await first.publish(await buildAcmeAgent(host, { version: "15.4.5" }));
  await refreshLists(host);
  await installPackage(host, acme.package, "15.4.5");
  await host.mustRun(["rm", first.sourcesFile]);
  await first.server.goDown();

  const certificate = await authority.issue("repository", ["DNS:outer.test"]);
  const repository = await serveRepository(host, "acme", { address: loopback, certificate });
  await repository.publish(await buildAcmeAgent(host, { version: "15.4.5" }), await buildAcmeAgent(host, { version: "15.4.6" }));
  versions.serve("default", { version: "v15.4.6" });
  const proxy = await startSquid(host, { credentials });
  await host.write("/etc/hosts", `127.0.0.1 localhost agent-host\n${host.network.outerAddress} ${proxyName}\n`);
  await buildWall(host, proxy.port);

  await host.write(acme.config, `acme:\n  cluster: {address: "${addressOf(versions)}"}\n`);
  await host.write(acme.environment, `HTTPS_PROXY=${proxyUrl("http", proxy, credentials)}\n`, { mode: "0600" });
  await host.mustRun(["systemctl", "enable", "--now", "--quiet", acme.unit]);
  // The shipped half a minute is proved elsewhere.
  await configure(host, "health: {settle: 3s}\n");
  return { host, proxy, repository, versions };
}

function addressOf({ httpsEndpoint }: VersionServer): string {
  return new URL(httpsEndpoint).host;
}

/** As its user, who may replace what lies there by anything. */
function asAcme(host: Host, script: string): Promise<string> {
  return host.mustRun(["sh", "-euc", script], { user: acme.user });
}

/** As the agent exports it. */
function exportSchedule(host: Host, state: "open" | "closed"): Promise<string> {
  const start = Math.floor(Date.now() / 1000) + (state === "open" ? -60 : 7200);
  return asAcme(host, `echo '${start} ${start + 3600}' >${acme.schedule}`);
}

function typed(host: Host): Promise<string> {
  return host.mustRun(["sh", "-euc", excerpt("acme")], { timeoutMs: 180_000 });
}

/** No file that another agent has is there, before or after. */
async function expectNothingOfSvc(host: Host): Promise<void> {
  const names = ["/etc/svc.yaml", "/etc/default/svc", "/etc/svc-upgrade.d/schedule", "/usr/bin/svc"];
  expect((await host.run(["ls", "-d", ...names])).stdout).toBe("");
}

type Row = { readonly name: string; readonly verdict: string; readonly told: string };

async function doctorRows(host: Host): Promise<ReadonlyMap<string, Row>> {
  const { stdout } = await host.run(["svc-upgrade", "doctor", "--json"], { timeoutMs: 120_000 });
  const { checks } = JSON.parse(stdout) as { readonly checks: readonly Row[] };
  return new Map(checks.map((row) => [row.name, row]));
}

const purge = {
  apt: ["apt-get", "purge", "-y", "svc-ent-updater"],
  yum: ["rpm", "--erase", "svc-ent-updater"],
  zypper: ["rpm", "--erase", "svc-ent-updater"],
} as const;

describe.each(["bookworm", "bullseye", "yum", "zypper"] as const)("an agent of another make on %s", (suite) => {
  test(
    "is kept up to date by the one settings file of the documents, from its enrolment to the end of it",
    withAcme(suite, async ({ host, proxy, repository, versions }) => {
      const at = (version: string): string => packageVersion(host, version);
      await expectNothingOfSvc(host);
      const enrolled = await typed(host);
      expect(enrolled).toContain(`made ${acme.schedule}, for ${acme.user} to write`);
      expect(enrolled).toContain("an upgrade is available (15.4.5 -> 15.4.6)");
      expect(await host.mustRun(["stat", "-c", "%U %a %n", "/var/lib/acme/upgrade", acme.schedule])).toBe(
        `${acme.user} 755 /var/lib/acme/upgrade\n${acme.user} 644 ${acme.schedule}\n`,
      );
      expect(await proxy.requests()).toContain(`CONNECT ${addressOf(versions)}`);
      // By the user of the unit alone, in the unit's own sandbox, and nobody else is needed for it.
      expect((await host.run(["svc-upgrade", "enroll", "--json"])).status).toBe(0);

      expect(await tick(host)).toBe(0);
      expect(await installedVersion(host, acme.package)).toBe(at("15.4.5"));
      await exportSchedule(host, "closed");
      expect(await tick(host)).toBe(0);
      expect((await lastPass(host)).decision).toMatchObject({ kind: "stay", why: "outside-window" });
      expect(await host.mustRun(["svc-upgrade", "schedule"])).toContain(acme.schedule);
      const rows = await doctorRows(host);
      expect(rows.get("schedule")).toMatchObject({
        verdict: "ok",
        told: expect.stringContaining(`${acme.schedule} has its next`),
      });
      expect(rows.get("route")).toMatchObject({
        verdict: "ok",
        told: expect.stringContaining(`through the proxy http://${proxyName}:`),
      });
      for (const name of ["settings", "proxy", "channel", "answer", "agent", "binary", "timer"]) {
        expect([rows.get(name)?.told, rows.get(name)?.verdict]).toEqual([expect.anything(), "ok"]);
      }
      expect(JSON.stringify([...rows])).not.toMatch(/\/etc\/svc\.yaml|\/etc\/default\/svc|svc-upgrade\.d/);

      await exportSchedule(host, "open");
      expect(await tick(host)).toBe(0);
      expect(await installedVersion(host, acme.package)).toBe(at("15.4.6"));
      expect(await proxy.requests()).toContain(`CONNECT ${new URL(repository.url).host}`);
      expect((await doctorRows(host)).get("binary")).toMatchObject({ verdict: "ok", told: expect.stringContaining("15.4.6") });
      const status = await host.mustRun(["svc-upgrade", "status"], { user: "ordinary" });
      expect(status).toContain(acme.schedule);

      await repository.publish(await buildAcmeAgent(host, { version: "15.4.7", start: "crashes" }));
      versions.serve("default", { version: "v15.4.7" });
      expect(await tick(host)).toBe(10);
      expect(await installedVersion(host, acme.package)).toBe(at("15.4.6"));
      expect((await host.run(["systemctl", "is-active", acme.unit])).stdout.trim()).toBe("active");

      versions.serve("default", { version: "v15.4.6" });
      expect(await host.mustRun(["svc-upgrade", "rollback"], { timeoutMs: 180_000 })).toContain("15.4.6 -> 15.4.5");
      expect(await installedVersion(host, acme.package)).toBe(at("15.4.5"));
      expect((await host.mustRun(["/opt/acme/bin/acmed", "--version"])).trim()).toBe("acmed 15.4.5 (build 7)");

      expect(await host.mustRun(["svc-upgrade", "unenroll"])).toContain(`gave ${acme.schedule} back to root`);
      await host.mustRun(purge[host.family], { env: { DEBIAN_FRONTEND: "noninteractive" }, timeoutMs: 120_000 });
      expect(await host.mustRun(["stat", "-c", "%U %n", acme.schedule, acme.config, acme.environment])).toBe(
        `root ${acme.schedule}\nroot ${acme.config}\nroot ${acme.environment}\n`,
      );
      await expectNothingOfSvc(host);
      expect(await host.journal("svc-upgrade.service")).not.toContain(credentials.password);
    }),
  );
});

test(
  "what the other agent's user puts in the place of its files holds nobody up and shows nothing",
  withAcme("bookworm", async ({ host, proxy, versions }) => {
    await typed(host);
    const whole = "root:x:0:0";
    const traps = [
      ["a link to what root alone may read", `ln -s /etc/shadow ${acme.schedule}`, "it is a symbolic link"],
      ["a named pipe", `mkfifo ${acme.schedule}`, "it is a named pipe"],
      ["a directory", `mkdir ${acme.schedule}`, "it is a directory"],
      ["a gigabyte", `truncate -s 1G ${acme.schedule}`, "it is larger than 65536 bytes"],
      [
        "a link on the way",
        `rmdir /var/lib/acme/upgrade && mkdir -p /var/lib/acme/other && ln -s /etc /var/lib/acme/upgrade`,
        '"upgrade" is a symbolic link that another user could have put there',
      ],
    ] as const;
    // Whoever looks in vain would find this where the last of them leads.
    await host.write("/etc/schedule", `${whole}\n`, { mode: "0600" });
    for (const [title, plant, why] of traps) {
      await asAcme(host, `rm -rf ${acme.schedule}; ${plant}`);
      expect([title, await tick(host)]).toEqual([title, 0]);
      expect([title, (await lastPass(host)).decision]).toMatchObject([title, { kind: "stay", why: "schedule-invalid" }]);
      const told = [
        await host.mustRun(["svc-upgrade", "status"]),
        (await host.run(["svc-upgrade", "schedule"])).stdout,
        (await doctorRows(host)).get("schedule")?.told ?? "",
      ];
      expect([title, told[1]?.replaceAll(/\s+/g, " ")]).toEqual([title, expect.stringContaining(why)]);
      expect(told.join("")).not.toContain("root:");
    }
    const journal = await host.journal("svc-upgrade.service");
    expect(journal).not.toContain("root:");
    // It goes back to root only where it is what was given.
    expect(await host.mustRun(["svc-upgrade", "unenroll"])).toContain(
      "left /var/lib/acme/upgrade as it is: it is a symbolic link",
    );
    expect(await host.mustRun(["stat", "-c", "%U %a", "/etc", "/etc/schedule", "/etc/shadow"])).toMatch(
      /^root 755\nroot 600\nroot 6?40\n$/,
    );

    for (const [plant, why] of [
      [`mkfifo ${acme.config}`, "it is a named pipe"],
      [`truncate -s 1G ${acme.config}`, "it is larger than 1048576 bytes"],
      [
        `echo 'acme: {cluster: {address: "evil.test:1"}}' >${acme.config} && chown ${acme.user} ${acme.config}`,
        "a file that belongs to user",
      ],
      [`echo 'acme: {cluster: [1]}' >${acme.config}`, "acme.cluster: a list (allowed: a mapping with address)"],
    ] as const) {
      await host.mustRun(["sh", "-euc", `rm -f ${acme.config}; ${plant}`]);
      const { status, stderr } = await host.run(["svc-upgrade", "enroll"]);
      expect([status, stderr]).toEqual([78, expect.stringContaining(why)]);
    }
    await host.mustRun(["sh", "-euc", `rm ${acme.config}; echo 'acme: {}' >${acme.config}`]);
    expect((await host.run(["svc-upgrade", "enroll"])).stderr).toContain(
      `neither a settings file nor ${acme.config} (acme.cluster.address) has one`,
    );
    await host.write(acme.config, `acme: {cluster: {address: "${addressOf(versions)}"}}\n`);

    // The host still goes by the proxy that was last read, and says which file it is about.
    await host.mustRun(["sh", "-euc", `rm ${acme.environment}; mkfifo ${acme.environment}`]);
    expect(await tick(host)).toBe(0);
    expect(await host.journal("svc-upgrade.service")).toContain(`path=${acme.environment}`);
    await host.mustRun([
      "sh",
      "-euc",
      `rm ${acme.environment}; echo 'HTTPS_PROXY=http://fleet:wrong-Pass@${proxyName}:${proxy.port}' >${acme.environment}`,
    ]);
    const refused = await doctorRows(host);
    expect(JSON.stringify(refused.get("proxy"))).toContain(`sudoedit ${acme.environment}`);
  }),
);
