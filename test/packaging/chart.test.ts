import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { parse } from "yaml";
import project from "../../package.json" with { type: "json" };
import { chartFolder, describedChart, packChart } from "../../packaging/helm/pack.ts";
import { settingsReference } from "../../src/rules/settings/reference.ts";

type Schema = { readonly properties?: Readonly<Record<string, Schema>>; readonly oneOf?: readonly Schema[] };

const schema = JSON.parse(readFileSync(join(chartFolder, "values.schema.json"), "utf8")) as Schema;
const valuesText = readFileSync(join(chartFolder, "values.yaml"), "utf8");
const values = parse(valuesText) as Readonly<Record<string, unknown>>;

test("the chart has the project's version, and installs the cluster's", () => {
  expect(describedChart()).toMatchObject({ version: project.version, appVersion: project.clusterVersion });
});

test("its values are right by its schema, which knows no other ones", () => {
  const validate = new Ajv({ allowUnionTypes: true, strictTypes: false }).compile(schema);
  expect([validate(values), validate.errors]).toEqual([true, null]);
  const known = Object.keys(schema.properties ?? {}).filter((key) => key !== "global");
  expect(known.toSorted()).toEqual(Object.keys(values).toSorted());
  // The optional ones stand in comments.
  const updater = Object.keys(schema.properties?.["updater"]?.properties ?? {});
  expect(updater.filter((key) => !new RegExp(`^  (?:# )?${key}:`, "m").test(valuesText))).toEqual([]);
});

test("its windows are said as on hosts", () => {
  const said = schema.properties?.["updater"]?.properties?.["window"]?.oneOf?.[0]?.properties;
  const settings = settingsReference().flatMap(({ key }) => (key.startsWith("window.") ? [key.slice("window.".length)] : []));
  expect(Object.keys(said ?? {}).toSorted()).toEqual(settings.toSorted());
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
