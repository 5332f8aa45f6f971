import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { excerpt } from "../documents.ts";
import { buildAgent } from "./lab/agent.ts";
import { makeAuthority } from "./lab/certificate.ts";
import { freePort } from "../machine/network/fixture/free-port.ts";
import type { Host } from "./lab/host.ts";
import { startNginx } from "./lab/nginx.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { expectRunning, type PassOutcome } from "./moves.ts";
import { startInstance } from "./server/instance.ts";
import { channelPath } from "./server/on-host.ts";
import { configure, outdatedHost, schedule, tick, withUpdater } from "./updater.ts";

const bookworm = withUpdater({ suite: "bookworm" } as const);
const channel = "default";

type Pass = PassOutcome & { readonly served?: string };

/** A site, as nginx serves it to the host. The agent is at 15.4.5; the repository has more. */
async function behind(stage: Stage, site: string, settings: string = ""): Promise<void> {
  const { host, repository } = stage;
  await outdatedHost(stage);
  await repository.publish(await buildAgent(host, { version: "15.4.7" }), await buildAgent(host, { version: "15.4.8" }));
  const authority = await makeAuthority(join(host.directory, "before-nginx"));
  const certificate = await authority.issue("nginx", ["DNS:outer.test"]);
  const nginx = await startNginx(host, { site, certificate });
  await host.copyIn(authority.caFile, "/etc/svc-upgrade/cluster.pem");
  const endpoint = `endpoint: https://outer.test:${nginx.port}\nca_file: /etc/svc-upgrade/cluster.pem\n`;
  await configure(host, `${endpoint}health: {settle: 1s}\n${settings}`);
}

async function pass(host: Host): Promise<Pass> {
  expect(await tick(host)).toBe(0);
  const { passes } = JSON.parse(await host.read("/var/lib/svc-upgrade-decide/state.json")) as { passes: readonly Pass[] };
  return passes[0]!;
}

function told({ served, decision }: Pass): string {
  return `${served}: ${decision.kind} ${decision.why}`;
}

async function dryRun(
  host: Host,
): Promise<{ readonly served: string; readonly decision: PassOutcome["decision"]; readonly doubt?: string }> {
  return JSON.parse((await host.run(["svc-upgrade", "dry-run", "--json"])).stdout);
}

async function journal(host: Host): Promise<string> {
  return host.mustRun(["journalctl", "--unit=svc-upgrade", "--output=cat", "--no-pager"]);
}

describe("two svc-proxy behind nginx, of which one calls its version critical", () => {
  test(
    "hasten that version alone, and never the one of the other",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      const usual = await startInstance(host, { name: "usual", channels: `{${channel}: {static_version: v15.4.6}}` });
      const urgent = await startInstance(host, {
        name: "urgent",
        channels: `{${channel}: {static_version: v15.4.7, critical: yes}}`,
      });
      const site = excerpt("nginx")
        .replace("192.0.2.11:3080", `127.0.0.1:${usual.port}`)
        .replace("192.0.2.12:3080", `127.0.0.1:${urgent.port}`);
      await behind(stage, site);
      await schedule(host, "closed");

      const heard = new Set<string>();
      for (let asked = 0; asked < 12; asked += 1) {
        const { served, decision } = await dryRun(host);
        heard.add(`${served}: ${decision.kind} ${decision.why}`);
      }
      expect([...heard].toSorted()).toEqual(["15.4.6: stay outside-window", "15.4.7: move critical"]);

      const passes: string[] = [];
      while (!passes.includes("15.4.7: move critical") && passes.length < 12) passes.push(told(await pass(host)));
      expect(passes.slice(0, -1).filter((line) => line !== "15.4.6: stay outside-window")).toEqual([]);
      expect(passes.at(-1)).toBe("15.4.7: move critical");
      await expectRunning(host, "15.4.7");
    }),
  );
});

/** Servers that nobody here made: files, and no header of ours. */
type Files = {
  readonly site: string;
  readonly serve: (server: "one" | "other", version: string, critical?: string) => Promise<void>;
};

