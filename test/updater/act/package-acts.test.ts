import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readLedger, writeLedger } from "../../../src/updater/store/ledger-file.ts";
import type { Schedule } from "../../../src/rules/window/schedule.ts";
import { installed, now, packageVersion } from "../pass/given.ts";
import { a, agent, b, c, scene } from "./acting-host.ts";

const never: Schedule = { kind: "never" };

describe("acting", () => {
  test("writes down which move it is let past the gates for, before anything is changed, and with which settings it began", async () => {
    const { acts, paths, did } = scene();
    await acts.install({ to: b, from: "offered", why: "window" });
    expect(did).toEqual(["simulate 15.4.6", "install 15.4.6, written down: 15.4.6"]);
    expect(readLedger(paths).move).toEqual({
      pass: "pass-1",
      name: "svc-ent",
      from: a,
      to: b,
      why: "window",
      since: now,
      hold: "none",
      companions: [],
    });
    expect(JSON.parse(readFileSync(paths.begunSettings, "utf8"))).toMatchObject({ pass: "pass-1" });
    expect(statSync(paths.begunSettings).mode & 0o777).toBe(0o600);
  });

  test("plans once what is simulated, brought and installed, and again what is another change", async () => {
    const { acts, did } = scene();
    await acts.simulate(b);
    await acts.bring(b);
    await acts.install({ to: c, from: "offered", why: "window" });
    expect(did).toEqual(["simulate 15.4.6", "bring 15.4.6", "simulate 15.4.7", "install 15.4.7, written down: 15.4.7"]);
  });

  test("installs nothing that the gates refuse, whatever is claimed, and writes nothing down", async () => {
    const { acts, paths, did, host } = scene();
    host.schedule = never;
    for (const why of ["window", "asked", "rollback", "rescue", "anytime"] as const) {
      await expect(acts.install({ to: b, from: "offered", why })).rejects.toMatchObject({ code: "overtaken" });
    }
    await expect(acts.install({ to: packageVersion("15.4.4"), from: "offered", why: "critical" })).rejects.toMatchObject({
      code: "overtaken",
      message: expect.stringContaining("older than the installed 15.4.5"),
    });
    expect(did).toEqual([]);
    expect(existsSync(paths.ledger)).toBe(false);
  });

  test("installs no other version than the pinned one, whatever is claimed, but repairs and ends what is open", async () => {
    const { acts, paths, did, host } = scene();
    host.pin = "15.4.6";
    const refused = { code: "overtaken", message: expect.stringMatching(/does not install 15\.4\.7: 15\.4\.6 is pinned$/) };
    for (const why of ["window", "asked", "critical", "rescue", "anytime", "rollback"] as const) {
      await expect(acts.install({ to: c, from: "offered", why })).rejects.toMatchObject(refused);
    }
    expect(existsSync(paths.ledger)).toBe(false);
    await acts.install({ to: a, from: "offered", why: "window" });
    await acts.settle();
    await acts.install({ to: b, from: "offered", why: "window" });
    host.pin = "15.4.5";
    await acts.install({ to: b, from: "offered", why: "window" });
    await acts.settle();
    await expect(acts.install({ to: c, from: "offered", why: "critical" })).rejects.toMatchObject({ code: "overtaken" });
    expect(did.filter((deed) => deed.startsWith("install")).map((deed) => deed.split(",")[0])).toEqual([
      "install 15.4.5",
      "install 15.4.6",
      "install 15.4.6",
    ]);
  });

  test("goes back and forth between the two of an open move without the gates, and only so often in a day", async () => {
    const { acts, again, host, paths } = scene();
    await acts.keep({ version: a, is: "installed", to: b });
    let installs = 0;
    // Settled or not, and begun by one claim or another: none of that makes room for more.
    const toAndFro = async (): Promise<void> => {
      for (;;) {
        const acting = again(`pass-${installs}`);
        await acting.install({ to: b, from: "offered", why: "critical" });
        await acting.install({ to: a, from: "kept", why: "critical" });
        installs += 1;
        if (installs % 2 === 0) await acting.settle();
      }
    };
    const tooMany = { code: "interrupted", hint: expect.stringContaining("svc-upgrade retry") };
    await expect(toAndFro()).rejects.toMatchObject(tooMany);
    expect(installs).toBeLessThanOrEqual(100);
    expect(() => acts.countUngated()).toThrow("no more today");
    host.now += 86_400;
    expect(acts.countUngated()).toBe("counted");
    expect(readLedger(paths).ungated).toEqual({ since: now + 86_400, count: 1 });
  });

  test("counts what else is done for an open move, and there is nothing to be done without one", async () => {
    const { acts, paths } = scene();
    expect(acts.countUngated()).toBe("no move is open");
    await acts.install({ to: b, from: "offered", why: "window" });
    expect(acts.countUngated()).toBe("counted");
    expect(readLedger(paths).ungated).toEqual({ since: now, count: 1 });
  });

  test("takes the open move of one package for none of another's", async () => {
    const { acts, host, paths } = scene();
    await acts.install({ to: b, from: "offered", why: "window" });
    const ledger = readLedger(paths);
    writeLedger(paths, { ...ledger, move: ledger.move && { ...ledger.move, name: "another" } });
    host.schedule = never;
    await expect(acts.install({ to: b, from: "offered", why: "window" })).rejects.toMatchObject({ code: "overtaken" });
  });

  test("passes the gates again once the move is settled, and knows where it came from", async () => {
    const { acts, paths, host } = scene();
    await acts.keep({ version: a, is: "installed", to: b });
    await acts.install({ to: b, from: "offered", why: "window" });
    await acts.settle();
    expect(readLedger(paths)).toMatchObject({ move: undefined, previous: a });
    host.schedule = never;
    await expect(acts.install({ to: a, from: "kept", why: "window" })).rejects.toMatchObject({ code: "overtaken" });
    host.asked = { when: "back", absent: "stop" };
    await acts.install({ to: a, from: "kept", why: "rollback" });
    expect(host.present).toEqual(installed("15.4.5"));
  });

  test("repairs for an open move alone, and puts back no hold but one that it lifted", async () => {
    const { acts, did, mended, paths } = scene();
    await acts.mend();
    await acts.holdAgain();
    expect(did).toEqual([]);
    await acts.install({ to: b, from: "offered", why: "window" });
    await acts.mend();
    await acts.holdAgain();
    expect(did.at(-1)).toBe("mend");
    expect(mended).toEqual([[agent]]);
    const ledger = readLedger(paths);
    writeLedger(paths, { ...ledger, move: ledger.move && { ...ledger.move, hold: "lifted" } });
    await acts.holdAgain();
    expect(did.at(-1)).toBe("hold again");
  });

  test("keeps three packages at most, and installs from a file that it has kept itself, as it was", async () => {
    const { acts, paths, did } = scene();
    for (const version of [a, b, c, packageVersion("15.4.8")]) await acts.keep({ version, is: "offered", to: version });
    // That of what is installed is never the one that gives way.
    expect(readLedger(paths).kept.map(({ packageVersion: kept }) => kept)).toEqual(["15.4.8", "15.4.5", "15.4.7"]);
    expect(readdirSync(paths.keptPackages).toSorted()).toEqual(["15.4.5.deb", "15.4.7.deb", "15.4.8.deb"]);
    await acts.keepOnly([c, b]);
    expect(readdirSync(paths.keptPackages)).toEqual(["15.4.7.deb"]);
    await expect(acts.install({ to: a, from: "kept", why: "window" })).rejects.toMatchObject({
      code: "file-failed",
      message: "the kept package of 15.4.5 is of no use: it was not kept",
    });
    writeFileSync(`${paths.keptPackages}/15.4.7.deb`, "package 66.6.6");
    await expect(acts.install({ to: c, from: "kept", why: "window" })).rejects.toMatchObject({
      message: expect.stringContaining("its content is another by now"),
    });
    const installs = (): readonly string[] => did.filter((deed) => deed.startsWith("install"));
    expect(installs()).toEqual([]);
    await acts.keep({ version: b, is: "offered", to: b });
    await acts.install({ to: b, from: "kept", why: "window" });
    expect(installs()).toEqual(["install package 15.4.6 as 15.4.6, written down: 15.4.6"]);
  });
});
