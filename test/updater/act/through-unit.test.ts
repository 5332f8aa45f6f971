import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { actThroughUnit } from "../../../src/updater/act/through-unit.ts";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { isOfScript } from "../../../src/updater/package/failure/interrupted.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";
import { packageVersion } from "../pass/given.ts";
import { digest, kept, through, type Deeds, type Through } from "./given.ts";

const path = `${scratchFolder()}/act.socket`;
const open: Through[] = [];

afterEach(async () => {
  for (const { stop, served } of open.splice(0)) {
    stop();
    await served;
  }
  rmSync(path, { force: true });
});

function acting(deeds: Deeds, seen?: Parameters<typeof through>[2]): Through {
  const both = through(path, deeds, seen);
  open.push(both);
  return both;
}

const to = packageVersion("15.4.6-1");
const installation = { to, from: "offered", why: "window" } as const;

describe("acting through the unit", () => {
  test("carries what is asked there, and what came of it back, one thing after the other", async () => {
    const did: unknown[] = [];
    const note =
      (what: string) =>
      async (...said: readonly unknown[]): Promise<void> =>
        void did.push([what, ...said]);
    const { acting: act } = acting({
      acting: {
        refresh: note("refresh"),
        simulate: note("simulate"),
        install: note("install"),
        settle: note("settle"),
        keep: async (wanted) => (did.push(["keep", wanted]), kept),
        keepOnly: note("keep only"),
      },
      awaitTransaction: async (how) => void did.push(["await", how]),
    });
    await act.refresh();
    await act.simulate(to);
    expect(await act.keep({ version: kept.packageVersion, is: "offered", to })).toEqual(kept);
    await act.keepOnly([to]);
    await act.install(installation);
    await act.install({ ...installation, from: "kept" });
    await act.settle();
    expect(await act.offers()).toEqual(["15.4.6-1"]);
    expect(await act.buildOf(to)).toEqual({ sha256: undefined, bytes: 7 });
    await act.awaitTransaction("to-its-end");
    expect(did).toEqual([
      ["refresh"],
      ["simulate", to],
      ["keep", { kind: "keep", version: kept.packageVersion, is: "offered", to }],
      ["keep only", [to]],
      ["install", { kind: "install", ...installation }],
      ["install", { kind: "install", ...installation, from: "kept" }],
      ["settle"],
      ["await", "to-its-end"],
    ]);
  });

  test("watches the agent's unit: nothing of it is remembered there", async () => {
    const did: unknown[] = [];
    const seen = { bootId: "boot", restarts: 3, unhealthyPasses: 0 };
    const { acting: act } = acting(
      {
        unit: {
          look: async (before) => (did.push(before), "unhealthy"),
          activate: async (wanted) => (did.push(wanted), "svc.service was started and runs it"),
          proveHealth: async (before) => void did.push(before),
          lastLines: async () => ["panic: no such option"],
        },
      },
      seen,
    );
    const watch = await act.watchUnit();
    expect(watch.before).toBe("unhealthy");
    expect(await watch.activate()).toBe("svc.service was started and runs it");
    await watch.proveHealth();
    expect(await watch.lastLines()).toEqual(["panic: no such option"]);
    expect(did).toMatchObject([seen, { before: "unhealthy", begunBy: "this pass" }, "unhealthy"]);
    const takenOver = await act.watchUnit({ before: "running", since: 1_700_000_000 });
    await takenOver.activate();
    expect(did.at(-1)).toMatchObject({ before: "running", begunBy: "another pass", since: { realtimeMs: 1_700_000_000_000 } });
  });

  test("throws the fault that was thrown there, with its causes", async () => {
    const script = new Fault("install-failed", { message: "postinst was killed", hint: "", cause: new Error("signal 9") });
    const thrown = new Fault("interrupted", { message: "a script was ended\nby somebody", hint: "who?", cause: script });
    const { acting: act } = acting({
      acting: { install: () => Promise.reject(thrown), refresh: () => Promise.reject(new TypeError("odd")) },
    });
    const fault = await act.install(installation).catch((reason: unknown) => reason);
    expect(fault).toMatchObject({
      code: "interrupted",
      hint: "who?",
      cause: { code: "install-failed", cause: { message: "signal 9" } },
    });
    expect(fault instanceof Fault && isOfScript(fault)).toBe(true);
    await expect(act.refresh()).rejects.toMatchObject({ code: "bug" });
    // And goes on.
    await act.mend();
  });

  test("says who does not listen", async () => {
    const act = actThroughUnit({
      path: `${path}.none`,
      begin: () => ({ kind: "begin", pass: "pass-1", settings: digest }),
      seen: () => undefined,
      stopping: new AbortController().signal,
    });
    await expect(act.refresh()).rejects.toMatchObject({
      code: "os-failed",
      message: `svc-upgrade-act.socket does not listen at ${path}.none: no such file or directory (ENOENT)`,
    });
  });

  test("asks the next process where one takes no more requests", async () => {
    const ending = createServer((connection) => {
      ending.close();
      connection.destroy();
      acting({});
    }).listen(path);
    await once(ending, "listening");
    const act = actThroughUnit({
      path,
      begin: () => ({ kind: "begin", pass: "pass-1", settings: digest }),
      seen: () => undefined,
      stopping: new AbortController().signal,
    });
    expect(await act.offers()).toEqual(["15.4.6-1"]);
  });

  test("that ends in the middle of a call is no verdict: it was interrupted, told once its transaction has ended", async () => {
    const did: string[] = [];
    const ended = Promise.withResolvers<undefined>();
    // The process that is killed; systemd starts the next one for whoever connects.
    const killed = createServer((connection) => {
      killed.close();
      let lines = 0;
      connection.on("data", () => {
        lines += 1;
        if (lines === 1) return connection.write('{"kind":"done"}\n');
        connection.destroy();
        acting({ awaitTransaction: async (how) => (did.push(how), await ended.promise) });
        return undefined;
      });
    }).listen(path);
    await once(killed, "listening");
    const act = actThroughUnit({
      path,
      begin: () => ({ kind: "begin", pass: "pass-1", settings: digest }),
      seen: () => undefined,
      stopping: new AbortController().signal,
    });
    let fault: unknown;
    const installing = act.install(installation).catch((reason: unknown) => (fault = reason));
    await expect.poll(() => did).toEqual(["to-its-end"]);
    expect(fault).toBeUndefined();
    ended.resolve(undefined);
    await installing;
    expect(fault).toMatchObject({
      code: "interrupted",
      message: 'svc-upgrade-act.service was ended in the middle of "install"',
    });
  });
});
