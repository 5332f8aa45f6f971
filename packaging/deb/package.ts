import { renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { packageName } from "../about.ts";
import { contents } from "../contents.ts";
import { buildDate, distFolder, projectVersion, type Architecture } from "../project.ts";
import { packageScript, scriptNames } from "../scripts.ts";
import { runTool } from "../tool.ts";
import { checksums, fillTree, installedKilobytes, settleTimes, type TreeFile } from "../tree.ts";
import { changelog, controlFile } from "./control.ts";

const doc = `usr/share/doc/${packageName}`;

/** Builds dist/svc-ent-updater_<version>_<architecture>.deb; gives its path. */
export function makeDeb(architecture: Architecture): string {
  const work = resolve(distFolder, "work", architecture);
  const tree = resolve(work, "deb");
  rmSync(tree, { recursive: true, force: true });
  fillTree(tree, debContents(architecture));
  const control = controlFile({ version: projectVersion, architecture, installedKilobytes: installedKilobytes(tree) });
  const md5sums = checksums(tree);
  fillTree(tree, [{ to: "DEBIAN/control", text: control }, { to: "DEBIAN/md5sums", text: md5sums }, ...maintainerScripts()]);
  settleTimes(tree, buildDate());
  const unfinished = resolve(work, "unfinished.deb");
  // dpkg-deb takes the archive's own times from here.
  process.env["SOURCE_DATE_EPOCH"] = String(buildDate());
  runTool(["dpkg-deb", "--root-owner-group", "-Zxz", "-z6", "--build", tree, unfinished]);
  const finished = resolve(distFolder, `${packageName}_${projectVersion}_${architecture}.deb`);
  renameSync(unfinished, finished);
  return finished;
}

export function debContents(architecture: Architecture): readonly TreeFile[] {
  return [
    ...contents(architecture, { zshCompletions: "usr/share/zsh/vendor-completions", licences: doc }),
    { to: `${doc}/copyright`, from: debFile("copyright") },
    { to: `${doc}/changelog.gz`, compressed: changelog(projectVersion, buildDate()) },
    { to: `usr/share/lintian/overrides/${packageName}`, from: debFile("lintian-overrides") },
  ];
}

function maintainerScripts(): readonly TreeFile[] {
  return scriptNames("deb").map((name) => ({
    to: `DEBIAN/${name}`,
    text: `#!/bin/sh\n${packageScript("deb", name)}`,
    mode: 0o755,
  }));
}

function debFile(name: string): string {
  return resolve(import.meta.dirname, name);
}
