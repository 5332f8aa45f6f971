import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { parse } from "yaml";
import project from "../../package.json" with { type: "json" };
import { chartFolder, describedChart, packChart } from "../../packaging/helm/pack.ts";
import { readUpdaterSettings } from "../../src/kube/objects/settings.ts";
import { settingsReference } from "../../src/rules/settings/reference.ts";

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly definitions?: Readonly<Record<string, Schema>>;
};

const schema = JSON.parse(readFileSync(join(chartFolder, "values.schema.json"), "utf8")) as Schema;
const valuesText = readFileSync(join(chartFolder, "values.yaml"), "utf8");
const values = parse(valuesText) as Readonly<Record<string, unknown>>;

test("the chart has the project's version, and installs the cluster's", () => {
  expect(describedChart()).toMatchObject({ version: project.version, appVersion: project.clusterVersion });
});

const validate = new Ajv({ allowUnionTypes: true, strictTypes: false, strictRequired: false }).compile(schema);

test("its values are right by its schema, which knows no other ones", () => {
  expect([validate(values), validate.errors]).toEqual([true, null]);
  const known = Object.keys(schema.properties ?? {}).filter((key) => key !== "global");
  expect(known.toSorted()).toEqual(Object.keys(values).toSorted());
  // The optional ones stand in comments.
  const updater = Object.keys(schema.properties?.["updater"]?.properties ?? {});
  expect(updater.filter((key) => !new RegExp(`^  (?:# )?${key}:`, "m").test(valuesText))).toEqual([]);
});

test("its windows are said as on hosts", () => {
  const said = schema.definitions?.["window"]?.properties;
  const settings = settingsReference().flatMap(({ key }) => (key.startsWith("window.") ? [key.slice("window.".length)] : []));
  expect(Object.keys(said ?? {}).toSorted()).toEqual(settings.toSorted());
});

type Updater = Readonly<Record<string, unknown>>;

/** Whether the schema takes it, and the updater as its settings. */
function takes(more: Updater): { readonly schema: boolean; readonly updater: boolean } {
  const { versionServer = "https://proxy.example.com", releaseChannel = "default", tag = "{version}", objects, ...others } = more;
  const given = { ...(values["updater"] as object), ...more };
  const object = { kind: "StatefulSet", name: "agent", container: "svc", tag };
  const raw = { object, endpoint: versionServer, channel: releaseChannel, ...others };
  const named = objects === undefined ? raw : { ...raw, object: undefined, objects: [object, ...(objects as readonly object[])] };
  const apiServer = { url: "https://10.0.0.1", caFile: "/ca", tokenFile: "/token" };
  const read = readUpdaterSettings(named, { origin: { kind: "file", path: "/settings.yaml" }, namespace: "agents", apiServer });
  return { schema: validate({ ...values, updater: given }), updater: read.kind !== "faults" };
}

const hourly = { utc_start_hour: 3 };
const local = { start: "02:00", duration: "2h" };

test.each<Updater>([
  { window: {} },
  { window: hourly },
  { window: { ...hourly, weekdays: ["Tue", "saturday", "WED"] } },
  { window: { ...local, timezone: "Europe/Berlin" } },
  ...["30m", "1440m", "1h30m", "24h", "045m", "01h5m"].map((duration) => ({ window: { ...local, duration } })),
  { window: [hourly, local] },
  { blackouts: [{ from: "12-20", to: "01-02", timezone: "Europe/Berlin", reason: "year end" }] },
  { blackouts: [{ from: "2026-12-24", to: "2026-12-24T18:00:00Z" }] },
  { blackouts: [{ from: "2026-12-24 18:00", to: "2026-12-27 06:00" }] },
  { hold: {} },
  { hold: { until: "2027-01-04T06:00:00Z", reason: "inventory" } },
  { hold: { until: "2027-01-04" } },
  ...["2027-12-31", "2027-11-30", "2028-02-29"].map((until) => ({ hold: { until } })),
  { pin: { version: "15.4.6" } },
  { pin: { version: "v15.4.6-rc.1", reason: "by hand" } },
  ...["look", "ask", "gather", "unhealthy", "remind", "health", "settle", "free", "lease"].map((key) => ({
    deadlines: { [key]: "90s" },
  })),
  ...["86400s", "1440m", "24h"].map((look) => ({ deadlines: { look } })),
  { versionServer: "http://127.0.0.1:3080" },
  { versionServer: "https://proxy.example.com/some/path" },
  { releaseChannel: "stable/cloud" },
  { tag: "v{version}-alpine" },
  { objects: [{ kind: "Deployment", name: "relay.two", container: "svc" }] },
])("what the updater takes is taken by the chart: %j", (more) => {
  expect(takes(more)).toEqual({ schema: true, updater: true });
});

