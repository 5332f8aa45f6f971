import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished } from "vitest";
import type { OpeningJson } from "../../../src/cluster/api/generated/svc/v1/inventory_pb.ts";
import { encodeState } from "../../../src/updater/record/encode-state.ts";
import { emptyState } from "../../../src/updater/record/state.ts";
import type { OverTls } from "../auth/over-tls.ts";
import { joinedTo, testNode, type Host } from "../presence/host.ts";
import { startReportStandIn, type ReportStandIn } from "../presence/report-stand-in.ts";
import { ownPresence } from "./own-presence.ts";

const hour = 3600;

/** Openings of an hour a day, from that hour of a day far ahead. */
function openings(first: string): readonly OpeningJson[] {
  return Array.from({ length: 8 }, (_, index) => {
    const from = Date.parse(first) + index * 86_400_000;
    return { start: new Date(from).toISOString(), stop: new Date(from + hour * 1000).toISOString() };
  });
}

type Running = ReturnType<typeof ownPresence> & AsyncDisposable & { readonly window: () => string };

const test = testNode.extend("reports", async ({ auth }) => {
  const reports = await startReportStandIn(auth);
  onTestFinished(() => reports[Symbol.asyncDispose]());
  return reports;
});

async function joined(auth: OverTls, host: Host, reports: ReportStandIn): Promise<void> {
  await joinedTo(auth, host);
  reports.takeOver(host.place);
}

function run({ directory, place }: Host): Running {
  const own = ownPresence({ directory, dataDirectory: place.dataDirectory });
  return { ...own, window: () => readFileSync(own.schedule, "utf8"), [Symbol.asyncDispose]: own.part.stop };
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  const end = Date.now() + 15_000;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`never came: ${what}`);
    await sleep(20);
  }
}

const counterOf = ({ counter = "0" }: { readonly counter?: string }): number => Number(counter);

describe("a plain host", () => {
  test("that joined reports at once, and its updater has the windows; another window is another file", async ({
    auth,
    host,
    reports,
  }) => {
    reports.answer = { hasWindow: true, openings: [...openings("2027-01-15T08:00:00Z")], reportAfterSeconds: 1 };
    await joined(auth, host, reports);
    await using running = run(host);
    const first = await reports.heard(1);
    expect(first).toMatchObject({ services: ["node"], updater: { kind: "unit", package: "svc-ent", window: "none" } });
    expect(first.bootId).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.goodbye ?? false).toBe(false);
    const second = await reports.heard(2);
    expect(second).toMatchObject({ updater: { window: "schedule" }, bootId: first.bootId });
    expect(counterOf(second)).toBeGreaterThan(counterOf(first));
    expect(running.window()).toContain("\n1800000000 1800003600\n");
    const { ino } = statSync(running.schedule);
    await reports.heard(3);
    expect(statSync(running.schedule).ino).toBe(ino);
    reports.answer = { ...reports.answer, openings: [...openings("2027-01-15T20:00:00Z")] };
    await until(() => running.window().includes("\n1800043200 1800046800\n"), "the other window");
    expect(running.window()).not.toContain("1800000000");
    reports.answer = { reportAfterSeconds: 1 };
    await until(() => running.window().includes("# No maintenance window is configured in the cluster example"), "no window");
  });

  test("that has not joined says once what to type, and reports as soon as it has", async ({ auth, host, reports }) => {
    await using running = run(host);
    const [said = "", ...others] = running.lines;
    expect(others).toEqual([]);
    expect(said).toContain("notice: this host belongs to no cluster yet");
    expect(said).toContain("svc join --auth-server HOST:PORT --token FILE --ca-pin sha256:…");
    running.part.look();
    await sleep(50);
    expect(running.lines).toHaveLength(1);
    await joined(auth, host, reports);
    running.part.look();
    await reports.heard(1);
    expect(running.lines.join("\n")).toContain("this host is a node of the cluster example");
  });

  test("keeps its schedule while auth is away, says so once, and goes on later", async ({ auth, host, reports }) => {
    reports.answer = { hasWindow: true, openings: [...openings("2027-01-15T08:00:00Z")], reportAfterSeconds: 1 };
    await joined(auth, host, reports);
    await using running = run(host);
    await until(() => running.lines.some((line) => line.includes("the schedule of the updater was written")), "the schedule");
    const before = running.window();
    reports.isAway = true;
    await until(
      () => running.lines.some((line) => line.startsWith("warning: this host could not report to auth")),
      "the failure",
    );
    expect(running.window()).toBe(before);
    const count = reports.reports.length;
    reports.isAway = false;
    // Reload: nobody waits for the next try.
    running.part.look();
    await reports.heard(count + 1);
    await until(() => running.lines.includes("notice: auth takes this host's reports again"), "the end of the failure");
    expect(running.lines.filter((line) => line.startsWith("warning:"))).toHaveLength(1);
  });

  test("reports at once what its updater does, and a hundred changes in one or two", async ({ auth, host, reports }) => {
    reports.answer = { reportAfterSeconds: 3600 };
    await joined(auth, host, reports);
    await using running = run(host);
    await reports.heard(1);
    const state = join(running.root, "var/lib/svc-upgrade-decide/state.json");
    const write = (served: string): void => {
      const lastContact = { at: 1, served: served as never, isCritical: false, doubt: undefined };
      writeFileSync(`${state}.tmp`, encodeState({ ...emptyState, lastContact }));
      renameSync(`${state}.tmp`, state);
    };
    write("15.4.6");
    expect(await reports.heard(2)).toMatchObject({ updater: { served: "15.4.6" } });
    for (let patch = 0; patch < 100; patch += 1) write(`15.5.${patch}`);
    await until(() => reports.reports.at(-1)?.updater?.served === "15.5.99", "the last of them");
    expect(reports.reports.length).toBeLessThanOrEqual(4);
  });

  test("whose schedule cannot be written continues to report, and says once what to type", async ({ auth, host, reports }) => {
    reports.answer = { hasWindow: true, openings: [...openings("2027-01-15T08:00:00Z")], reportAfterSeconds: 1 };
    await joined(auth, host, reports);
    mkdirSync(join(host.directory, "root/etc/svc-upgrade.d/schedule/in-the-way"), { recursive: true });
    await using running = run(host);
    await reports.heard(3);
    const warnings = running.lines.filter((line) => line.startsWith("warning:"));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("the cluster's windows did not reach the updater: the schedule of the updater, ");
    expect(reports.reports.at(-1)).toMatchObject({ updater: { window: "none" } });
  });

  test("takes no schedule from an unusable answer, and continues to report", async ({ auth, host, reports }) => {
    reports.answer = { hasWindow: true, openings: [{ start: "soon" }], reportAfterSeconds: 1 };
    await joined(auth, host, reports);
    await using running = run(host);
    await until(() => running.lines.some((line) => line.includes("with windows that cannot be read")), "the failure");
    expect(() => running.window()).toThrow("ENOENT");
    reports.answer = { reportAfterSeconds: 1 };
    running.part.look();
    await until(() => running.lines.some((line) => line.includes("the schedule of the updater was written")), "the schedule");
  });
});
