import { describe, expect, test } from "vitest";
import { litter, release } from "./hostile/answers.ts";
import { expectUpgrade, hostileHost, pass } from "./hostile/play.ts";
import { suites } from "./lab/base.ts";
import { scenario } from "./lab/scenario.ts";
import { withUpdater } from "./updater.ts";

const left = "left more than its answer: somebody may have taken it over";

describe.each(suites)("what a taken-over asking unit leaves, on %s,", (suite) => {
  test(
    "is small, and gone with the next question",
    scenario(withUpdater({ suite }), async (stage) => {
      const { host } = stage;
      await hostileHost(stage);
      expect((await pass(host)).status).toBe(0);
      await host.mustRun(["sh", "-c", litter]);
      expect((await pass(host)).status).toBe(75);
      const sizes = await host.mustRun(["find", "/run/private/svc-upgrade-ask", "-type", "f", "-printf", "%f %s\\n"]);
      expect(sizes.trim().split("\n").toSorted()).toEqual(["big 32768", "secret 2"]);
      await host.mustRun(["sh", "-c", release]);
      const { status, said } = await pass(host);
      expect([status, said]).toEqual([0, expect.stringContaining(left)]);
      expect(await host.mustRun(["ls", "-A", "/run/svc-upgrade-ask/"])).toBe("answer.json\n");
      // Links that it left were removed, and nothing behind them.
      await host.mustRun(["test", "-e", "/etc/passwd"]);
      expect((await pass(host)).said).not.toContain(left);
      await expectUpgrade(host);
    }),
  );
});
