import { describe, expect, test } from "vitest";
import type { CommandResult, RunCommand } from "../../../src/machine/processes/command.ts";
import { askTimeKeeping, type TimeKeeping } from "../../../src/updater/doctor/clock.ts";

/** What systemd's two programs say: whether this is a container, and who keeps the clock. */
function host(container: "yes" | "no", timedatectl: string | undefined): RunCommand {
  const ended = (status: number, stdout: string): CommandResult => ({ kind: "exited", status, stdout, stderr: "" });
  return async ({ argv }) => {
    if (argv[0] === "systemd-detect-virt") return ended(container === "yes" ? 0 : 1, "");
    return timedatectl === undefined ? ended(1, "") : ended(0, timedatectl);
  };
}

describe("who keeps the clock", () => {
  test.each<readonly [TimeKeeping, "yes" | "no", string | undefined]>([
    ["around", "yes", "CanNTP=no\nNTP=no\nNTPSynchronized=no\n"],
    ["synchronised", "no", "CanNTP=no\nNTP=no\nNTPSynchronized=yes\n"],
    ["not-yet", "no", "CanNTP=yes\nNTP=yes\nNTPSynchronized=no\n"],
    ["off", "no", "CanNTP=yes\nNTP=no\nNTPSynchronized=no\n"],
    ["nobody", "no", "CanNTP=no\nNTP=no\nNTPSynchronized=no\n"],
    ["unknown", "no", undefined],
  ])("is %s in container: %s with %j", async (keeping, container, timedatectl) => {
    expect(await askTimeKeeping(host(container, timedatectl))).toBe(keeping);
  });
});
