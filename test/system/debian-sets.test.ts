import { describe, expect, test } from "vitest";
import type { AgentSet } from "./lab/agent-set.ts";
import { controlOf, downloadPackage, reversion } from "./lab/debian-package.ts";
import { apache2, mariadb } from "./lab/debian-set.ts";
import { executablesOf } from "./lab/executables.ts";
import type { Host } from "./lab/host.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { lastPass } from "./moves.ts";
import { expectSet } from "./sets/whole.ts";
import { configure, runNow, schedule, tick, withUpdater } from "./updater.ts";

/** Packages of Debian whose dependencies are locked to one version, or whose companions break the old one. */
type Pair = Pick<AgentSet, "names" | "unit"> & {
  /** How a new version is made ill: a script that fails for it is in the way. */
  readonly makeIll: (host: Host, script: string) => Promise<void>;
};

const pairs: readonly Pair[] = [
  {
    ...apache2,
    makeIll: async (host, script) => {
      await host.write("/etc/systemd/system/apache2.service.d/ill.conf", `[Service]\nExecStartPre=${script}\n`);
      await host.mustRun(["systemctl", "daemon-reload"]);
    },
  },
  { ...mariadb, makeIll: illByHealth },
  // An epoch in its version, and a unit that says itself when it is ready.
  { names: ["redis-server", "redis-tools"], unit: "redis-server.service", makeIll: illByHealth },
  // Forks, from a script of /etc/init.d.
  { names: ["slapd", "libldap-2.5-0"], unit: "slapd.service", makeIll: illByHealth },
];

function illByHealth(host: Host, script: string): Promise<void> {
  return configure(host, `health: {settle: 2s, command: [${script}]}\n`, "60-ill");
}

const longestMs = 900_000;
const script = "/usr/local/bin/is-not-new";

/** The older set is installed, as the archive's own was before; the archive's is in the repository. */
async function installOlder({ host, repository }: Stage, names: readonly string[]): Promise<{ older: string; newer: string }> {
  const downloaded: string[] = [];
  for (const name of names) downloaded.push(await downloadPackage(host, name));
  const { version: newer } = await controlOf(downloaded[0] ?? "");
  const older = before(newer);
  await repository.publish(...(await reversion(host, downloaded, older)));
  await host.write("/etc/apt/preferences.d/lab", "Package: *\nPin: release o=Lab\nPin-Priority: 1001\n");
  await host.mustRun(["apt-get", "update"]);
  // None is named: what came by itself stays marked so.
  await host.mustRun(["apt-get", "dist-upgrade", "-y", "--allow-downgrades"], {
    env: { DEBIAN_FRONTEND: "noninteractive" },
    timeoutMs: 240_000,
  });
  await host.mustRun(["rm", "/etc/apt/preferences.d/lab"]);
  await repository.publish(...downloaded);
  await host.mustRun(["apt-get", "update"]);
  return { older, newer };
}

const upstream = /^((?:\d+:)?)(\d+\.\d+\.)(\d+)/;

/** "1:10.11.18-0+deb12u1" comes before "1:10.11.19-0+deb12u1". */
function before(version: string): string {
  return version.replace(upstream, (_, epoch: string, start: string, last: string) => `${epoch}${start}${Number(last) - 1}`);
}

function served(version: string): string {
  const [, , start, last] = upstream.exec(version) ?? [];
  return `${start}${last}`;
}

async function automatic(host: Host, names: readonly string[]): Promise<string> {
  return host.mustRun(["apt-mark", "showauto", ...names]);
}

/** The unit is up, and all its processes execute files that are installed now. */
async function expectUp(host: Host, unit: string): Promise<void> {
  expect((await host.run(["systemctl", "is-active", unit])).stdout.trim()).toBe("active");
  for (const executable of await executablesOf(host, unit)) expect(executable).toMatch(/^\/(?!.*\(deleted\)$)/);
}

describe.each(pairs)("$names.0 of Debian", ({ names, unit, makeIll }) => {
  const [name = ""] = names;

  test(
    "moves as a whole by settings alone, is undone as a whole when ill, and rolled back as a whole without a network",
    scenario(withUpdater({ suite: "bookworm", besides: [name] }), async (stage) => {
      const { host, versions } = stage;
      const { older, newer } = await installOlder(stage, names);
      const marked = await automatic(host, names);
      const expectAt = async (version: string): Promise<void> => {
        await expectSet(host, names, version);
        await expectUp(host, unit);
        expect(await automatic(host, names)).toBe(marked);
      };
      await expectAt(older);
      versions.serve("daemons", { version: served(newer) });
      await configure(
        host,
        `endpoint: ${versions.httpEndpoint}
allow_plain_http: true
channel: daemons
agent: {package: ${name}, unit: ${unit}}
keep_previous: require
health: {settle: 2s}
`,
      );
      await schedule(host, "open");

      await host.write(script, `#!/bin/sh\ntest "$(dpkg-query -W -f '\${Version}' ${name})" != ${newer}\n`, { mode: "0755" });
      await makeIll(host, script);
      expect(await tick(host)).toBe(10);
      expect(await lastPass(host)).toMatchObject({ outcome: { kind: "undone", to: older } });
      await expectAt(older);

      await host.write(script, "#!/bin/sh\n", { mode: "0755" });
      await host.mustRun(["svc-upgrade", "retry"]);
      const forth = await runNow(host);
      expect([forth.status, forth.stderr]).toEqual([0, expect.anything()]);
      expect(await lastPass(host)).toMatchObject({ outcome: { kind: "moved", from: older, to: newer } });
      await expectAt(newer);
      expect(await host.mustRun(["svc-upgrade", "status"])).toContain(`to ${older}`);

      await host.network.cable("out");
      const back = await host.run(["svc-upgrade", "rollback"], { timeoutMs: 180_000 });
      expect([back.status, back.stderr]).toEqual([0, expect.anything()]);
      expect(await lastPass(host)).toMatchObject({ outcome: { kind: "moved", from: newer, to: older } });
      await expectAt(older);

      await host.network.cable("in");
      await host.mustRun(["svc-upgrade", "retry"]);
      expect((await runNow(host)).status).toBe(0);
      await expectAt(newer);
    }),
    longestMs,
  );
});
