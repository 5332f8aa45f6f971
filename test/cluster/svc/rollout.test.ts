import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blockIn, updateBlock } from "../../documents.ts";
import { startCluster, type PlayedHost } from "./several-proxies.ts";

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
  await using cluster = await startCluster({ proxies: 1 });
  const { directory } = cluster.auth.at;
  const root = cluster.tctl;
  const served = async (host: PlayedHost): Promise<string> => {
    const answer = await host.asks(cluster.proxies[0]?.url ?? "");
    return answer.kind === "served" && answer.served.kind === "version" ? answer.served.version : JSON.stringify(answer);
  };
  const [canary, other] = [await cluster.host("canary"), await cluster.host("prod")];
  await canary.says();
  await other.says();
  expect([await served(canary), await served(other)]).toEqual(["15.4.5", "15.4.5"]);

  writeFileSync(join(directory, "rollout.yaml"), rollout);
  const made = await root("create", join(directory, "rollout.yaml"));
  expect([made.status, made.error]).toEqual([0, ""]);
  await expect.poll(() => served(canary)).toBe("15.4.6");
  expect(await served(other)).toBe("15.4.5");
  expect((await root("rollout", "ls")).out).toMatch(/default +agents +v15\.4\.6 +moving +canary is moving: 0 of 1 proven/);

  const another = join(directory, "another.yaml");
  writeFileSync(another, rollout.replace("agents", "others"));
  expect((await root("create", another)).error).toMatch(/has the rollout agents\n.*edit rollout\/agents/);

  const early = await root("rollout", "watch", "default", "--every=1s", "--timeout=1s");
  expect([early.status, early.error]).toEqual([75, expect.stringContaining("is not done after 1s, and goes on")]);
  expect(early.out).toMatch(/^\S+Z canary is moving: 0 of 1 proven, 0 of 1 failures until it halts\n$/);
  const watched = root("rollout", "watch", "default", "--every=1s");

  const later = new Date(Date.now() + 1000).toISOString();
  await canary.says({ kind: "undone", version: "15.4.6", fault: "unhealthy", at: later });
  await expect.poll(async () => (await root("rollout", "status", "default")).out).toContain("halted in canary");
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
  await expect.poll(() => served(canary), { timeout: 10_000 }).toBe("15.4.5");
  expect(await served(other)).toBe("15.4.5");

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
  expect([await served(canary), await served(other)]).toEqual(["15.4.5", "15.4.5"]);
});
