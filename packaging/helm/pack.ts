import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parse, stringify } from "yaml";
import { buildDate, projectRoot } from "../project.ts";
import { packedTree } from "../packed-tree.ts";

export const chartFolder: string = join(projectRoot, "packaging/chart");

type Described = { readonly name: string; readonly version: string; readonly appVersion: string };

export function describedChart(): Described {
  return parse(readFileSync(join(chartFolder, "Chart.yaml"), "utf8")) as Described;
}

/** Packs the chart and an index, which together are a repository for helm. Returns the paths. Every build of one commit gives the same bytes. */
export function packChart(folder: string): readonly string[] {
  const described = describedChart();
  const archiveName = `${described.name}-${described.version}.tgz`;
  const [archive, index] = [join(folder, archiveName), join(folder, "index.yaml")];
  mkdirSync(folder, { recursive: true });
  const packed = gzipSync(packedTree(join(chartFolder, ".."), { from: "chart", to: described.name }), { level: 9 });
  writeFileSync(archive, packed);
  const created = new Date(buildDate() * 1000).toISOString();
  const digest = createHash("sha256").update(packed).digest("hex");
  const entry = { ...described, created, digest, urls: [archiveName] };
  writeFileSync(index, stringify({ apiVersion: "v1", entries: { [described.name]: [entry] }, generated: created }));
  return [archive, index];
}
