import { readFileSync, renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { contents } from "../contents.ts";
import type { Product } from "../product.ts";
import { updater } from "../products/updater.ts";
import { buildDate, distFolder, versionOf, workFolder, type Architecture } from "../project.ts";
import { packageScript, scriptNames } from "../scripts.ts";
import { runTool } from "../tool.ts";
import { checksums, fillTree, installedKilobytes, settleTimes, type Packing, type TreeFile } from "../tree.ts";
import { changelog, controlFile } from "./control.ts";

const compression: Readonly<Record<Packing, readonly [string, string]>> = { tight: ["-Zxz", "-z6"], loose: ["-Zgzip", "-z1"] };

/** Builds dist/<package>_<version>_<architecture>.deb; returns its path. */
export function makeDeb(architecture: Architecture, product: Product, packing: Packing): string {
  const version = versionOf(product.program);
  const work = workFolder(architecture, product.program);
  const tree = resolve(work, "deb");
  rmSync(tree, { recursive: true, force: true });
  const files = debContents(architecture, product);
  fillTree(tree, files);
  const facts = { version, architecture, installedKilobytes: installedKilobytes(tree) };
  const control = controlFile(product, facts);
  const md5sums = checksums(tree);
  const scripts = maintainerScripts(product);
  fillTree(tree, [
    { to: "DEBIAN/control", text: control },
    { to: "DEBIAN/md5sums", text: md5sums },
    { to: "DEBIAN/conffiles", text: conffiles(files) },
    ...scripts,
  ]);
  settleTimes(tree, buildDate());
  const unfinished = resolve(work, "unfinished.deb");
  // dpkg-deb takes the archive's own times from this variable.
  process.env["SOURCE_DATE_EPOCH"] = String(buildDate());
  runTool(["dpkg-deb", "--root-owner-group", ...compression[packing], "--build", tree, unfinished]);
  const finished = resolve(distFolder, `${product.packageName}_${version}_${architecture}.deb`);
  renameSync(unfinished, finished);
  return finished;
}

/** The files of a deb package, by default of the updater's. */
export function debContents(architecture: Architecture, product: Product = updater): readonly TreeFile[] {
  const { packageName, program, lintianOverrides, needrestart, examples } = product;
  const doc = `usr/share/doc/${packageName}`;
  return [
    ...contents(product, architecture, { zshCompletions: "usr/share/zsh/vendor-completions", licences: doc }),
    { to: `etc/needrestart/conf.d/${needrestart}`, from: resolve(import.meta.dirname, "needrestart", needrestart) },
    ...examples.map((name) => ({ to: `${doc}/examples/${name}`, from: resolve(import.meta.dirname, name), mode: 0o755 })),
    { to: `${doc}/copyright`, text: textFor(product, "deb/copyright") },
    { to: `${doc}/changelog.gz`, compressed: changelog(packageName, versionOf(program), buildDate()) },
    {
      to: `usr/share/lintian/overrides/${packageName}`,
      text: textFor(product, "deb/lintian-overrides") + textFor(product, lintianOverrides),
    },
  ];
}

/** Lists the files that administrators may change and that upgrades keep. */
export function conffiles(files: readonly TreeFile[]): string {
  return files.map((file) => ("folder" in file || !file.to.startsWith("etc/") ? "" : `/${file.to}\n`)).join("");
}

function maintainerScripts(product: Product): readonly TreeFile[] {
  return scriptNames(product, "deb").map((name) => ({
    to: `DEBIAN/${name}`,
    text: `#!/bin/sh\n${packageScript(product, "deb", name)}`,
    mode: 0o755,
  }));
}

function textFor({ packageName, program }: Product, path: string): string {
  const text = readFileSync(resolve(import.meta.dirname, "..", path), "utf8");
  return text.replaceAll("@package@", packageName).replaceAll("@program@", program);
}
