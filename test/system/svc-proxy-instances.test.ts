import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeAuthority } from "./lab/certificate.ts";
import { bootHost, type Host } from "./lab/host.ts";
import { startNginx, type Nginx } from "./lab/nginx.ts";
import { inLab } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { askInLoop, clientFor, type Asking, type Heard } from "./server/asker.ts";
import { excerpt } from "../documents.ts";
import { startInstance, type Instance } from "./server/instance.ts";
import { channelPath } from "./server/on-host.ts";

const channels = "{stable/cloud: {static_version: v15.4.6}}";
// With room for the loop below, which asks more than the hosts of a site do.
const site = excerpt("nginx").replace("rate=50r/s", "rate=100000r/s");

type Pair = {
  readonly host: Host;
  readonly nginx: Nginx;
  readonly instances: readonly [Instance, Instance];
  readonly asking: Asking;
};

/** Two instances that share nothing but their configuration, and nginx before them as an operator would set it. */
function withPair(play: (pair: Pair) => Promise<void>): ReturnType<typeof inLab> {
  return inLab(async () => {
    const host = await bootHost({ suite: "bookworm" });
    try {
      const authority = await makeAuthority(join(host.directory, "authority"));
      const certificate = await authority.issue("nginx", ["DNS:outer.test"]);
      const instances = [
        await startInstance(host, { name: "first", channels }),
        await startInstance(host, { name: "second", channels }),
      ] as const;
      const [first, second] = instances.map(({ port }) => `127.0.0.1:${port}`);
      const text = site.replace("192.0.2.11:3080", first!).replace("192.0.2.12:3080", second!);
      const nginx = await startNginx(host, { site: text, certificate });
      const url = `https://${host.network.outerAddress}:${nginx.port}${channelPath("stable/cloud")}/version`;
      await host.copyIn(authority.caFile, "/root/ca.pem");
      await play({ host, nginx, instances, asking: { url, ca: await readFile(authority.caFile, "utf8") } });
    } finally {
      await host.stop();
    }
  });
}

async function digestOf(instance: Instance): Promise<string> {
  return (await instance.command("config", "digest")).stdout.trim();
}

/** What so many questions in a row come to, each once. */
async function heardBy(asking: Asking, questions: number): Promise<readonly Heard[]> {
  const { ask, close } = clientFor(asking);
  const heard = new Map<string, Heard>();
  for (let left = questions; left > 0; left -= 1) {
    const one = await ask();
    heard.set(JSON.stringify(one), one);
  }
  close();
  return [...heard.values()];
}

describe("two instances behind nginx", () => {
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    test(
      `lose no question when one of them gets ${signal} in the midst of them, and none when it comes back`,
      withPair(async ({ host, nginx, instances: [first, second], asking }) => {
        const url = asking.url.replace(host.network.outerAddress, "outer.test");
        expect(await host.mustRun(["curl", "--silent", "--show-error", "--cacert", "/root/ca.pem", url])).toBe("v15.4.6\n");
        const loop = askInLoop(asking, 8);
        const more = (questions: number): Promise<true> => {
          const wanted = loop.count() + questions;
          return until(`${questions} more questions`, 120_000, () => (loop.count() >= wanted ? true : undefined));
        };
        await more(500);
        await first.end(signal);
        await more(1500);
        await first.start();
        await more(500);
        // It is asked again: the other one may go now.
        await until("the first to be asked again", 60_000, async () => ((await asked(first)) > 0 ? true : undefined));
        await second.end(signal);
        await more(1500);
        await loop.stop();
        const good = JSON.stringify({ status: 200, body: "v15.4.6\n", channels: await digestOf(first) });
        expect([...loop.heard.keys()]).toEqual([good]);
        expect(await nginx.errors()).toMatch(/while (?:connecting to upstream|reading response header from upstream)/);
      }),
    );
  }

  test(
    "that do not have the same channels are found by the digest in every answer, and by that of their files",
    withPair(async ({ instances, asking }) => {
      const digest = await digestOf(instances[0]);
      const same = { status: 200, body: "v15.4.6\n", channels: digest };
      expect(await heardBy(asking, 20)).toEqual([same]);

      await instances[1].reload("{stable/cloud: {static_version: v15.4.9}}");
      const other = await digestOf(instances[1]);
      expect(other).not.toBe(digest);
      const flapping = await heardBy(asking, 20);
      expect(flapping).toHaveLength(2);
      expect(flapping).toEqual(expect.arrayContaining([same, { status: 200, body: "v15.4.9\n", channels: other }]));

      await instances[1].reload(channels);
      expect(await heardBy(asking, 20)).toEqual([same]);
    }),
  );
});

/** How many questions an instance has answered since it was started. */
async function asked({ lookPort }: Instance): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${lookPort}/metrics`)).text();
  return Number(/^svc_proxy_request_duration_seconds_count (\d+)$/m.exec(metrics)?.[1] ?? 0);
}
