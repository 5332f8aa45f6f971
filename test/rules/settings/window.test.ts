import { describe, expect, test } from "vitest";
import { environmentFragments } from "../../../src/rules/settings/environment.ts";
import { mergeSettings } from "../../../src/rules/settings/merge.ts";
import type { Fragment, MergedSettings } from "../../../src/rules/settings/settings.ts";

function file(name: string, window: unknown): Fragment {
  return { origin: { kind: "file", path: `/etc/svc-upgrade/${name}.yaml` }, values: { window } };
}

function merged(...windows: readonly unknown[]): MergedSettings {
  return mergeSettings(windows.map((window, index) => file(`${index + 1}0`, window)));
}

function windowOf(found: MergedSettings): unknown {
  if (found.kind === "faults") throw new Error(JSON.stringify(found.faults));
  return found.settings.window;
}

function faultsOf(found: MergedSettings): readonly string[] {
  if (found.kind === "settings") return [];
  return found.faults.map(({ key, found: what, origin }) => {
    const where = origin.kind === "file" ? origin.path.slice("/etc/svc-upgrade/".length, -".yaml".length) : origin.kind;
    return `${where} ${key}: ${what}`;
  });
}

const hourly = (utcStartHour: number, ...weekdays: readonly number[]): object => ({ utcStartHour, weekdays });
const night = { start: "02:30", duration: "2h" };
const nightly = { start: 9000, durationSeconds: 7200, weekdays: [], timezone: undefined };

describe("the local window", () => {
  test.each<[string, readonly unknown[], object]>([
    ["at a time of the host's clocks", [night], { hourly: [], local: [nightly] }],
    [
      "of a zone and on some days",
      [{ start: "23:05", duration: "1h30m", weekdays: ["sat", "Sunday"], timezone: "Europe/Berlin" }],
      { local: [{ start: 83_100, durationSeconds: 5400, weekdays: [0, 6], timezone: "Europe/Berlin" }] },
    ],
    ["for half an hour", [{ ...night, duration: "30m" }], { local: [{ ...nightly, durationSeconds: 1800 }] }],
    ["for a day, in minutes", [{ ...night, duration: "1440m" }], { local: [{ ...nightly, durationSeconds: 86_400 }] }],
    [
      "key by key out of several files",
      [night, { timezone: "Asia/Tokyo" }, { weekdays: ["Tue"], duration: "3h" }],
      { local: [{ ...nightly, durationSeconds: 10_800, weekdays: [2], timezone: "Asia/Tokyo" }] },
    ],
    [
      "in place of an earlier file's hour, whose days stay",
      [{ utc_start_hour: 3, weekdays: ["Sat"] }, night],
      { hourly: [], local: [{ ...nightly, weekdays: [6] }] },
    ],
    [
      "an hour in place of an earlier file's time, with what belonged to that",
      [{ ...night, timezone: "Asia/Tokyo" }, { utc_start_hour: 3 }],
      { hourly: [hourly(3)], local: [] },
    ],
    [
      "several",
      [[night, { utc_start_hour: 3, weekdays: ["Sat"] }, { ...night, timezone: "UTC" }]],
      { hourly: [hourly(3, 6)], local: [nightly, { ...nightly, timezone: "UTC" }] },
    ],
    ["several in place of one", [{ utc_start_hour: 3, weekdays: ["Sat"] }, [night]], { hourly: [], local: [nightly] }],
    ["one in place of several", [[night, night], { utc_start_hour: 3 }], { hourly: [hourly(3)], local: [] }],
    ["a time in place of several", [[{ utc_start_hour: 3 }], night], { hourly: [], local: [nightly] }],
  ])("%s", (_title, windows, expected) => expect(windowOf(merged(...windows))).toMatchObject({ spans: [], ...expected }));

  test("several rows of the configuration tell what counts, and not what gave way", () => {
    const found = merged({ utc_start_hour: 3, weekdays: ["Sat"] }, [night]);
    const rows = found.kind === "settings" ? found.rows.filter(({ key }) => key.startsWith("window")) : [];
    expect(rows.map(({ key, value }) => [key, value])).toEqual([
      ["window", [night]],
      ["window.utc_start_hour", undefined],
      ["window.start", undefined],
      ["window.duration", undefined],
      ["window.weekdays", undefined],
      ["window.timezone", undefined],
    ]);
  });
});

