import { equal, match } from "node:assert/strict";
import { endLease, takeLease } from "../../system/hostile/lease.ts";
import { expectStay } from "../expect-pass.ts";
import { inEachFamily, type Row } from "../scenario.ts";
import { serveNext } from "../staging.ts";

const schedule = "/etc/svc-upgrade.d/schedule";
const environment = "/etc/default/svc";
/** A lease keeps whoever waits for 45 seconds. */
const longestMs = 20_000;

/** Files of the agent's user that keep their reader waiting. test/system/silent.test.ts has file systems that do. */
export const leases: Row = {
  scenarios: inEachFamily(51, "the agent's user has a lease on the schedule and on the agent's environment", async (stage) => {
    const { host } = stage;
    await serveNext(stage);
    const usual = await host.read(schedule);
    await host.write(schedule, usual, { owner: "ordinary:" });
    await host.write(environment, "", { owner: "ordinary:" });
    await takeLease(host, schedule, environment);
    await expectStay(stage, "schedule-invalid");
    const { stdout } = await host.enter(["svc-upgrade", "schedule"], { timeoutMs: longestMs });
    match(stdout, /the file is not used: resource temporarily unavailable/);
    const show = ["systemctl", "show", "--property=Id", "--value", "dbus.service"];
    equal((await host.enter(show, { timeoutMs: longestMs })).stdout, "dbus.service\n");
    await endLease(host);
    await host.mustRun(["rm", environment]);
    await host.write(schedule, usual);
  }),
  unstaged: [],
};