test.each<Updater>([
  { window: [] },
  { window: { utc_start_hour: 24 } },
  { window: { ...hourly, ...local } },
  { window: { ...hourly, timezone: "Europe/Berlin" } },
  { window: { start: "02:00" } },
  { window: { duration: "2h" } },
  { window: { ...hourly, weekdays: ["Tues"] } },
  ...["2:00", "24:00", "02:60"].map((start) => ({ window: { ...local, start } })),
  ...["29m", "25h", "24h1m", "1441m", "2", ""].map((duration) => ({ window: { ...local, duration } })),
  ...["Berlin!", "", "+2"].map((timezone) => ({ window: { ...local, timezone } })),
  { blackouts: [{ from: "12-32", to: "01-02" }] },
  { blackouts: [{ from: "12-20", to: "2027-01-02" }] },
  { blackouts: [{ from: "tomorrow", to: "2027-01-02" }] },
  { blackouts: [{ from: "12-20", to: "01-02", reason: "" }] },
  { hold: { until: "2027-01-04 06:00" } },
  { hold: { until: "2027-13-04" } },
  { hold: { until: "2027-02-30" } },
  { hold: { until: "2027-04-31T06:00:00Z" } },
  { blackouts: [{ from: "02-30", to: "03-02" }] },
  { blackouts: [{ from: "2026-11-20", to: "2026-11-31 06:00" }] },
  { hold: { reason: "two\nlines" } },
  { pin: {} },
  { pin: { version: "15.4" } },
  { pin: { version: "latest" } },
  ...["0s", "86401s", "1441m", "25h", "1d", "90"].map((look) => ({ deadlines: { look } })),
  { deadlines: { looks: "1m" } },
  { versionServer: "https://user@proxy.example.com" },
  { versionServer: "https://proxy.example.com/v1/webapi/automaticupgrades/channel/default" },
  { versionServer: "proxy.example.com" },
  { releaseChannel: "/stable" },
  { tag: "version" },
  { tag: "-{version}" },
  { objects: [{ kind: "Deployment", name: "Relay", container: "svc" }] },
  { objects: [{ kind: "Deployment", name: "relay", container: "svc/x" }] },
])("what the updater refuses is refused by the chart: %j", (more) => {
  expect(takes(more)).toEqual({ schema: false, updater: false });
});

test.each([
  [{ image: { repository: "registry.example:5000/svc:15.4.5" } }],
  [{ image: { repository: "svc:15.4.5" } }],
  [{ image: { repository: "svc", tag: "15.4.5@sha256" } }],
  [{ updater: { replicas: 0 } }],
  [{ updater: { image: { repository: "registry.example/updater:1" } } }],
])("the chart refuses %j", (more) => {
  expect(validate(more)).toBe(false);
  expect(validate({ image: { repository: "registry.example:5000/team/svc", tag: "15.4.5" }, updater: { replicas: 2 } })).toBe(
    true,
  );
});

test("it is packed to the same bytes each time, which the index names", () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-chart-"));
  try {
    const contents = [1, 2].map((round) => packChart(join(folder, String(round))).map((path) => readFileSync(path)));
    expect(contents[0]).toEqual(contents[1]);
    const [archive, index] = contents[0] ?? [];
    const digest = createHash("sha256").update(archive!).digest("hex");
    expect(parse(index!.toString())).toMatchObject({ entries: { "svc-agent": [{ version: project.version, digest }] } });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
