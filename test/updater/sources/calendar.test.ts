import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, test } from "vitest";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { pathsBelow, type Paths } from "../../../src/machine/files/paths.ts";
import { withCalendar } from "../../../src/updater/sources/calendar.ts";
import { prepare } from "../../../src/updater/sources/settings.ts";
import { mergeSettings } from "../../../src/rules/settings/merge.ts";
import type { Settings } from "../../../src/rules/settings/settings.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";
import { at } from "../../rules/window/clocks.ts";

const folder = scratchFolder();
let roots = 0;

/** Friday. */
const now = at("2026-11-20T12:00Z");
const day = 86_400;

function rootOf(zone = "Europe/Berlin"): Paths {
  roots += 1;
  const paths = pathsBelow(`${folder}/${roots}`);
  mkdirSync(`${paths.root}/etc/svc-upgrade`, { recursive: true });
  mkdirSync(paths.stateDirectory, { recursive: true });
  setZone(paths, zone);
  return paths;
}

function setZone({ localtime }: Paths, zone: string): void {
  rmSync(localtime, { force: true });
  symlinkSync(`/usr/share/zoneinfo/${zone}`, localtime);
}

type Look = { readonly now?: number; readonly calendar?: "kept" | "anew"; readonly values?: object };

const night = { window: { start: "02:30", duration: "2h", weekdays: ["Sun"] } };

async function settingsIn(paths: Paths, { now: moment = now, calendar = "kept", values = night }: Look = {}): Promise<Settings> {
  const merged = mergeSettings([{ origin: { kind: "file", path: "/x.yaml" }, values }]);
  if (merged.kind === "faults") throw new Error(JSON.stringify(merged.faults));
  return withCalendar(merged.settings, merged.zones, { paths, now: moment, calendar, log: () => undefined });
}

async function starts(paths: Paths, look: Look = {}): Promise<readonly string[]> {
  const { window } = await settingsIn(paths, look);
  return (window?.spans ?? []).map(({ start }) => new Date(start * 1000).toISOString().slice(0, 16));
}

const berlins = ["2026-11-22T01:30", "2026-11-29T01:30"];
const tokyos = ["2026-11-21T17:30", "2026-11-28T17:30"];

/** By a mark in it that nothing else would make: what is read here is what lay there. */
function mark(paths: Paths, change: (kept: Record<string, unknown>) => void = () => undefined): void {
  const kept = JSON.parse(readFileSync(paths.calendar, "utf8")) as Record<string, unknown>;
  kept["spans"] = [{ start: now, stop: now + 60 }];
  change(kept);
  writeFileSync(paths.calendar, JSON.stringify(kept));
}

const marked = ["2026-11-20T12:00"];

describe("what local times come to", () => {
  test("is kept, and read by the next pass", async () => {
    const paths = rootOf();
    expect(await starts(paths)).toEqual(berlins);
    expect(statSync(paths.calendar).mode & 0o777).toBe(0o644);
    mark(paths);
    expect(await starts(paths)).toEqual(marked);
    expect(await starts(paths, { now: now + 5 * day })).toEqual(marked);
  });

  test("is neither read nor kept by whoever else looks", async () => {
    const paths = rootOf();
    await starts(paths, { calendar: "anew" });
    expect(existsSync(paths.calendar)).toBe(false);
    await starts(paths);
    mark(paths);
    const before = readFileSync(paths.calendar, "utf8");
    expect(await starts(paths, { calendar: "anew" })).toEqual(berlins);
    expect(readFileSync(paths.calendar, "utf8")).toBe(before);
  });

  test.each<[string, (paths: Paths) => void, Look, readonly string[]]>([
    ["the host's zone", (paths) => setZone(paths, "Asia/Tokyo"), {}, tokyos],
    [
      "the settings",
      () => undefined,
      { values: { window: { ...night.window, start: "03:30" } } },
      ["2026-11-22T02:30", "2026-11-29T02:30"],
    ],
    [
      "the tables of zones",
      (paths) => mark(paths, (kept) => (kept["key"] = String(kept["key"]).replace(process.versions["tz"]!, "2020a"))),
      {},
      berlins,
    ],
    ["the clock, by being set back", () => undefined, { now: now - 2 * day }, ["2026-11-22T01:30", "2026-11-29T01:30"]],
  ])("is worked out again when that has changed: %s", async (_title, change, look, expected) => {
    const paths = rootOf();
    await starts(paths);
    mark(paths);
    change(paths);
    expect(await starts(paths, look)).toEqual(expected);
    mark(paths);
    expect(await starts(paths, look)).toEqual(marked);
  });

  test.each<[string, (paths: Paths) => void]>([
    ["a link", ({ calendar }) => (renameSync(calendar, `${calendar}.real`), symlinkSync("calendar.json.real", calendar))],
    ["a second name of another file", ({ calendar }) => linkSync(calendar, `${calendar}.other`)],
    ["one that others may write", ({ calendar }) => chmodSync(calendar, 0o666)],
  ])("is worked out again where what lies there is %s", async (_title, spoil) => {
    const paths = rootOf();
    await starts(paths);
    mark(paths);
    spoil(paths);
    expect(await starts(paths)).toEqual(berlins);
  });

  test.runIf(process.getuid?.() === 0)("is worked out again where what lies there is another user's", async () => {
    const paths = rootOf();
    await starts(paths);
    mark(paths);
    chownSync(paths.calendar, 4242, 4242);
    expect(await starts(paths)).toEqual(berlins);
  });

  test("is not kept where it would be too long to be read", async () => {
    const paths = rootOf();
    const blackouts = Array.from({ length: 300 }, () => ({ from: "12-20", to: "01-02", reason: "x".repeat(1000) }));
    expect((await settingsIn(paths, { values: { blackouts } })).blackouts.length).toBeGreaterThan(300);
    expect(existsSync(paths.calendar)).toBe(false);
  });

  test("of blackouts stands beside those that need no zone, with its reason", async () => {
    const blackouts = [
      { from: "2026-12-24", to: "2026-12-27" },
      { from: "2026-12-28 08:00", to: "2026-12-29 08:00", timezone: "Asia/Tokyo", reason: "move" },
      { from: "12-20", to: "01-02" },
    ];
    const found = await settingsIn(rootOf(), { values: { blackouts } });
    expect(found.window).toBeUndefined();
    expect(found.blackouts).toEqual([
      { from: at("2026-12-24T00:00Z"), to: at("2026-12-27T00:00Z"), reason: undefined },
      { from: at("2026-12-27T23:00Z"), to: at("2026-12-28T23:00Z"), reason: "move" },
      ...[2025, 2026, 2027].map((year) => ({
        from: at(`${year}-12-19T23:00Z`),
        to: at(`${year + 1}-01-01T23:00Z`),
        reason: undefined,
      })),
    ]);
  });
});

