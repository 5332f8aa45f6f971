import { equal } from "node:assert/strict";
import { proxyUrl, setVariables } from "../../system/behind-proxy.ts";
import { mustRun } from "../../system/lab/program.ts";
import { proxyName, startSquid, type LabProxy } from "../../system/lab/proxy.ts";
import { buildWall, type Wall } from "../../system/lab/wall.ts";
import { configure } from "../../system/updater.ts";
import { expectEnded, expectMoved } from "../expect-pass.ts";
import { inEachFamily, type Row } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { passWith, serveNext } from "../staging.ts";

const credentials = { user: "host", password: "p@ss w/rd" };

export const proxies: Row = {
  scenarios: [
    ...inEachFamily(25, "a proxy is the only way, and nothing tries another", (stage) =>
      behindProxy(stage, async (_, wall) => {
        await expectMoved(stage, await serveNext(stage));
        equal((await wall.counted()).elsewhere, 0);
      }),
    ),
    ...inEachFamily(25, "the proxy dies once the server has answered", (stage) =>
      behindProxy(stage, async (proxy) => {
        await serveNext(stage);
        const passed = await passWith(stage, "refresh", () => proxy.goDown());
        await expectEnded(stage, passed, { status: 75, outcome: { kind: "failed", back: undefined } });
      }),
    ),
  ],
  unstaged: [{ row: 25, name: "the first of two proxies is down", why: "the interface knows one proxy for each scheme" }],
};

/** The host's only way out is squid, which alone knows the servers' name. */
async function behindProxy(stage: Stage, work: (proxy: LabProxy, wall: Wall) => Promise<unknown>): Promise<void> {
  const { host, versions } = stage;
  const { outerAddress, namespacePath } = host.network;
  const proxy = await startSquid(host, { credentials, outerTest: outerAddress });
  await versions.authority.trustIn(host);
  await configure(host, `endpoint: ${versions.httpsEndpoint}\n`);
  const names = await host.read("/etc/hosts");
  await host.write("/etc/hosts", `127.0.0.1 localhost agent-host\n${outerAddress} ${proxyName}\n`);
  const wall = await buildWall(host, proxy.port);
  await useProxy(stage, proxyUrl("http", proxy, credentials));
  await work(proxy, wall);
  for (const argv of [
    ["nft", "delete", "table", "inet", "wall"],
    ["ip", "route", "delete", "default"],
  ]) {
    await mustRun(["nsenter", `--net=${namespacePath}`, ...argv]);
  }
  await host.write("/etc/hosts", names);
  await host.mustRun(["rm", "/etc/resolv.conf"]);
  await goDirect(stage);
}

function useProxy({ host }: Stage, url: string): Promise<void> {
  return setVariables(host, { HTTP_PROXY: url, HTTPS_PROXY: url });
}

async function goDirect({ host, versions }: Stage): Promise<void> {
  await host.mustRun(["rm", "/etc/default/svc"]);
  await configure(host, `endpoint: ${versions.httpEndpoint}\nallow_plain_http: true\n`);
}