async function files(host: Host, { cache = "" }: { readonly cache?: string } = {}): Promise<Files> {
  const ports = [await freePort("127.0.0.1"), await freePort("127.0.0.1")];
  const rootOf = (server: string): string => join(host.directory, "www", server);
  const serve: Files["serve"] = async (server, version, critical = "no") => {
    const folder = join(rootOf(server), channelPath(channel));
    await mkdir(folder, { recursive: true });
    for (const [name, body] of [
      ["version", version],
      ["critical", critical],
    ] as const) {
      await writeFile(join(folder, `.${name}`), `${body}\n`);
      await rename(join(folder, `.${name}`), join(folder, name));
    }
  };
  const backends = ["one", "other"].map(
    (server, index) => `server { listen 127.0.0.1:${ports[index]}; root ${rootOf(server)}; default_type text/plain; }`,
  );
  const site = `
    ${backends.join("\n")}
    upstream files { ${ports.map((port) => `server 127.0.0.1:${port};`).join(" ")} }
    ${cache === "" ? "" : `proxy_cache_path ${join(host.directory, "cache")} keys_zone=answers:1m;`}
    server {
        listen 443 ssl;
        ssl_certificate /etc/ssl/proxy.pem;
        ssl_certificate_key /etc/ssl/proxy.key;
        location / { proxy_pass http://files; ${cache} }
    }`;
  return { site, serve };
}

describe("servers of files behind nginx, which say nothing but a version", () => {
  test(
    "never hasten a version by the word of another one; both together do with the second pass",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      const { site, serve } = await files(host);
      await serve("one", "v15.4.6");
      await serve("other", "v15.4.7", "yes");
      await behind(stage, site);
      await schedule(host, "closed");
      for (let passes = 0; passes < 8; passes += 1) expect((await pass(host)).decision.kind).toBe("stay");
      await expectRunning(host, "15.4.5");

      await serve("one", "v15.4.7", "yes");
      await pass(host);
      const waiting = await pass(host);
      expect(told(waiting)).toBe("15.4.7: stay outside-window");
      expect((await dryRun(host)).doubt).toMatch(/^it is called critical, which does not count yet: .* disagreed at /);
      expect(await host.mustRun(["svc-upgrade", "status"])).toMatch(/^critical {4}called so, which does not count yet: /m);

      // As on a host that has heard no disagreement for a day.
      await host.mustRun(["rm", "/var/lib/svc-upgrade-decide/state.json"]);
      expect(told(await pass(host))).toBe("15.4.7: stay outside-window");
      expect(await journal(host)).toContain(
        "which does not count yet: the version server does not say which version it means; it counts if the next answer is the same",
      );
      expect(told(await pass(host))).toBe("15.4.7: move critical");
      await expectRunning(host, "15.4.7");
    }),
  );

  test(
    "move the agent once where they serve two versions in turn and downgrades are allowed, and it is told once",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      const { site, serve } = await files(host);
      await serve("one", "v15.4.6");
      await serve("other", "v15.4.8");
      await behind(stage, site, "downgrade: allow\n");
      await schedule(host, "open");
      const moves: string[] = [];
      for (let passes = 0; passes < 8; passes += 1) {
        const { served, decision } = await pass(host);
        // The second question is about critical: each pass asks one server or both of them.
        moves.push(`${served} ${decision.kind} ${decision.why}`);
      }
      const moved = moves.filter((line) => line.includes("move"));
      expect(moved.length).toBeLessThanOrEqual(2);
      expect(moves).toContainEqual(expect.stringContaining("stay alternating"));
      const warnings = (await journal(host)).split("\n").filter((line) => line.includes("in turn: instances"));
      expect(warnings).toHaveLength(1);
      const status = JSON.parse((await host.run(["svc-upgrade", "status", "--json"])).stdout) as {
        alternating?: { versions: readonly string[] };
      };
      expect(status.alternating?.versions.toSorted()).toEqual(["15.4.6", "15.4.8"]);
      expect(await host.mustRun(["svc-upgrade", "status"])).toMatch(
        /^versions {4}the channel serves 15\.4\.\d and 15\.4\.\d in turn/m,
      );
    }),
  );

  test(
    "are not believed where a cache of another age answers one of the questions",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      const { site, serve } = await files(host, { cache: "proxy_cache answers; proxy_cache_valid 200 1h;" });
      await serve("one", "v15.4.6");
      await serve("other", "v15.4.6");
      await behind(stage, site);
      await schedule(host, "closed");
      // From then on the version is in the cache for an hour, and what is said of critical is not.
      const url = `$(sed -n 's/^endpoint: //p' /etc/svc-upgrade/50-test.yaml)${channelPath(channel)}/version`;
      await host.mustRun(["sh", "-c", `curl --silent --fail --cacert /etc/svc-upgrade/cluster.pem "${url}"`]);
      await serve("one", "v15.4.7", "yes");
      await serve("other", "v15.4.7", "yes");
      for (let passes = 0; passes < 3; passes += 1) expect(told(await pass(host))).toBe("15.4.6: stay outside-window");
      expect(await journal(host)).toContain(
        "which does not count yet: the version server was asked twice, and its two answers differ",
      );
      await expectRunning(host, "15.4.5");
    }),
  );
});