describe("a fault of the window", () => {
  test.each<[string, readonly unknown[], readonly string[]]>([
    ["a time without its duration", [{ start: "02:30" }], ["10 window.duration: nothing"]],
    ["a duration without a time", [{ duration: "2h" }], ["10 window.start: nothing"]],
    ["a zone alone", [{ timezone: "UTC" }], ["10 window.start: nothing", "10 window.duration: nothing"]],
    [
      "both ways in one file",
      [{ utc_start_hour: 3, ...night }],
      ['10 window.start: "02:30" beside window.utc_start_hour of /etc/svc-upgrade/10.yaml'],
    ],
    [
      "a duration beside an hour of UTC",
      [{ utc_start_hour: 3 }, { duration: "2h" }],
      ['20 window.duration: "2h" beside window.utc_start_hour of /etc/svc-upgrade/10.yaml'],
    ],
    [
      "a zone beside an hour of UTC",
      [{ utc_start_hour: 3, timezone: "UTC" }],
      ['10 window.timezone: "UTC" beside window.utc_start_hour of /etc/svc-upgrade/10.yaml'],
    ],
    [
      "days beside several windows",
      [[night], { weekdays: ["Sat"] }],
      ["20 window.weekdays: a list beside the list of windows in /etc/svc-upgrade/10.yaml"],
    ],
    ["no time that there is", [{ ...night, start: "24:00" }], ['10 window.start: "24:00"']],
    ["a time without its nought", [{ ...night, start: "2:30" }], ['10 window.start: "2:30"']],
    ["a time as a number", [{ ...night, start: 150 }], ["10 window.start: 150"]],
    ["29 minutes", [{ ...night, duration: "29m" }], ['10 window.duration: "29m"']],
    ["more than a day", [{ ...night, duration: "24h1m" }], ['10 window.duration: "24h1m"']],
    ["no duration", [{ ...night, duration: "" }], ['10 window.duration: ""']],
    ["a duration in seconds", [{ ...night, duration: 7200 }], ["10 window.duration: 7200"]],
    ["an offset for a zone", [{ ...night, timezone: "+01:00" }], ['10 window.timezone: "+01:00"']],
    ["too long a zone", [{ ...night, timezone: "x".repeat(65) }], [`10 window.timezone: "${"x".repeat(60)}…"`]],
    ["a way out of the zones", [{ ...night, timezone: "../../etc/passwd" }], ['10 window.timezone: "../../etc/passwd"']],
    ["a wrong time over an hour", [{ utc_start_hour: 3 }, { ...night, start: "2.30" }], ['20 window.start: "2.30"']],
    ["a wrong duration is not missing", [{ ...night, duration: "1s" }], ['10 window.duration: "1s"']],
    ["a wrong time is not missing", [{ duration: "2h", start: "x" }], ['10 window.start: "x"']],
    ["a wrong time with days", [{ weekdays: ["Sat"], start: "x" }], ['10 window.start: "x"']],
    ["no windows", [[]], ["10 window: an empty list"]],
    ["too many windows", [Array.from({ length: 21 }, () => night)], ["10 window: a list of 21"]],
    [
      "all faults of several windows",
      [
        [
          night,
          { start: "02:30" },
          { utc_start_hour: 3, duration: "2h" },
          5,
          {},
          { ...night, weekdays: ["x"], strt: 1 },
          { utc_start_hour: 3, timezone: "UTC" },
        ],
      ],
      [
        "10 window[1].duration: nothing",
        "10 window[2].duration: it stands beside utc_start_hour",
        "10 window[3]: 5",
        "10 window[4].start: nothing",
        '10 window[5].weekdays[0]: "x"',
        "10 window[5].strt: unknown key, did you mean start?",
        "10 window[6].timezone: it stands beside utc_start_hour",
      ],
    ],
  ])("%s", (_title, windows, expected) => expect(faultsOf(merged(...windows))).toEqual(expected));

  test("says what is allowed in its place", () => {
    const found = merged({ utc_start_hour: 3, ...night }, { weekdays: ["Sat"] });
    expect(found).toMatchObject({
      faults: [{ allowed: "one of both: utc_start_hour for an hour of UTC, or start and duration, and perhaps timezone" }],
    });
    expect(merged({ weekdays: ["Sat"] })).toMatchObject({
      faults: [{ allowed: "a whole number from 0 to 23; or window.start and window.duration in its place" }],
    });
  });
});

describe("variables", () => {
  function withVariables(environment: Readonly<Record<string, string>>, ...windows: readonly unknown[]): MergedSettings {
    const { fragments, faults } = environmentFragments(environment);
    return mergeSettings([...windows.map((window, index) => file(`${index + 1}0`, window)), ...fragments], faults);
  }

  test("say a whole window, in place of a file's", () => {
    const variables = {
      SVC_UPGRADE_WINDOW_DURATION: "2h",
      SVC_UPGRADE_WINDOW_START: "02:30",
      SVC_UPGRADE_WINDOW_TIMEZONE: "Asia/Tokyo",
      SVC_UPGRADE_WINDOW_WEEKDAYS: "Sat Sun",
    };
    expect(windowOf(withVariables(variables, [{ utc_start_hour: 3 }]))).toEqual({
      hourly: [],
      local: [{ ...nightly, weekdays: [0, 6], timezone: "Asia/Tokyo" }],
      spans: [],
    });
  });

  test("are one source: whichever name comes first, both ways are one too many", () => {
    const variables = {
      SVC_UPGRADE_WINDOW_START: "02:30",
      SVC_UPGRADE_WINDOW_DURATION: "2h",
      SVC_UPGRADE_WINDOW_UTC_START_HOUR: "3",
    };
    expect(faultsOf(withVariables(variables))).toEqual([
      'environment window.start: "02:30" beside window.utc_start_hour of SVC_UPGRADE_WINDOW_UTC_START_HOUR',
    ]);
  });
});

test("each zone that is needed is told with the key that needs it, also where something else is wrong", () => {
  const blackouts = [
    { from: "2026-12-24", to: "2026-12-27" },
    { from: "12-20", to: "01-02" },
    { from: "12-20", to: "01-02", timezone: "Asia/Tokyo" },
  ];
  const origin = { kind: "file", path: "/x.yaml" } as const;
  const zones = (window: unknown, more: object = {}) => mergeSettings([{ origin, values: { window, blackouts, ...more } }]).zones;
  const ofBlackouts = [
    { origin, key: "blackouts[1].timezone", zone: undefined },
    { origin, key: "blackouts[2].timezone", zone: "Asia/Tokyo" },
  ];
  expect(zones(night)).toEqual([{ origin, key: "window.timezone", zone: undefined }, ...ofBlackouts]);
  expect(zones({ ...night, timezone: "UTC" }, { channel: 5 })).toEqual([
    { origin, key: "window.timezone", zone: "UTC" },
    ...ofBlackouts,
  ]);
  expect(zones([{ utc_start_hour: 3 }, night])).toEqual([{ origin, key: "window[1].timezone", zone: undefined }, ...ofBlackouts]);
  expect(mergeSettings([{ origin, values: { window: { utc_start_hour: 3 } } }]).zones).toEqual([]);
});
