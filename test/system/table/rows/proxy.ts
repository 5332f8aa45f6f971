import { expect } from "vitest";
import { longestAskMs } from "../../../../src/machine/network/ask-channel.ts";
import { proxyUrl, setVariables, stageBehindProxy, type ProxiedStage } from "../../behind-proxy.ts";
import type { Manners } from "../../families/family.ts";
import { mannersOf } from "../../families/of-suite.ts";
import { buildAgent } from "../../lab/agent.ts";
import type { Suite } from "../../lab/base.ts";
import { startSquid, startTinyproxy, type Credentials, type StartProxy } from "../../lab/proxy.ts";
import { until } from "../../lab/until.ts";
import type { Wall } from "../../lab/wall.ts";
import { expectRunning } from "../../moves.ts";
import { configure, hurryTimer, installedVersion, journalOfLastRun, schedule, stopTimer, tick } from "../../updater.ts";
import type { Chapter } from "../row.ts";
import { forget, keepAgent, putBackAgent, restartAtOnce } from "../scene.ts";

type Way = { readonly start: StartProxy; readonly scheme: "http" | "https"; readonly credentials: Credentials };
type Scene = ProxiedStage & { readonly manners: Manners; readonly url: string };

const signs: Credentials = { user: "fl@et", password: "s3cret:Pa&ss" };
/** tinyproxy's configuration takes letters, digits and few signs. */
const simple: Credentials = { user: "fleet", password: "s3cret-Pass" };

/** Each proxy and each way to speak to one stands beside an old and a new systemd, apt, dnf and zypper. */
const ways: Readonly<Record<Suite, Way>> = {
  bullseye: { start: startSquid, scheme: "https", credentials: signs },
  bookworm: { start: startSquid, scheme: "http", credentials: signs },
  trixie: { start: startTinyproxy, scheme: "http", credentials: simple },
  sid: { start: startSquid, scheme: "https", credentials: signs },
  yum: { start: startSquid, scheme: "http", credentials: signs },
  zypper: { start: startSquid, scheme: "https", credentials: signs },
};

const dead = "http://10.255.255.1:3128";

/** Each hop once more, in the proxy's own words, and since then no packet but to it. */
async function proveHops(
  { proxy, wall, versions, repositories: [byHttp, byHttps], manners }: Scene,
  before: Awaited<ReturnType<Wall["counted"]>>,
): Promise<void> {
  const asked = await proxy.requests();
  expect(asked).toContain(`CONNECT ${new URL(versions.httpsEndpoint).host}`);
  expect(asked).toContain(`CONNECT ${new URL(byHttps.url).host}`);
  expect(asked).toContain(`GET ${byHttp.url}${manners.lists}`);
  // What the repositories were asked for came through the proxy: its log has as many hops as they had callers.
  for (const { server } of [byHttp, byHttps]) expect(server.requests.some(({ path }) => path.endsWith(manners.lists))).toBe(true);
  const { door, elsewhere } = await wall.counted();
  expect(door).toBeGreaterThan(before.door);
  expect(elsewhere).toBe(before.elsewhere);
}

export const proxy: Chapter<Scene> = {
  title: "has no way out but a proxy that wants a password",
  open: async (host) => {
    const way = ways[host.suite];
    const stage = await stageBehindProxy(host, way);
    await keepAgent(host, await buildAgent(host, { version: "15.4.5" }));
    return { ...stage, manners: mannersOf(host.suite), url: proxyUrl(way.scheme, stage.proxy, way.credentials) };
  },
  begin: async ({ host, versions, manners, url }) => {
    await forget(host);
    await configure(host, `endpoint: ${versions.httpsEndpoint}\n`);
    await restartAtOnce(host);
    await schedule(host, "open");
    await setVariables(host, { HTTPS_PROXY: url, HTTP_PROXY: url });
    await putBackAgent(host, manners);
  },
  rows: [
    {
      title: "is looked at and upgraded from the timer through it, and sends no packet elsewhere",
      play: async (scene) => {
        const { host, versions, url, wall } = scene;
        const before = await wall.counted();
        const dry = await host.run(["svc-upgrade", "dry-run"]);
        expect([dry.status, dry.stdout]).toEqual([0, "an upgrade is available (15.4.5 -> 15.4.6)\n"]);
        const { protocol, host: address } = new URL(url);
        const route = await host.run(["svc-upgrade", "route"]);
        expect(route.stdout).toBe(`proxy ${protocol}//${address} (HTTPS_PROXY in /etc/default/svc)\n`);

        await hurryTimer(host);
        await until("the timer's pass upgrades", 90_000, async () =>
          (await installedVersion(host)).startsWith("15.4.6") ? true : undefined,
        );
        await stopTimer(host);
        await expectRunning(host, "15.4.6");
        await proveHops(scene, before);
        // The name is known to the proxy alone.
        expect((await host.run(["getent", "hosts", new URL(versions.httpsEndpoint).hostname])).status).not.toBe(0);
      },
    },
    {
      title: "takes the proxy of the variables before one that an admin gave to the manager, and shows the password nowhere",
      play: async (scene) => {
        const { host, manners, wall } = scene;
        const before = await wall.counted();
        await manners.ownProxy(host, dead);
        expect(await tick(host)).toBe(0);
        await expectRunning(host, "15.4.6");
        await proveHops(scene, before);

        await host.mustRun(["sh", "-c", "journalctl --sync; journalctl --output=export --all >/root/journal.txt"]);
        const { password } = scene.credentials;
        const forms = [password, encodeURIComponent(password)].flatMap((form) => ["-e", form]);
        const folders = ["/etc", "/var", "/run", "/root", "/tmp"];
        const { stdout } = await host.enter(["grep", "-r", "-l", "-a", "-F", "--devices=skip", ...forms, ...folders]);
        // What was last read is kept by both units that go by it, for the day when that file cannot be read.
        const kept = ["svc-upgrade", "svc-upgrade-decide"].map((name) => `/var/lib/${name}/proxies.json`);
        expect(stdout.trim().split("\n").toSorted()).toEqual(["/etc/default/svc", ...kept.toSorted()]);
        const modes = await host.mustRun(["stat", "--format=%a %U", ...kept]);
        expect(modes).toBe("600 root\n600 svc-upgrade\n");
      },
    },
    {
      title: "says within its deadlines that it reaches nothing, and what may be missing, where no variable names it",
      play: async ({ host, wall }) => {
        await setVariables(host, {});
        const before = await wall.counted();
        const dry = await host.run(["svc-upgrade", "dry-run"], { timeoutMs: 2 * longestAskMs });
        expect([dry.status, dry.stdout]).toEqual([75, ""]);
        expect(dry.stderr).toMatch(/outer\.test:\d+\/\S* cannot be reached directly \(no HTTPS_PROXY is set\): no name server/);
        expect(dry.stderr).toContain("if this host needs a proxy, set HTTPS_PROXY in /etc/default/svc");
        expect(await tick(host)).toBe(75);
        expect((await journalOfLastRun(host)).join("\n")).toContain("no HTTPS_PROXY is set");
        // It was the wall that kept it in, so the wall counts.
        expect((await wall.counted()).elsewhere).toBeGreaterThan(before.elsewhere);
        await expectRunning(host, "15.4.5");
      },
    },
  ],
};
