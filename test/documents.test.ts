import { schemaOf } from "../src/rules/shape/schema.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answers } from "../packaging/schemas/updater.ts";
import { serverSettings, withoutRow } from "../packaging/server-settings.ts";
import { objectFaultTable } from "../src/rules/fault/object-table.ts";
import { faultTable } from "../src/rules/fault/table.ts";
import { stayReasons as kubeStayReasons } from "../src/kube/objects/object-reasons.ts";
import { moveReasons, stayReasons } from "../src/updater/plan/host-reasons.ts";
import { proxyFields } from "../src/proxy/server-rules/fields.ts";
import { metrics } from "../src/updater/metrics/updater.ts";
import { settingsReference } from "../src/rules/settings/reference.ts";
import { blockIn, documents, project, textOf, updateBlock } from "./documents.ts";
import { anchorsIn, linksIn } from "./links.ts";
import { everyMetric as everyAuthMetric } from "./cluster/auth/every-metric.ts";
import type { MetricRow } from "./metric-rows.ts";
import { everyMetric } from "./proxy/server/every-metric.ts";

/** The documents' tables are made from the code: UPDATE_DOCS=1 npm test -- test/documents.test.ts writes them again. */
const tables: Readonly<Record<string, string>> = {
  settings: table(
    ["setting", "allowed", "default", "meaning"],
    settingsReference().map((row) => [`\`${row.key}\``, row.allowed, `\`${row.default}\``, row.meaning]),
  ),
  schemas: table(
    ["command", "schema", "answer"],
    Object.entries(answers).map(([name, { commands, shape }]) => [
      // What is no command's answer is told to one.
      (commands.length === 0 ? ["what `notify.command` is told"] : commands)
        .map((command) => (command.includes(" ") ? command : `\`${command}\``))
        .join(", "),
      `\`${name}.schema.json\``,
      String(schemaOf(shape)["description"]),
    ]),
  ),
  "server-settings": table(
    ["below `proxy_service`", "allowed", "default", "meaning"],
    serverSettings.map((row) => [row.keys.map((key) => `\`${key}\``).join(", "), row.allowed, row.default, row.meaning]),
  ),
  "server-metrics": metricTable(await everyMetric()),
  "auth-metrics": metricTable(await everyAuthMetric()),
  metrics: table(
    ["name", "type", "meaning"],
    Object.entries(metrics).map(([name, { labels, meaning }]) => {
      const told = labels.length === 0 ? "" : `{${labels.join(", ")}}`;
      return [`\`${name}${told}\``, "gauge", meaning];
    }),
  ),
  stays: table(
    ["reason", "meaning", "what ends it"],
    Object.entries(stayReasons).map(([why, row]) => [`\`${why}\``, row.meaning, row.ends]),
  ),
  "kube-stays": table(
    ["reason", "meaning", "what ends it"],
    Object.entries(kubeStayReasons).map(([why, row]) => [`\`${why}\``, row.meaning, row.ends]),
  ),
  "kube-faults": table(
    ["status", "fault", "meaning"],
    Object.entries(objectFaultTable).map(([code, { exit, meaning }]) => [String(exit), `\`${code}\``, meaning]),
  ),
  moves: table(
    ["reason", "meaning"],
    Object.entries(moveReasons).map(([why, row]) => [`\`${why}\``, row.meaning]),
  ),
  faults: table(
    ["status", "fault", "meaning", "healed", "what to do first"],
    Object.entries(faultTable)
      .toSorted(([, left], [, right]) => left.exit - right.exit)
      .map(([code, row]) => [
        String(row.exit),
        `\`${code}\``,
        row.meaning,
        row.heals === "by-itself" ? "by itself" : "by hand",
        row.remedy,
      ]),
  ),
};

test.each(Object.entries(tables))("the documents have the table of %s that the code has", (name, made) => {
  updateBlock(name, made);
  expect(blockIn(name)).toBe(made);
});

test("the README is read in one sitting", () => {
  expect(textOf("README.md").split("\n").length - 1).toBeLessThanOrEqual(250);
});

describe("every link leads somewhere", () => {
  test.each(documents)("from %s", (document) => {
    const astray = linksIn(document, textOf(document)).filter(({ path, anchor }) => {
      if (!existsSync(join(project, path))) return true;
      return anchor !== undefined && !(documents.includes(path) && anchorsIn(textOf(path)).includes(anchor));
    });
    expect(astray.map(({ written }) => written)).toEqual([]);
  });

  test("from some", () => {
    expect(documents).toEqual(expect.arrayContaining(["README.md", "SECURITY.md", "CHANGELOG.md", "docs/settings.md"]));
    expect(linksIn("README.md", textOf("README.md")).length).toBeGreaterThan(20);
  });
});

test("every key of svc-proxy has its row, or is one that needs none", () => {
  const rows = serverSettings.flatMap(({ keys }) => keys);
  expect(Object.keys(proxyFields).filter((key) => !rows.includes(key) && !withoutRow.includes(key))).toEqual([]);
});

function metricTable(rows: readonly MetricRow[]): string {
  return table(
    ["name", "type", "meaning"],
    rows.map(({ name, type, meaning }) => [`\`${name}\``, type, meaning]),
  );
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  return line(header) + line(header.map(() => "---")) + rows.map(line).join("");
}
