import { describe, expect, test } from "vitest";
import { Fault } from "../../../../src/rules/fault/fault.ts";
import type { FaultCode } from "../../../../src/rules/fault/table.ts";
import { makeWay } from "../../../../src/updater/package/rpm/make-way.ts";
import { mend } from "../../../../src/updater/package/rpm/mend.ts";
import type { RpmCalls } from "../../../../src/updater/package/rpm/calls.ts";
import { rpmThatIsNever } from "./never.ts";
import { agent, row } from "./on-host.ts";

/** An rpm whose every change ends so; it tells what it was let do. */
function rpm(
  rows: RpmCalls["rows"],
  status: number = 0,
  output: string = "",
): { readonly calls: RpmCalls; readonly acted: string[] } {
  const acted: string[] = [];
  const act: RpmCalls["act"] = async (args) => {
    acted.push(args.join(" "));
    return { status, stdout: "", output };
  };
  return { calls: { ...rpmThatIsNever("not asked for here"), rows, act }, acted };
}

describe("a transaction that did not finish, put in order by rpm", () => {
  const there =
    (...versions: readonly string[]): RpmCalls["rows"] =>
    async () =>
      versions.map(row);

  test("says what is left where it cannot be removed, with what to type and rpm's own words", async () => {
    const { calls, acted } = rpm(there("15.4.4", "15.4.5", "15.4.6"), 1, "error: something\n");
    await expect(makeWay(calls, { name: agent, version: "15.4.7-1" })).rejects.toMatchObject({
      code: "database-broken",
      message: "svc-ent-15.4.4-1.noarch is left of a transaction that did not finish, and could not be removed: error: something",
      hint: "try it by hand: `rpm -e --allmatches --noscripts --nodeps svc-ent-15.4.4-1.noarch`",
      cause: { code: "install-failed" },
    });
    expect(acted).toHaveLength(1);
  });
});

describe("rpm's indexes", () => {
  const failing = (code: FaultCode, times: number): RpmCalls["rows"] => {
    let left = times;
    return async () => {
      if (left > 0) throw new Fault(code, { message: `${(left -= 1)} left`, hint: "look" });
      return [];
    };
  };

  test("are left alone where rpm answers, and where it fails for another reason", async () => {
    const whole = rpm(async () => []);
    await mend(whole.calls, [agent]);
    const busy = rpm(failing("manager-busy", 1));
    await expect(mend(busy.calls, [agent])).rejects.toMatchObject({ code: "manager-busy" });
    expect([whole.acted, busy.acted]).toEqual([[], []]);
  });

  test("are made again where it cannot read them, and then it is asked once more", async () => {
    const { calls, acted } = rpm(failing("database-broken", 1));
    await mend(calls, [agent]);
    expect(acted).toEqual(["--rebuilddb"]);
    await expect(mend(rpm(failing("database-broken", 2)).calls, [agent])).rejects.toMatchObject({ message: "0 left" });
  });

  test("that cannot be made are told with a way out, and rpm's own words", async () => {
    await expect(
      mend(rpm(failing("database-broken", 1), 1, "error: file is not a database\n").calls, [agent]),
    ).rejects.toMatchObject({
      code: "database-broken",
      message: "rpm cannot read its database, nor rebuild its indexes: error: file is not a database",
      hint: "bring back a copy of /var/lib/rpm; see `sudo rpm --rebuilddb`",
      cause: { message: expect.stringContaining("rpm --rebuilddb failed") as string },
    });
  });
});
