import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rootSocketPath } from "../../../src/cluster/auth/root-socket.ts";
import type { ClusterId } from "../../../src/cluster/identity/names.ts";
import { askChannel } from "../../../src/machine/network/ask-channel.ts";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
import type { HostId } from "../../../src/rules/channel/asking-host.ts";
import { createAuthority } from "../../machine/network/fixture/authority.ts";
import { fakePorts, questionFor } from "../../machine/network/fixture/ports.ts";
import { blockIn, updateBlock } from "../../documents.ts";
import { askAt } from "../auth/ask.ts";
import { call, joinableAt } from "../auth/hosts.ts";
import { freePort, place, service, typed } from "./process.ts";

const rollout = `kind: rollout
version: v1
metadata: {name: agents}
spec:
  channel: default
  target: v15.4.6
  stages:
    - {name: canary, select: {labels: {env: canary}}, soak: 1s}
    - {name: rest, select: others, soak: 1s}
`;

test("a version that fails in the canary stage halts there: no other host is told, and an undo tells nobody", async () => {
  const authority = createAuthority("our own");
  const [auth, ops, web, look] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  using at = place("");
  try {
    const { cert, key } = authority.issue({ name: "proxy", altName: "DNS:localhost" });
    writeFileSync(join(at.directory, "proxy.pem"), cert);
    writeFileSync(join(at.directory, "proxy.key"), key, { mode: 0o600 });
    at.write(`svc: {data_dir: DIR/data}
auth_service: {cluster_name: example, listen_addr: 127.0.0.1:${auth}, diag_addr: 127.0.0.1:${ops}}
proxy_service:
  public_addr: localhost:${web}
  web_listen_addr: 127.0.0.1:${web}
  diag_addr: 127.0.0.1:${look}
  https_keypairs: [{key_file: DIR/proxy.key, cert_file: DIR/proxy.pem}]
  automatic_upgrades_channels: {default: {static_version: v15.4.5}}
`);
    await using svc = await service(at.config);
    await svc.said("has joined the cluster of its auth service");
    const root = (...words: readonly string[]) => typed("tctl", ...words, "-c", at.config);
    const ask = askAt(rootSocketPath(join(at.directory, "data")));
    const identity = JSON.parse(readFileSync(join(at.directory, "data/identity/proxy.json"), "utf8")) as {
      readonly cluster: { readonly id: ClusterId };
      readonly authorities: string;
    };
    const hosts = joinableAt({ cluster: identity.cluster.id, ca: identity.authorities, port: auth, ask });

    /** A host that reports, and asks as the updater does. */
    async function host(env: string) {
      const { id, trusting } = await hosts.join("node");
      await root("instances", "label", id, `env=${env}`);
      const name = randomUUID().replaceAll("-", "") as HostId;
      let counter = 0;
      const boot = randomUUID();
      return {
        id,
        says: async (installed: string, outcome?: object): Promise<void> => {
          counter += 1;
          const updater = { kind: "unit", package: "agent", channel: "default", installed, asksAs: name, outcome };
          const about = { hostname: `web-${env}`, services: ["node"], version: "15.4.5" };
          await call(trusting, "InventoryService/Report", { bootId: boot, counter, ...about, updater });
        },
        asks: async (): Promise<string> => {
          const question = { ...questionFor(`https://localhost:${web}`), channel: "default" as ChannelName };
          const answer = await askChannel(
            question,
            fakePorts({ systemStores: [authority.file], ownName: () => Promise.resolve(name) }),
          );
          return answer.kind === "served" && answer.served.kind === "version" ? answer.served.version : JSON.stringify(answer);
        },
      };
    }
    const [canary, other] = [await host("canary"), await host("prod")];
    await canary.says("15.4.5");
    await other.says("15.4.5");
    expect([await canary.asks(), await other.asks()]).toEqual(["15.4.5", "15.4.5"]);

    writeFileSync(join(at.directory, "rollout.yaml"), rollout);
    const made = await root("create", join(at.directory, "rollout.yaml"));
    expect([made.status, made.error]).toEqual([0, ""]);
    await expect.poll(() => canary.asks(), { timeout: 20_000 }).toBe("15.4.6");
    expect(await other.asks()).toBe("15.4.5");
    expect((await root("rollout", "ls")).out).toMatch(/default +agents +v15\.4\.6 +moving +canary is moving: 0 of 1 proven/);

    const another = join(at.directory, "another.yaml");
    writeFileSync(another, rollout.replace("agents", "others"));
    expect((await root("create", another)).error).toMatch(/has the rollout agents\n.*edit rollout\/agents/);

    const early = await root("rollout", "watch", "default", "--every=1s", "--timeout=1s");
    expect([early.status, early.error]).toEqual([75, expect.stringContaining("is not done after 1s, and goes on")]);
    expect(early.out).toMatch(/^\S+Z canary is moving: 0 of 1 proven, 0 of 1 failures until it halts\n$/);
    const watched = root("rollout", "watch", "default", "--every=1s");

    const later = new Date(Date.now() + 1000).toISOString();
    await canary.says("15.4.5", { kind: "undone", version: "15.4.6", fault: "unhealthy", at: later });
    await expect
      .poll(async () => (await root("rollout", "status", "default")).out, { timeout: 20_000 })
      .toContain("halted in canary");
    const [halted = "", who] = (await root("rollout", "status", "default")).out.split(/(?=\nStage +Server ID)/);
    expect(who).toMatch(new RegExp(`canary +${canary.id} +web-canary +unhealthy`));
    const told = halted.replace(/ at \S+Z/, " at 2026-12-01T02:20:00Z");
    const shown = `$ tctl rollout status default\n${told}`.replaceAll(/^(?=.)/gm, "    ").replaceAll(/ +$/gm, "");
    updateBlock("rollout-status", `\n${shown}\n`);
    expect(blockIn("rollout-status").trim()).toBe(shown.trim());
    const { status, out } = await watched;
    expect([status, out]).toEqual([
      69,
      // The watch may have begun after the host failed.
      expect.stringMatching(/\S+Z halted in canary at .*: 1 host failed/),
    ]);
    // Who is not at the target is told what was served before.
    await expect.poll(() => canary.asks(), { timeout: 10_000 }).toBe("15.4.5");
    expect(await other.asks()).toBe("15.4.5");

    const asked = await root("rollout", "undo", "default");
    expect([asked.status, asked.out]).toEqual([64, ""]);
    expect(asked.error).toContain("nothing was undone yet: no host has v15.4.6");
    expect(asked.error).toContain("rollout undo default --yes");
    expect((await root("rollout", "undo", "default", "--yes", "--why", "it is bad")).out).toContain("undone by root@");
    expect((await root("rm", "rollout/agents")).status).toBe(0);
    expect((await root("rollout", "ls")).out).toMatch(
      /default +- +v15\.4\.6 +removed +its rollout was removed: hosts are told v15\.4\.5, until `tctl .*rollout release default`/,
    );
    expect((await root("rollout", "watch", "default", "--timeout=10s")).status).toBe(69);
    expect((await root("rollout", "release", "default")).out).toBe(
      "default is served by the proxies' own files again: v15.4.5\nin force on 1 of 1 proxy\n",
    );
    expect([await canary.asks(), await other.asks()]).toEqual(["15.4.5", "15.4.5"]);
  } finally {
    authority.remove();
  }
});
