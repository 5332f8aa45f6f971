import { expect, test } from "vitest";
import { findClockKeeper } from "../../../src/updater/doctor/clock.ts";
import type { RunCommand } from "../../../src/machine/processes/command.ts";

/** A systemd that knows these units alone. */
const knowing =
  (...units: readonly string[]): RunCommand =>
  ({ argv }) =>
    Promise.resolve({
      kind: "exited",
      status: 0,
      stdout: `LoadState=${units.includes(argv.at(-1) ?? "") ? "loaded" : "not-found"}\n`,
      stderr: "",
    });

test.each([
  [["chrony.service", "systemd-timesyncd.service"], "sudo systemctl enable --now chrony.service && sudo chronyc makestep"],
  [["chronyd.service"], "sudo systemctl enable --now chronyd.service && sudo chronyc makestep"],
  [["systemd-timesyncd.service"], "sudo timedatectl set-ntp true"],
  [["ntpsec.service"], "sudo systemctl enable --now ntpsec.service"],
])("of %j the clock is kept by %s", async (units, start) => {
  expect((await findClockKeeper(knowing(...units)))?.start).toBe(start);
});
