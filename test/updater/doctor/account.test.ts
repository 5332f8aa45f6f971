import { describe, expect, test } from "vitest";
import { accountOf, parseId } from "../../../src/updater/doctor/account.ts";
import { runCommand } from "../../../src/machine/processes/run-command.ts";

describe("a user's account", () => {
  test.each([
    ["uid=1000(svc) gid=100(users) groups=100(users),4(adm),1000(svc)\n", { uid: 1000, gids: [100, 4, 1000] }],
    ["uid=61184(svc) gid=61184(svc)\n", { uid: 61_184, gids: [61_184] }],
    ["uid=12 gid=13 groups=13\n", { uid: 12, gids: [13] }],
    ["", undefined],
  ])("is read from %j", (output, account) => {
    expect(parseId(output)).toEqual(account);
  });

  test("is asked for by name or number, and undefined for a stranger", async () => {
    expect(await accountOf(runCommand, "root")).toMatchObject({ uid: 0 });
    expect(await accountOf(runCommand, "0")).toMatchObject({ uid: 0 });
    expect(await accountOf(runCommand, "nobody-of-that-name")).toBeUndefined();
    expect(await accountOf(runCommand, "--help")).toBeUndefined();
  });
});