describe("a zone that is none", () => {
  async function refusal(paths: Paths, yaml: string): Promise<Fault> {
    writeFileSync(`${paths.root}/etc/svc-upgrade/10-site.yaml`, yaml, { mode: 0o644 });
    const ownerUid = process.getuid?.() ?? -1;
    const asked = prepare({ paths, environment: {}, flags: [], ownerUid, log: () => undefined, at: now, calendar: "kept" });
    const thrown = await asked.then(
      () => "settings",
      (fault: unknown) => fault,
    );
    if (thrown instanceof Fault) return thrown;
    throw new Error(String(thrown));
  }

  const window = (zone: string): string =>
    `endpoint: https://a.example\nwindow: {start: "02:30", duration: 2h, timezone: ${zone}}\n`;

  test.each([
    ["Europe/Berlim", "Europe/Berlin"],
    ["europe_berlin", "Europe/Berlin"],
    ["Berlin", "Europe/Berlin"],
    ["Asia/Tokio", "Asia/Tokyo"],
    ["Etc/Nowhere", undefined],
  ])("is a fault of the settings, and the nearest is named: %s", async (zone, meant) => {
    const { code, message } = await refusal(rootOf(), window(zone));
    expect(code).toBe("settings-invalid");
    const did = meant === undefined ? "" : `, did you mean ${meant}?`;
    expect(message).toContain(`window.timezone: "${zone}", which is no time zone${did} (allowed: the name of a time zone (IANA)`);
  });

  test("is told with all other faults", async () => {
    const { message } = await refusal(
      rootOf(),
      `${window("Berlim")}major: some\nblackouts: [{from: 12-20, to: 01-02, timezone: Tokio}, {from: 12-20, to: 01-02}]\n`,
    );
    expect(message).toContain("3 settings are wrong");
    expect(message).toContain('major: "some"');
    expect(message).toContain('window.timezone: "Berlim"');
    expect(message).toContain('blackouts[0].timezone: "Tokio"');
  });

  test.each([
    ["Nowhere/Land", "names Nowhere/Land, which is no time zone"],
    ["../hostname", "is a link to no time zone"],
  ])("is the host's own, where it is needed: a link to %s", async (zone, why) => {
    const paths = rootOf(zone);
    const { message } = await refusal(paths, 'endpoint: https://a.example\nwindow: {start: "02:30", duration: 2h}\n');
    expect(message).toContain("window.timezone: nothing, and the host's own is not known: ");
    expect(message).toContain(why);
    expect(message).toContain("timedatectl set-timezone");
    await expect(refusal(paths, window("UTC"))).rejects.toThrow("settings");
  });

  test("is not asked about, and nothing is kept, where no setting is a local time", async () => {
    const paths = rootOf("Nowhere/Land");
    await expect(refusal(paths, "endpoint: https://a.example\nwindow: {utc_start_hour: 3}\n")).rejects.toThrow("settings");
    expect(existsSync(paths.calendar)).toBe(false);
    await expect(refusal(rootOf(), window("UTC"))).rejects.toThrow("settings");
  });
});
