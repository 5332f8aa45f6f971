import { execFileSync } from "node:child_process";
import { describe, expect, onTestFinished } from "vitest";
import type { LogFields } from "../../../src/machine/logging/log.ts";
import type { Transport } from "../../../src/cluster/api/transport.ts";
import { overMutualTls } from "../../../src/cluster/presence/mutual-tls.ts";
import { startReporting, type Reporting, type ReportingPorts } from "../../../src/cluster/presence/reporting.ts";
import type { ClusterSchedule } from "../../../src/rules/window/print-schedule.ts";
import type { OverTls } from "../auth/over-tls.ts";
import { joinedTo, testNode, type Host } from "./host.ts";
import { startReportStandIn, type ReportStandIn } from "./report-stand-in.ts";
import { directWays } from "./ways.ts";

/** Mutual TLS to the stand-in, as the host that joined. */
async function transportTo(auth: OverTls, host: Host, reports: Pick<ReportStandIn, "port">): Promise<Transport> {
  const { stored, trusted } = (await joinedTo(auth, host)).identity;
  return overMutualTls({
    addresses: [{ host: "127.0.0.1", port: reports.port }],
    known: { kind: "joined", cluster: stored.cluster.id, authorities: trusted },
    shows: stored,
    ways: directWays,
    now: () => auth.clock.now,
  });
}

type Life = AsyncDisposable & {
  readonly reporting: Reporting;
  readonly waits: readonly number[];
  readonly lines: readonly string[];
};

/** Waits are over at once, and ended after that many of them. */
function live(host: Host, changes: Partial<ReportingPorts>, mostWaits: number): Life {
  const stop = new AbortController();
  const [waits, lines]: [number[], string[]] = [[], []];
  const reporting = startReporting({
    ...host.ports,
    joined: () => undefined,
    updater: () => Promise.resolve(undefined),
    schedule: () => Promise.resolve("none" as const),
    log: (level, sentence) => void lines.push(`${level}: ${sentence}`),
    random: () => 0,
    stopping: stop.signal,
    wait: (seconds) => {
      if (seconds !== 1) waits.push(seconds + 1);
      if (waits.length >= mostWaits) stop.abort();
      return Promise.resolve();
    },
    ...changes,
  });
  return {
    reporting,
    waits,
    lines,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await reporting.ended;
    },
  };
}

/** A host that has joined, what takes its reports, and its life there. */
const test = testNode.extend("stage", async ({ auth, host }) => {
  const reports = await startReportStandIn(auth);
  onTestFinished(() => reports[Symbol.asyncDispose]());
  const transport = await transportTo(auth, host, reports);
  const joined = (): { transport: Transport; cluster: string } => ({ transport, cluster: "example" });
  return {
    reports,
    host,
    live: (mostWaits: number, changes: Partial<ReportingPorts> = {}) => live(host, { joined, ...changes }, mostWaits),
  };
});

describe("reports", () => {
  test("rise by their counter within a boot, however quickly they come and whenever svc was started", async ({ stage }) => {
    for (let start = 0; start < 2; start += 1) {
      await using life = stage.live(3);
      await life.reporting.ended;
      stage.host.clock.sinceBootSeconds += 5;
    }
    const counters = stage.reports.reports.map(({ counter }) => Number(counter));
    expect(counters).toEqual([1_000_000, 1_000_001, 1_000_002, 1_005_000, 1_005_001, 1_005_002]);
    expect(new Set(stage.reports.reports.map(({ bootId }) => bootId))).toEqual(new Set(["boot-1"]));
  });

  test("name the operating system as a shell reads it", async ({ stage }) => {
    await using life = stage.live(1);
    await life.reporting.ended;
    const read = execFileSync("sh", ["-c", '. /etc/os-release; echo "$ID $VERSION_ID"'], { encoding: "utf8" });
    const { id, versionId = "" } = stage.reports.reports[0]?.os ?? {};
    expect(`${id} ${versionId}\n`).toBe(read);
  });

  test("are answered with auth's version, and a host that does not go with it is told so once, in its schedule too", async ({
    stage,
  }) => {
    stage.reports.answer = { ...stage.reports.answer, authVersion: "3.0.0", note: "of a rollout" };
    const notes: (string | undefined)[] = [];
    const schedule = ({ note }: ClusterSchedule): Promise<"written"> => {
      notes.push(note);
      return Promise.resolve("written");
    };
    await using life = stage.live(2, { schedule });
    await life.reporting.ended;
    const told = expect.stringContaining("than auth's 3.0.0") as unknown;
    expect(notes).toEqual([told, told]);
    expect(life.lines.filter((line) => line.startsWith("warning: svc "))).toEqual([told]);
    stage.reports.answer = { ...stage.reports.answer, authVersion: "" };
    await using later = stage.live(1, { schedule });
    await later.reporting.ended;
    expect(notes.at(-1)).toBe("of a rollout");
  });

  test("without a boot id of the kernel's have one for each start", async ({ stage }) => {
    stage.host.clock.bootId = "unknown";
    for (let start = 0; start < 2; start += 1) {
      await using life = stage.live(1);
      await life.reporting.ended;
    }
    const [one, other] = stage.reports.reports.map(({ bootId }) => bootId);
    expect(one).toMatch(/^[0-9a-f-]{36}$/);
    expect(other).not.toBe(one);
  });

  test("that fail are tried again after ever longer waits, ten minutes at most, and are told once", async ({ stage }) => {
    stage.reports.isAway = true;
    await using life = stage.live(10);
    await life.reporting.ended;
    expect(life.waits).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600, 600]);
    expect(life.lines.filter((line) => line.startsWith("warning: this host could not report to auth"))).toHaveLength(1);
  });

  test("that auth does not take name what is wrong with them", async ({ auth, host }) => {
    const transport = await transportTo(auth, host, auth);
    const said: LogFields[] = [];
    const about = { ...host.ports.about, hostname: "7c9e6679-7425-40de-944b-e07fc1f90ae7" };
    const log: ReportingPorts["log"] = (_level, _sentence, fields = {}) => void said.push(fields);
    await using life = live(host, { joined: () => ({ transport, cluster: "example" }), about, log }, 1);
    await life.reporting.ended;
    expect(said).toEqual([{ fault: "request-refused", wrong: expect.stringMatching(/^\.hostname: .*svc\.nodename/) }]);
  });

  test("that fail for what this program did wrong end nothing", async ({ host }) => {
    const joined = { transport: undefined as never, cluster: "example" };
    await using life = live(host, { joined: () => joined, updater: () => Promise.reject(new Error("odd")) }, 2);
    await life.reporting.ended;
    expect(life.waits).toEqual([5, 10]);
  });

  test("say goodbye where the host goes down, and nobody waits for an auth that is away", async ({ stage }) => {
    await using life = stage.live(1);
    await life.reporting.ended;
    await life.reporting.goodbye();
    const [report, goodbye] = stage.reports.reports;
    expect(goodbye).toMatchObject({ goodbye: true, bootId: report?.bootId, services: ["node"], os: report?.os });
    expect(Number(goodbye?.counter)).toBeGreaterThan(Number(report?.counter));
    stage.reports.isAway = true;
    await life.reporting.goodbye();
    expect(stage.reports.reports).toHaveLength(2);
  });
});
