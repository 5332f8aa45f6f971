import { readFileSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { locked } from "./lock-file.ts";
import { buildDate, distFolder, projectRoot, runtimeVersion, versionOf } from "./project.ts";
import type { Architecture, ProgramName } from "./project.ts";
import { runtimePackages } from "./runtime.ts";

/**
 * Lists an executable's parts as CycloneDX, so that people can look up known faults. Uses no library for this: those list all of node_modules with the
 * test tools, and only the bundler knows what is in the executable. Leaves out the serial number, because two builds must give the same bytes.
 */

export function billOfMaterialsPath(program: ProgramName, architecture: Architecture): string {
  return resolve(distFolder, `${program}-${architecture}-sbom.cdx.json`);
}

/** `packages` are the folders in node_modules whose code is in the bundle. */
export function writeBillOfMaterials(program: ProgramName, architecture: Architecture, packages: readonly string[]): void {
  const bill = billOfMaterials(program, architecture, packages);
  writeFileSync(billOfMaterialsPath(program, architecture), `${JSON.stringify(bill, undefined, 2)}\n`);
}

export function billOfMaterials(program: ProgramName, architecture: Architecture, packages: readonly string[]): object {
  const { license } = JSON.parse(readFileSync(resolve(projectRoot, "package.json"), "utf8")) as { readonly license: string };
  const components = [runtime(architecture), ...packages.map((folder) => library(relative(projectRoot, folder)))];
  const version = versionOf(program);
  const purl = `pkg:generic/${program}@${version}`;
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      timestamp: new Date(buildDate() * 1000).toISOString(),
      component: {
        type: "application",
        "bom-ref": purl,
        name: program,
        version,
        purl,
        licenses: licences(license),
      },
    },
    components,
    dependencies: [{ ref: purl, dependsOn: components.map((component) => component["bom-ref"]) }],
  };
}

/** Entries of the runtime's list of versions that name an ABI and no code. */
const noCode: readonly string[] = ["node", "modules", "napi"];

/** The runtime and its parts. It can list them itself, because the runtime that builds is the one in the executable, as every script checks. */
function runtime(architecture: Architecture) {
  const inside = Object.entries(process.versions).filter(([name, version]) => !noCode.includes(name) && version);
  const purl = `pkg:generic/node@${runtimeVersion}`;
  return {
    type: "platform",
    "bom-ref": purl,
    name: "node",
    version: runtimeVersion,
    cpe: `cpe:2.3:a:nodejs:node.js:${runtimeVersion}:*:*:*:*:*:*:*`,
    purl,
    ...origin(`node_modules/${runtimePackages[architecture]}`),
    components: inside.map(([name, version]) => ({
      type: "library",
      "bom-ref": `${purl}#${name}`,
      name,
      version,
      purl: `pkg:generic/${name}@${version}`,
    })),
  };
}

function library(folder: string) {
  const name = folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
  const { version } = locked(folder);
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return { type: "library", "bom-ref": purl, name, version, purl, ...origin(folder) };
}

/** The registry's archive, with the checksum that `npm ci` has verified. */
function origin(folder: string) {
  const { integrity, license } = locked(folder);
  const [algorithm, digest] = integrity.split("-");
  if (algorithm !== "sha512" || digest === undefined) throw new Error(`package-lock.json has no SHA-512 of ${folder}`);
  return {
    licenses: licences(license),
    hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }],
  };
}

function licences(id: string): readonly object[] {
  return [/[ ()]/.test(id) ? { expression: id } : { license: { id } }];
}
