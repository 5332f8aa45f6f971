import { expect, test } from "vitest";
import { scenario } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { expectRunning } from "./moves.ts";
import { hurryTimer, installedVersion, outdatedHost, schedule, stopTimer, withUpdater } from "./updater.ts";

/** Scenarios of a pass stand in the table. This one is about an agent that becomes its new file when it reloads. */
test(
  "a pass from the timer makes the new file of an agent run that can reload into it",
  scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
    const { host } = stage;
    await outdatedHost(stage, "exec");
    await schedule(host, "open");
    const before = await host.mustRun(["systemctl", "show", "--property=MainPID", "--value", "svc.service"]);
    await hurryTimer(host);
    await until("the timer's pass upgrades", 60_000, async () =>
      (await installedVersion(host)) === "15.4.6" ? true : undefined,
    );
    await stopTimer(host);
    await expectRunning(host, "15.4.6");
    expect(await host.mustRun(["systemctl", "show", "--property=MainPID", "--value", "svc.service"])).toBe(before);
  }),
);
