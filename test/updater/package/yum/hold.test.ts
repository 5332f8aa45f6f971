import { describe, expect, test } from "vitest";
import { Fault } from "../../../../src/rules/fault/fault.ts";
import type { Ended } from "../../../../src/updater/package/call/result.ts";
import { holdAt } from "../../../../src/updater/package/yum/hold.ts";
import { rpmThatIsNever } from "../rpm/never.ts";
import { agent, row } from "../rpm/on-host.ts";
import { savedEnded } from "../saved.ts";

const went: Ended = { status: 0, stdout: "", output: "" };

async function hold(
  locks: readonly string[],
  there: readonly string[],
  { answers = [], failure }: { readonly answers?: readonly Ended[]; readonly failure?: Fault } = {},
): Promise<{ readonly came: unknown; readonly calls: readonly string[] }> {
  const calls: string[] = [];
  const left = [...answers];
  const effects = {
    calls: {
      program: "dnf",
      act: async (args: readonly string[]) => {
        calls.push(args.slice(4).join(" "));
        return left.shift() ?? went;
      },
      ask: () => Promise.reject(new Error("not asked for here")),
      repositories: async () => ({ all: [], ignored: [] }),
    },
    rpm: { ...rpmThatIsNever("not asked for here"), rows: async () => there.map(row) },
    locks: () => locks,
  };
  const came: unknown = await holdAt(effects, agent, failure).catch((thrown: unknown) => thrown);
  return { came, calls };
}

describe("a version lock that is put back", () => {
  test.each<{ title: string; locks: readonly string[]; there: readonly string[]; calls: readonly string[] }>([
    {
      title: "follows what is installed",
      locks: ["svc-ent-0:15.4.5-1.*", "svc-ent-15.4.4-1", "other-0:1-1.*"],
      there: ["15.4.6"],
      calls: ["add --raw svc-ent-0:15.4.6-1.*", "delete svc-ent-0:15.4.5-1.*", "delete svc-ent-15.4.4-1"],
    },
    { title: "is none where there was none", locks: ["svc-ent-15.*", "other-0:1-1.*"], there: ["15.4.6"], calls: [] },
    { title: "stays as it was where nothing is installed", locks: ["svc-ent-0:15.4.5-1.*"], there: [], calls: [] },
  ])("$title", async ({ locks, there, calls }) => {
    expect(await hold(locks, there)).toEqual({ came: undefined, calls });
  });

  const locks = ["svc-ent-0:15.4.5-1.*"];
  const refused = savedEnded("yum/not-root", 1);

  test("keeps the old one where the new one cannot be put on, and says what to type and why", async () => {
    const { came, calls } = await hold(locks, ["15.4.6"], { answers: [refused] });
    expect(calls).toHaveLength(1);
    expect(came).toMatchObject({
      code: "install-failed",
      message: "the version lock of svc-ent could not be put on 15.4.6-1",
      hint: "put it there with `dnf versionlock add svc-ent`",
      cause: { code: "not-permitted", message: expect.stringMatching(/^dnf versionlock failed: /) as string },
    });
  });

  test("says so too where the old one cannot be taken away; what the installation failed of comes first", async () => {
    const failure = new Fault("no-space", { message: "full", hint: "make room" });
    const { came, calls } = await hold(locks, ["15.4.6"], { answers: [went, refused], failure });
    expect([calls.length, came]).toEqual([2, expect.objectContaining({ code: "install-failed", cause: failure })]);
  });
});
