import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Architecture } from "../project.ts";
import { runTool } from "../tool.ts";
import { fillTree, settleTimes } from "../tree.ts";
import { rpmArchitectures, specFile, type SpecFacts } from "./spec.ts";

/** Builds a package of these files in an empty folder; returns the path of the .rpm in there. */
export function buildRpm(facts: SpecFacts, architecture: Architecture, work: string): string {
  const tree = resolve(work, "tree");
  fillTree(tree, facts.files);
  settleTimes(tree, facts.unixSeconds);
  const spec = resolve(work, "package.spec");
  writeFileSync(spec, specFile(facts));
  // rpmbuild takes the package's own times from this variable.
  process.env["SOURCE_DATE_EPOCH"] = String(facts.unixSeconds);
  const macros = { _topdir: work, _rpmdir: work, _rpmfilename: "built.rpm", tree };
  const defined = Object.entries(macros).flatMap(([name, value]) => ["--define", `${name} ${value}`]);
  runTool(["rpmbuild", "-bb", "--target", `${rpmArchitectures[architecture]}-linux`, ...defined, spec]);
  return resolve(work, "built.rpm");
}
