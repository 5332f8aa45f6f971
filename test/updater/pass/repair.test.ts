import { describe, expect, test } from "vitest";
import type { ChannelAnswer } from "../../../src/rules/decide/gate-facts.ts";
import type { Binary } from "../../../src/updater/plan/host-facts.ts";
import { emptyState, type PassRecord, type State } from "../../../src/updater/record/state.ts";
import { packageVersion, version } from "../../rules/version/given.ts";
import { fakeHost, installed, now, serves, stateWith, type FakeOptions } from "./given.ts";
import { keptOf, offline, pass, script } from "./stage.ts";

type Life = {
  readonly host: ReturnType<typeof fakeHost>;
  readonly tick: (answer: ChannelAnswer) => Promise<PassRecord>;
  readonly state: () => State;
};

/** One host through several passes. Its binary is truncated until something is installed. */
function live(options: FakeOptions = {}, before: State = emptyState): Life {
  const host = fakeHost(options);
  const isChanged = (): boolean => host.did.some((deed) => deed.startsWith("install "));
  const askBinary = async (): Promise<Binary> =>
    isChanged() ? host.ports.askBinary() : { kind: "broken", why: "it dies of SIGSEGV" };
  const state = (): State => host.saved.at(-1) ?? before;
  return {
    host,
    state,
    tick: (answer) => pass({ ports: { ...host.ports, askBinary, askChannel: async () => answer } }, { state: state() }),
  };
}

describe("a damaged package", () => {
  test("is put back as it is before it is moved to the served version", async () => {
    const { host, tick } = live();
    expect((await tick(serves("15.4.6"))).decision).toMatchObject({
      target: { kind: "repair", to: "15.4.5" },
      exactly: "15.4.5",
    });
    expect(host.did).toContain("install 15.4.5 same");
    expect(host.did).not.toContain("install 15.4.6 up");
    expect((await tick(serves("15.4.6"))).outcome).toMatchObject({ kind: "moved", from: "15.4.5", to: "15.4.6" });
  });

  test("is put back from the kept package, and nobody else is needed for that", async () => {
    const before = stateWith({ kept: keptOf("15.4.5", "15.4.4") });
    const { host, tick, state } = live({ files: ["15.4.5", "15.4.4"], offers: [] }, before);
    const record = await tick(offline);
    expect(record.outcome).toMatchObject({ kind: "moved", from: "15.4.5", to: "15.4.5" });
    expect(host.did).toContain("install 15.4.5 same from its file");
    expect(host.did).not.toContain("refresh");
    expect(state().kept).toEqual(before.kept);
    expect([record.unanswered?.code, state().silentSince]).toEqual(["channel-unreachable", now]);
    expect(host.lines).toContainEqual(expect.objectContaining({ level: "error", sentence: "no answer; wait" }));
  });

  test("is fetched and kept beside what a rollback leads to", async () => {
    const { tick, state } = live({ files: ["15.4.4"] }, stateWith({ kept: keptOf("15.4.4") }));
    await tick(serves("15.4.5"));
    expect(state().kept.map((row) => row.packageVersion)).toEqual(["15.4.5", "15.4.4"]);
  });

  test("is kept beside that where an administrator had put it in the place of both that were kept", async () => {
    const { tick, state } = live({ files: ["15.4.6", "15.4.4"] }, stateWith({ kept: keptOf("15.4.6", "15.4.4") }));
    await tick(serves("15.4.5"));
    expect(state().kept.map((row) => row.packageVersion)).toEqual(["15.4.5", "15.4.4"]);
  });

  test("is put back at a version that was rejected here", async () => {
    const row = { served: version("15.4.5"), packageVersion: packageVersion("15.4.5"), at: now - 60, why: "it was ill" };
    const { tick } = live({}, stateWith({ rejected: [row] }));
    expect((await tick(serves("15.4.5"))).outcome).toMatchObject({ kind: "moved", to: "15.4.5" });
  });

  test("counts the days of a silent server, whatever keeps its repair waiting", async () => {
    const closed = { kind: "windows", windows: [{ start: now + 600, stop: now + 4200 }] } as const;
    const { tick } = live({ schedule: closed }, stateWith({ silentSince: now - 86_400 }));
    const record = await tick(offline);
    expect(record).toMatchObject({ outcome: { kind: "stayed" }, unanswered: { code: "contact-lost" } });
  });

  test("whose package is nowhere gives way to the served version, which can be taken back to it no more", async () => {
    const { host, tick, state } = live({ offers: ["15.4.6"] });
    const first = await tick(serves("15.4.6"));
    expect(first.outcome).toMatchObject({ kind: "failed", fault: { code: "not-offered" } });
    expect(state()).toMatchObject({ repair: { to: "15.4.5", attempts: 0, isNowhere: true } });
    expect((await tick(serves("15.4.6"))).outcome).toMatchObject({ kind: "moved", from: "15.4.5", to: "15.4.6" });
    expect(host.lines).toContainEqual(
      expect.objectContaining({
        sentence: expect.stringMatching(/upgrading now: the agent's binary does not run: .* and could not be repaired, and /),
      }),
    );
    expect(state().repair).toBeUndefined();
  });

  test("that two repairs did not help is replaced by the served version, and goes back to its own package if that fails", async () => {
    const options: FakeOptions = {
      installed: installed("15.4.5", { condition: "half-way" }),
      files: ["15.4.5"],
      fails: ["install 15.4.5 same from its file", "install 15.4.6 up"].map((deed) => [deed, script, 9] as const),
    };
    const { host, tick, state } = live(options, stateWith({ kept: keptOf("15.4.5") }));
    const later = async (answer: ChannelAnswer): Promise<PassRecord> => {
      // The waits between the tries are over.
      host.ports.saveState({ ...state(), backoff: undefined });
      return tick(answer);
    };
    expect((await tick(serves("15.4.6"))).outcome).toMatchObject({ kind: "failed", step: "install" });
    expect((await later(serves("15.4.6"))).outcome).toMatchObject({ kind: "failed", step: "install" });
    expect((await later(serves("15.4.5"))).decision).toMatchObject({ kind: "stay", why: "needs-operator" });
    const instead = await later(serves("15.4.6"));
    expect(instead.decision).toMatchObject({ kind: "move", target: { kind: "upgrade", to: "15.4.6" } });
    expect(instead.outcome).toMatchObject({ kind: "failed", back: { kind: "failed", step: "back-install" } });
    expect(state()).toMatchObject({ rejected: [{ served: "15.4.6" }], needsOperator: { at: now } });
  });
});
