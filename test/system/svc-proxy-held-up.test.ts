import { describe, expect, test } from "vitest";
import { installBuilt } from "./built-package.ts";
import { endLease, takeLease } from "./hostile/lease.ts";
import { allowMounts, missingForSilence, silence } from "./hostile/silent.ts";
import type { Host } from "./lab/host.ts";
import { scenario } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { mainProcess } from "./main-process.ts";
import { clusterAt, configureServer, served, serverPackage, startServer, unit, unitState, withServer } from "./server/on-host.ts";

const environment = "/etc/default/svc";
const kept = "/var/lib/svc-proxy/proxies.env";
const proxy = "HTTPS_PROXY=http://proxy.test:3128";
const owner = { owner: "ordinary:" };

/** A lease keeps whoever waits for 45 seconds, a named pipe for ever. */
const longestMs = 20_000;

async function runningServer(host: Host): Promise<void> {
  await configureServer(host, clusterAt("v15.4.6"));
  await host.write(environment, `${proxy}\nTZ=Nowhere\n`, owner);
  await startServer(host);
  expect(await variables(host)).toContain(proxy);
}

async function variables(host: Host): Promise<readonly string[]> {
  return (await host.read(`/proc/${await mainProcess(host, unit)}/environ`)).split("\0");
}

/** Restarts the server; meanwhile systemd answers, of another unit. */
async function restart(host: Host): Promise<void> {
  await host.enter(["systemctl", "restart", "--no-block", unit], { timeoutMs: longestMs });
  const show = ["systemctl", "show", "--property=Id", "--value", "dbus.service"];
  expect(await host.enter(show, { timeoutMs: longestMs })).toMatchObject({ status: 0, stdout: "dbus.service\n" });
}

async function said(host: Host, words: string): Promise<void> {
  await until(`"${words}" is said`, longestMs, async () => ((await host.journal(unit)).includes(words) ? true : undefined));
}

async function isActive(host: Host): Promise<void> {
  await until("the server runs", longestMs, async () => ((await unitState(host)).active === "active" ? true : undefined));
}

const used = `the proxies are those last read: the environment file cannot be read path=${environment}`;

describe.each(["bullseye", "bookworm", "trixie"] as const)("an environment file that is another user's, on %s", (suite) => {
  test(
    "holds up neither systemd nor the server, which goes by the proxies that were read last",
    scenario(withServer({ suite }), async ({ host }) => {
      await runningServer(host);
      expect((await variables(host)).filter((variable) => variable.startsWith("TZ="))).toEqual([]);
      expect(await host.mustRun(["stat", "--format=%a %U", kept])).toBe("600 root\n");

      await takeLease(host, environment);
      await restart(host);
      await said(host, used);
      await isActive(host);
      expect(await variables(host)).toContain(proxy);
      await endLease(host);

      await host.mustRun(["sh", "-c", `rm ${environment} && mkfifo ${environment} && chown ordinary: ${environment}`]);
      await restart(host);
      await said(host, `${used} why="it is a named pipe"`);
      await isActive(host);
      expect(await variables(host)).toContain(proxy);
      await host.mustRun(["systemctl", "reload", unit], { timeoutMs: longestMs });
      const before = await mainProcess(host, unit);
      await installBuilt(host, serverPackage);
      expect(await mainProcess(host, unit)).not.toBe(before);
      expect([await variables(host), await served(host)]).toEqual([expect.arrayContaining([proxy]), "v15.4.6"]);
    }),
  );

  test(
    "lets no server start that has never read it, and by what is said it comes up by itself",
    scenario(withServer({ suite }), async ({ host }) => {
      await runningServer(host);
      await host.mustRun(["sh", "-c", `systemctl stop ${unit} && rm ${kept} && rm ${environment} && mkfifo ${environment}`]);
      await restart(host);
      const mend = `sudo mv ${environment} ${environment}.old && sudoedit ${environment}`;
      await said(host, `${environment} cannot be read, and no proxies were read before: it is a named pipe; `);
      await said(host, mend);
      expect((await unitState(host)).active).not.toBe("active");
      await host.mustRun(["sh", "-c", mend.replaceAll("sudo ", "").replace("sudoedit", `echo ${proxy} >`)]);
      await isActive(host);
      expect(await variables(host)).toContain(proxy);
    }),
  );
});

describe.skipIf(missingForSilence !== undefined)("a file system that never answers", () => {
  test(
    "holds up neither systemd nor the server in the place of the environment file",
    scenario(withServer({ suite: "bookworm", besides: ["fuse3"] }), async (stage) => {
      const { host } = stage;
      await allowMounts(stage);
      await runningServer(host);
      await silence(host, environment);
      await restart(host);
      await said(host, `it lies on ${environment}, where user 1000 has mounted a file system of its own (fuse)`);
      await isActive(host);
      expect(await variables(host)).toContain(proxy);
      await host.mustRun(["umount", "--force", "--lazy", environment]);
    }),
  );
});
