import { describe, expect, test } from "vitest";
import type { Change, FileSet } from "../../../../src/updater/package/manager/manager.ts";
import type { Ended } from "../../../../src/updater/package/call/result.ts";
import type { RpmCalls } from "../../../../src/updater/package/rpm/calls.ts";
import type { YumArguments } from "../../../../src/updater/package/yum/calls.ts";
import { installFilesUnderLocks } from "../../../../src/updater/package/yum/working-half.ts";
import { change, fileOf, row } from "../rpm/on-host.ts";

const said = (text: string, status: number = 0): Ended => ({ status, stdout: text, output: text });

type Told = { readonly failure: unknown; readonly locked: readonly string[]; readonly acted: readonly string[] };

/** A host at 15.4.5 with these version locks, whose rpm installs 15.4.6 or says why not; its companion may be there already. */
async function installOn(
  locks: readonly string[],
  more: Partial<Change>,
  { answer = said(""), data = "15.4.5" }: { readonly answer?: Ended; readonly data?: string } = {},
): Promise<Told> {
  const locked: string[] = [];
  const acted: string[] = [];
  const rpm: RpmCalls = {
    ask: async () => said(""),
    judge: async () => "whole",
    rehearse: () => Promise.reject(new Error("nothing to rehearse")),
    act: async (args) => {
      acted.push(args.join(" "));
      return answer;
    },
    rows: async (name) => {
      if (acted.length > 0 && answer.status === 0) return [row("15.4.6", 4)];
      return [row(name === "svc-ent" ? "15.4.5" : data, 3)];
    },
    lockHolder: () => undefined,
    patience: { forMs: 2, everyMs: 1 },
  };
  const act = async (args: YumArguments): Promise<Ended> => {
    locked.push(args.slice(-3).join(" "));
    return said("");
  };
  const calls = {
    act,
    ask: () => Promise.reject(new Error("not asked")),
    repositories: async () => ({ all: [], ignored: [] }),
    program: "dnf",
  };
  const waiting = { forMs: 2, everyMs: 1, rpmLockHolder: () => undefined };
  const effects = { calls, rpm, waiting, locks: () => locks };
  const files = ["svc-ent", "svc-ent-data"].map((name) => fileOf(name, "15.4.6-1", `/kept/${name}.rpm`));
  const failure: unknown = await installFilesUnderLocks(effects, change("15.4.6-1", more), files as unknown as FileSet).catch(
    (thrown: unknown) => thrown,
  );
  return { failure, locked, acted };
}

const lock = "svc-ent-0:15.4.5-1.*";

describe("a file under dnf's version locks", () => {
  test("is not installed past one", async () => {
    const { failure, acted } = await installOn([lock], {});
    expect(failure).toMatchObject({ code: "plan-refused", hint: expect.stringContaining("dnf versionlock list") as string });
    expect(acted).toEqual([]);
  });

  test("of what moves along is not installed past one, though the agent's is lifted", async () => {
    const { failure, acted } = await installOn(["svc-ent-data-0:15.4.5-1.*"], { hold: "lifted" });
    expect(failure).toMatchObject({
      code: "plan-refused",
      message: "installing svc-ent 15.4.6-1 from its file would go past the version lock of svc-ent-data",
    });
    expect(acted).toEqual([]);
  });

  test("moves along what is there already", async () => {
    const { failure, acted } = await installOn(["svc-ent-data-0:15.4.5-1.*"], {}, { data: "15.4.6" });
    expect(failure).toBeUndefined();
    expect(acted).toEqual(["-U -v --oldpackage --replacepkgs /kept/svc-ent.rpm /kept/svc-ent-data.rpm"]);
  });

  test("takes one along that is lifted", async () => {
    const { failure, locked } = await installOn([lock], { hold: "lifted" });
    expect(failure).toBeUndefined();
    expect(locked).toEqual(["add --raw svc-ent-0:15.4.6-1.*", `versionlock delete ${lock}`]);
  });

  test("leaves one where it is that was lifted in vain", async () => {
    const { failure, locked } = await installOn([lock], { hold: "lifted" }, { answer: said("error: open of x failed: y\n", 1) });
    expect(failure).toMatchObject({ code: "file-failed" });
    expect(locked).toEqual([]);
  });
});
