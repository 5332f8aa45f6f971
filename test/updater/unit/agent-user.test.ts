import { describe, expect, test } from "vitest";
import type { RunCommand } from "../../../src/machine/processes/command.ts";
import type { UnitName } from "../../../src/rules/settings/settings.ts";
import { userOf } from "../../../src/updater/doctor/account.ts";

const unit = "svc.service" as UnitName;

function showing(stdout: string): RunCommand {
  return async ({ argv }) =>
    argv.join(" ") === "systemctl show --property=User,DynamicUser -- svc.service"
      ? { kind: "exited", status: 0, stdout, stderr: "" }
      : { kind: "exited", status: 1, stdout: "", stderr: "not asked for here" };
}

describe("the user of a unit", () => {
  test.each([
    ["User=\nDynamicUser=no\n", { name: "root", kind: "lasting" }],
    ["DynamicUser=no\nUser=svc\n", { name: "svc", kind: "lasting" }],
    ["User=\nDynamicUser=yes\n", { name: "svc", kind: "fleeting" }],
    ["User=other\nDynamicUser=yes\n", { name: "other", kind: "fleeting" }],
  ])("is read from %j", async (output, user) => {
    expect(await userOf(showing(output), unit)).toEqual(user);
  });
});
