import { mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { instant, makeRoot, program, type Ended, type Root } from "./given.ts";

const file = "etc/svc-upgrade.d/schedule";
const hour = 3600;
const week = 7 * 86_400;
/** Sunday 2026-11-22, 02:00 UTC. */
const first = Date.UTC(2026, 10, 22, 2) / 1000;
const before = "2026-11-21T20:00:00Z";

function weekly(count: number, start = first): string {
  return Array.from({ length: count }, (_, index) => `${start + index * week} ${start + index * week + hour}\n`).join("");
}

/** A root with that as its schedule; written long ago, so that nobody waits for the rest of it. */
function hostWith(text: string | undefined, settings = ""): Root {
  const root = makeRoot();
  if (settings !== "") root.write("etc/svc-upgrade/10-site.yaml", settings);
  if (text !== undefined) settle(root, file, text);
  return root;
}

function settle(root: Root, path: string, text: string): void {
  root.write(path, text);
  utimesSync(`${root.path}/${path}`, first - week, first - week);
}

async function look(root: Root, args: readonly string[], zone = "UTC"): Promise<Ended & { readonly lines: readonly string[] }> {
  const ended = await program(["schedule", ...args, "--root", root.path], { env: { TZ: zone } });
  const lines = ended.stdout.replaceAll(root.path, "").split("\n").slice(0, -1);
  return { ...ended, lines };
}

describe("svc-upgrade schedule", () => {
  test.each<readonly [string, string | undefined, string, readonly string[], number]>([
    ["open", weekly(1), "2026-11-22T02:20:00Z", ["open until Sun 2026-11-22 03:00 UTC (in 40 minutes)"], 0],
    ["closed", weekly(1), before, ["closed until Sun 2026-11-22 02:00 UTC (in 6 hours)"], 0],
    [
      "stale",
      weekly(1),
      "2026-11-29T03:00:00Z",
      ["stale: its last window ended at Sun 2026-11-22 03:00 UTC (7 days ago); the agent", "has stopped exporting it"],
      0,
    ],
    ["never", "# comment\nnop\n", before, ["never: the file says nop"], 0],
    ["empty", "# comment\n", before, ["empty: the file holds neither a window nor nop"], 0],
    [
      "missing",
      undefined,
      before,
      ["missing: there is no such file; the agent writes it, and svc-upgrade doctor", "looks into why it does not"],
      0,
    ],
    [
      "invalid",
      `${weekly(2)}1795312800 tomorrow\n`,
      before,
      [
        'invalid, and nothing of it is used: line 3 reads "1795312800 tomorrow": expected',
        "START STOP in unix seconds, or nop",
        "allowed: lines of START STOP in unix seconds, each perhaps with -> and a remark",
        "behind it; or the one word nop; lines that start with # do not count",
      ],
      65,
    ],
  ])("says that it is %s", async (state, text, at, told, status) => {
    const root = hostWith(text);
    const [shown, json] = await Promise.all([look(root, ["--at", at]), look(root, ["--at", at, "--json"])]);
    expect([shown.status, json.status, shown.stderr]).toEqual([status, status, ""]);
    expect(shown.lines.slice(0, told.length + 1)).toEqual([`/${file}`, ...told]);
    expect(shown.lines[told.length + 1]).toMatch(/^as of ... 2026-11-2. .*UTC$/);
    expect(JSON.parse(json.stdout)).toMatchObject({ schema: 1, source: "file", file: `${root.path}/${file}`, state, at });
  });

  test("shows the windows in UTC and by the clocks of this host, ten at most", async () => {
    const { lines, status } = await look(hostWith(weekly(13)), ["--at", "2026-11-22 03:20"], "Europe/Berlin");
    expect(status).toBe(0);
    expect(lines).toEqual([
      `/${file}`,
      "open until Sun 2026-11-22 03:00 UTC (in 40 minutes)",
      "as of Sun 2026-11-22 02:20 UTC (Sun 2026-11-22 03:20 GMT+1)",
      "",
      "the next windows:",
      "  Sun 2026-11-22 02:00–03:00 UTC  Sun 2026-11-22 03:00–04:00 GMT+1  open",
      "  Sun 2026-11-29 02:00–03:00 UTC  Sun 2026-11-29 03:00–04:00 GMT+1",
      ...["2026-12-06", "2026-12-13", "2026-12-20", "2026-12-27", "2027-01-03", "2027-01-10", "2027-01-17", "2027-01-24"].map(
        (day) => `  Sun ${day} 02:00–03:00 UTC  Sun ${day} 03:00–04:00 GMT+1`,
      ),
      "  and 3 more",
    ]);
  });

  test("puts long windows on two lines rather than beyond 80 columns", async () => {
    const { lines } = await look(hostWith(`${first} ${first + 8 * 86_400}\n`), ["--at", before], "Asia/Kathmandu");
    expect(lines.slice(-2)).toEqual([
      "  Sun 2026-11-22 02:00–Mon 2026-11-30 02:00 UTC",
      "  Sun 2026-11-22 07:45–Mon 2026-11-30 07:45 GMT+5:45",
    ]);
  });

  test("shows the blackouts that are in the way, and no others", async () => {
    const reason = "year-end freeze of everything that is anywhere near production, as the board has it";
    const settings = `blackouts:
  - {from: 2026-11-20, to: 2026-11-21T21:00:00Z}
  - {from: 2026-11-23, to: 2026-11-24, reason: between two windows}
  - {from: 2026-11-29T02:59:59Z, to: 2026-12-02, reason: "${reason}"}
  - {from: 2026-12-06T03:00:00Z, to: 2026-12-07, reason: after the last}
`;
    const root = hostWith(weekly(3), settings);
    const shown = await look(root, ["--at", before]);
    expect(shown.lines.slice(1)).toEqual([
      "closed until Sun 2026-11-22 02:00 UTC (in 6 hours)",
      "a blackout lasts until Sat 2026-11-21 21:00 UTC (in 1 hour)",
      "as of Sat 2026-11-21 20:00 UTC",
      "",
      "the next windows:",
      "  Sun 2026-11-22 02:00–03:00 UTC",
      "  Sun 2026-11-29 02:00–03:00 UTC  blackout",
      "  Sun 2026-12-06 02:00–03:00 UTC",
      "",
      "blackouts, in which nothing moves:",
      "  Fri 2026-11-20 00:00–Sat 21:00 UTC",
      "  Sun 2026-11-29 02:59–Wed 00:00 UTC",
      "    year-end freeze of everything that is anywhere near production, as the board",
      "    has it",
    ]);
    expect(Math.max(...shown.lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    const { stdout } = await look(root, ["--at", "2026-11-29T02:59:59Z", "--json"]);
    expect(JSON.parse(stdout)).toEqual({
      schema: 1,
      source: "file",
      file: `${root.path}/${file}`,
      state: "open",
      open: false,
      until: "2026-11-29T03:00:00Z",
      windows: [
        { start: "2026-11-29T02:00:00Z", stop: "2026-11-29T03:00:00Z" },
        { start: "2026-12-06T02:00:00Z", stop: "2026-12-06T03:00:00Z" },
      ],
      blackouts: [{ start: "2026-11-29T02:59:59Z", stop: "2026-12-02T00:00:00Z", reason }],
      at: "2026-11-29T02:59:59Z",
    });
  });

  test("says that a local window beats the file, and what sets it", async () => {
    const root = hostWith("junk\n", "window: {utc_start_hour: 23, weekdays: [Tue, Sat]}\n");
    const { lines, status } = await look(root, ["--at", before], "Asia/Kolkata");
    expect(status).toBe(0);
    // Cut into as many lines as the path of the root wants.
    const above = lines.findIndex((line) => line.startsWith("closed "));
    expect(lines.slice(0, above).join(" ")).toBe(`the window that /etc/svc-upgrade/10-site.yaml sets; it beats /${file}`);
    const below = lines.slice(above);
    expect(below.slice(0, 6)).toEqual([
      "closed until Sat 2026-11-21 23:00 UTC (in 3 hours)",
      "as of Sat 2026-11-21 20:00 UTC (Sun 2026-11-22 01:30 GMT+5:30)",
      "",
      "the next windows:",
      "  Sat 2026-11-21 23:00–Sun 00:00 UTC  Sun 2026-11-22 04:30–05:30 GMT+5:30",
      "  Tue 2026-11-24 23:00–Wed 00:00 UTC  Wed 2026-11-25 04:30–05:30 GMT+5:30",
    ]);
    expect(below).toHaveLength(15);
    expect(below.at(-1)).toBe("  and so on, every week");
    const { stdout } = await look(root, ["--at", "2026-11-21 23:00", "--json"]);
    const { windows, ...rest } = JSON.parse(stdout) as { windows: readonly object[] };
    expect(rest).toEqual({
      schema: 1,
      source: "window",
      origin: `${root.path}/etc/svc-upgrade/10-site.yaml`,
      state: "open",
      open: true,
      until: "2026-11-22T00:00:00Z",
      blackouts: [],
      at: "2026-11-21T23:00:00Z",
    });
    expect(windows).toHaveLength(10);
    expect(windows.slice(0, 2)).toEqual([
      { start: "2026-11-21T23:00:00Z", stop: "2026-11-22T00:00:00Z" },
      { start: "2026-11-24T23:00:00Z", stop: "2026-11-25T00:00:00Z" },
    ]);
  });

  /** Set to Berlin's time. */
  function hostInBerlin(settings: string): Root {
    const root = hostWith(undefined, settings);
    symlinkSync("/usr/share/zoneinfo/Europe/Berlin", `${root.path}/etc/localtime`);
    return root;
  }

  test("shows a local window in the zone that it is set in and in the host's, and what the clocks do to it", async () => {
    const root = hostInBerlin('window: {start: "02:30", duration: 2h, weekdays: [Sun]}\n');
    const { lines, status } = await look(root, ["--at", "2026-10-24T12:00:00Z"], "America/New_York");
    expect(status).toBe(0);
    const above = lines.findIndex((line) => line.startsWith("closed "));
    expect(lines.slice(0, above).join(" ")).toBe(
      `the window that /etc/svc-upgrade/10-site.yaml sets: Sun at 02:30 for 2h, the time of this host; it beats /${file}`,
    );
    expect(lines.slice(above, above + 7)).toEqual([
      "closed until Sun 2026-10-25 00:30 UTC (in 12 hours)",
      "as of Sat 2026-10-24 12:00 UTC (Sat 2026-10-24 08:00 EDT)",
      "",
      "the next windows:",
      "  Sun 2026-10-25 02:30 GMT+2–03:30 GMT+1  Sat 2026-10-24 20:30–22:30 EDT",
      "    the clocks show its start twice that day: it opens at the first",
      "  Sun 2026-11-01 02:30–04:30 GMT+1  Sat 2026-10-31 21:30–23:30 EDT",
    ]);
    expect(lines.at(-1)).toBe("  and so on, every week");
    const spring = await look(root, ["--at", "2027-03-28T00:59:59Z", "--json"]);
    const { windows } = JSON.parse(spring.stdout) as { windows: readonly object[] };
    expect(windows).toHaveLength(10);
    expect(windows.slice(0, 2)).toEqual([
      { start: "2027-03-28T01:00:00Z", stop: "2027-03-28T03:00:00Z", timezone: "Europe/Berlin", change: "start-skipped" },
      { start: "2027-04-04T00:30:00Z", stop: "2027-04-04T02:30:00Z", timezone: "Europe/Berlin" },
    ]);
  });

  test("looks at another file that is named, and warns where a local window beats any", async () => {
    const root = hostWith("nop\n", "window: {utc_start_hour: 3}\n");
    settle(root, "draft", weekly(1));
    const { lines, status, stderr } = await look(root, [`${root.path}/draft`, "--at", before]);
    expect([status, stderr]).toEqual([0, "on this host the setting window beats any schedule file\n"]);
    expect(lines.slice(0, 2)).toEqual(["/draft", "closed until Sun 2026-11-22 02:00 UTC (in 6 hours)"]);
  });

  test("calls a file invalid that no pass would read: it is a directory", async () => {
    const root = hostWith(weekly(1));
    mkdirSync(`${root.path}/draft`);
    const why = "the file is not used: it is a directory";
    const shown = await look(root, [`${root.path}/draft`]);
    expect([shown.status, shown.lines[1]]).toEqual([65, `invalid: ${why}`]);
    const { stdout } = await look(root, [`${root.path}/draft`, "--json"]);
    const { why: told, line, text } = JSON.parse(stdout) as { why: string; line?: number; text?: string };
    expect([told, line, text]).toEqual([why, undefined, undefined]);
  });

  test("has the line, its text and the reason of a mistake in JSON, and since when a schedule is stale", async () => {
    const invalid = await look(hostWith("1 2\n\n5 4\n"), ["--json"]);
    expect(JSON.parse(invalid.stdout)).toMatchObject({
      state: "invalid",
      open: false,
      line: 3,
      text: "5 4",
      why: "START must lie before STOP",
      windows: [],
    });
    const stale = JSON.parse((await look(hostWith("1 2\n"), ["--json"])).stdout) as object;
    expect(stale).toMatchObject({ state: "stale", open: false, since: instant(2) });
    expect(stale).not.toHaveProperty("until");
  });

  test.each([
    [["/proc/nowhere/schedule"], 64, "there is no file /proc/nowhere/schedule"],
    [["--at", "soon"], 64, '"soon" is no time'],
    [[], 78, 'major: "some"'],
  ])("with %j is a fault where there is nothing to show", async (args, status, message) => {
    const root = hostWith(weekly(1), status === 78 ? "major: some\n" : "");
    const ended = await look(root, args);
    expect([ended.status, ended.stdout]).toEqual([status, ""]);
    expect(ended.stderr).toContain(message);
  });

  test("tells the time in UTC where the host's zone is none that is known", async () => {
    for (const zone of ["", "Nowhere/Land"]) {
      const { lines } = await look(hostWith(weekly(1)), ["--at", before], zone);
      expect(lines[2]).toBe("as of Sat 2026-11-21 20:00 UTC");
    }
  });
});
