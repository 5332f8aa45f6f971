import { describe, expect, test } from "vitest";
import { buildAgent } from "./lab/agent.ts";
import { rpmSuites } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { scenario } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { expectRunning, lastPass } from "./moves.ts";
import { configure, outdatedHost, runNow, withUpdater } from "./updater.ts";

/** What stands in rpm's database of the agent. */
async function instances(host: Host): Promise<number> {
  return (await host.enter(["rpm", "-q", "svc-ent"])).stdout.trim().split("\n").length;
}

describe.each(rpmSuites)("a power cut in the middle of a transaction of %s leaves two versions, and the next pass", (suite) => {
  for (const [title, served, passed] of [
    ["goes on to the new one", "v15.4.7", { recovered: { ended: "finished" }, outcome: { kind: "stayed" } }],
    ["goes on to it, and back to the old one", "v15.4.5", { recovered: { ended: "finished" }, outcome: { kind: "moved" } }],
  ] as const) {
    test(
      title,
      scenario(withUpdater({ suite }), async (stage) => {
        const { host, repository, versions } = stage;
        await outdatedHost(stage);
        await configure(host, "downgrade: allow\nagent: {activate: restart}\n", "60-quick");
        await repository.publish(await buildAgent(host, { version: "15.4.7", scripts: "held" }));
        versions.serve("default", { version: "v15.4.7" });
        const passing = runNow(host).catch(() => undefined);
        await until("both versions are in the database", 60_000, async () => ((await instances(host)) === 2 ? true : undefined));
        await host.powerCut();
        await passing;
        await host.boot();
        expect(await instances(host)).toBe(2);

        versions.serve("default", { version: served });
        expect((await runNow(host)).status).toBe(0);
        await expectRunning(host, served.slice(1));
        expect(await lastPass(host)).toMatchObject(passed);
        expect(await instances(host)).toBe(1);
        if (suite === "yum") expect(await host.mustRun(["yum", "-q", "check"])).toBe("");
      }),
    );
  }
});
