import { relative, resolve } from "node:path";
import { rolldown, type OutputChunk, type Plugin, type RolldownOptions } from "rolldown";
import { agentOnly, lazyBuiltins, leftOut, ownBuiltins, rareAside, rareFile, rarePackages } from "./bundle-plugins.ts";
import type { QuietPart } from "./parts.ts";
import { buildDate, projectRoot, projectVersion } from "./project.ts";

export type Bundle = {
  /** The quiet parts come first, in their order. */
  readonly parts: readonly Part[];
  /** The file that a program begins with. */
  readonly entry: string;
  /** The folders in node_modules whose code is in the bundle. */
  readonly packages: readonly string[];
};

/** A part: a text whose value is an object with a function for each file, by the name that other files use. */
export type Part = {
  readonly name: string;
  readonly text: string;
  readonly files: readonly string[];
  /** The paths of its sources in the project. */
  readonly sources: readonly string[];
  /** False for a large package. */
  readonly isOwn: boolean;
};

const restName = "rest";

/** The program that runs in the Kubernetes cluster which it updates, so it has to be small. */
const frugal = resolve(projectRoot, "src/svc-kube-updater.ts");

/**
 * Bundles a program as CommonJS, in which everything behind `import()` is read only when needed: the quiet parts, the rest of the program, and the
 * large packages. Even as text, these would cost memory and milliseconds at every tick.
 */
export async function bundle(entry: string, quiet: readonly QuietPart[], version: string = projectVersion): Promise<Bundle> {
  const own = await bundleOwn(entry, quiet, version);
  const texts = own.parts.map(({ text }) => text);
  const wanted = rarePackages.filter((name) => texts.some((text) => text.includes(`"${rareFile(name)}"`)));
  const rare = await Promise.all(wanted.map((name) => bundleRare(name, version)));
  const packages = [...own.packages, ...rare.flatMap((one) => one.packages)];
  return {
    parts: [...own.parts, ...rare.map(({ part }) => part)],
    entry: own.entry,
    packages: [...new Set(packages)].toSorted(),
  };
}

async function bundleOwn(entry: string, quiet: readonly QuietPart[], version: string): Promise<Bundle> {
  const imports = new Map<string, readonly string[]>();
  const noting: Plugin = {
    name: "noting-imports",
    buildEnd() {
      for (const id of this.getModuleIds()) imports.set(id, this.getModuleInfo(id)?.importedIds ?? []);
    },
  };
  const build = await rolldown({
    ...input(entry, version, [rareAside(), noting, ...(entry === frugal ? [agentOnly()] : [])]),
    preserveEntrySignatures: false,
    // Keeps the bundler from merging small parts into their importers.
    experimental: { chunkOptimization: false },
  });
  let partOf: ReadonlyMap<string, string> | undefined;
  const nameOf = (id: string): string => (partOf ??= partsOf(quiet, imports)).get(id) ?? restName;
  const { output } = await build.generate({
    ...outputOptions,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [...quiet.map(({ name }) => name), restName].map((name) => ({ name, test: (id: string) => nameOf(id) === name })),
    },
  });
  await build.close();
  const chunks = output.filter((each) => each.type === "chunk");
  const [main] = chunks.filter(({ isEntry }) => isEntry);
  if (main === undefined || chunks.length < output.length) throw new Error("the bundle is not made of chunks with one entry");
  const first = quiet[0]?.name ?? restName;
  // The bundler adds chunks without a file of ours. Such a chunk goes to the part of the file that it leads to, or to the first part.
  const chunksOf = (name: string) =>
    chunks.filter(({ moduleIds, facadeModuleId }) => {
      const id = moduleIds.find((each) => each.startsWith("/")) ?? facadeModuleId;
      return (id === null || id === undefined ? first : nameOf(id)) === name;
    });
  const parts = [...quiet.map(({ name }) => name), restName].map((name) => partWith(name, chunksOf(name)));
  return {
    parts: parts.filter(({ files }) => files.length > 0),
    entry: fileOf(main),
    packages: packagesOf(chunks.flatMap(({ modules }) => Object.entries(modules))),
  };
}

/** Maps each module to the first part that needs it. */
function partsOf(quiet: readonly QuietPart[], imports: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, string> {
  const partOf = new Map<string, string>();
  for (const { name, from } of quiet) {
    const todo = from.map((path) => resolve(projectRoot, path));
    for (let id = todo.pop(); id !== undefined; id = todo.pop()) {
      if (partOf.has(id)) continue;
      partOf.set(id, name);
      todo.push(...(imports.get(id) ?? []));
    }
  }
  return partOf;
}

async function bundleRare(name: string, version: string): Promise<Pick<Bundle, "packages"> & { readonly part: Part }> {
  const build = await rolldown(input(name, version, []));
  const { output } = await build.generate({ ...outputOptions, codeSplitting: false });
  await build.close();
  const [chunk, ...others] = output;
  if (others.length > 0) throw new Error(`${name} fell into ${others.length + 1} files instead of one`);
  const sources = sourcesOf(Object.entries(chunk.modules));
  const part = { name, sources, isOwn: false, files: [rareFile(name)], text: textOf([[rareFile(name), chunk.code]]) };
  return { part, packages: packagesOf(Object.entries(chunk.modules)) };
}

function input(entry: string, version: string, plugins: readonly Plugin[]): RolldownOptions {
  return {
    input: entry,
    cwd: projectRoot,
    platform: "node",
    plugins: [...plugins, ownBuiltins(), lazyBuiltins(), leftOut()],
    transform: {
      define: { SVC_UPGRADE_VERSION: JSON.stringify(version), SVC_UPGRADE_BUILT_AT: String(buildDate()) },
    },
    // Silences the warning about slow plugins, because the machine may be slow.
    checks: { bundlerTimings: false },
    onLog: (_level, log) => {
      // Allows static and dynamic imports of one module, which is then in the part of its static importer.
      if (log.code === "INEFFECTIVE_DYNAMIC_IMPORT") return;
      throw new Error(`the bundler warns: ${log.message}`);
    },
  };
}

const outputOptions = {
  format: "cjs",
  dynamicImportInCjs: false,
  chunkFileNames: "[name].js",
  // Makes the text small, because a part's whole text is in memory. Keeps names and lines, because a crash prints its line.
  minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: false } },
  comments: false,
} as const;

function partWith(name: string, chunks: readonly OutputChunk[]): Part {
  const files = chunks.map((chunk) => [fileOf(chunk), bindingsAsValues(chunk.code)] as const);
  const sources = chunks.flatMap(({ modules }) => sourcesOf(Object.entries(modules)));
  return { name, sources: sources.toSorted(), isOwn: true, files: files.map(([file]) => file), text: textOf(files) };
}

/**
 * Replaces functions by values. The bundler reads each binding through a function, in case files need one another in a circle, and that costs a
 * tick's process a millisecond. Our parts need only earlier ones, and no binding changes (`import/no-mutable-exports`).
 */
function bindingsAsValues(code: string): string {
  const asked =
    /Object\.defineProperty\(exports, "([\w$]+)", \{\s+enumerable: !0,\s+get: function\(\) \{\s+return ([^;\n]+);\s+\}\s+\}\)/g;
  return code.replace(asked, (_, name: string, value: string) => `exports.${name} = ${value}`);
}

function fileOf({ fileName }: OutputChunk): string {
  return `./${fileName}`;
}

function textOf(files: readonly (readonly [name: string, code: string])[]): string {
  const functions = files.map(([name, code]) => `${JSON.stringify(name)}(module, exports, require) {\n${asciiOnly(code)}\n}`);
  return `({ __proto__: null,\n${functions.join(",\n")}\n})`;
}

/** Escapes all characters beyond ASCII. With one beyond Latin-1, V8 needs two bytes for each character of the text. */
function asciiOnly(code: string): string {
  return code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

type Rendered = readonly (readonly [string, { readonly code: string | null }])[];

function sourcesOf(modules: Rendered): readonly string[] {
  const rendered = modules.filter(([id, module]) => module.code !== null && id.startsWith("/"));
  return rendered.map(([id]) => relative(projectRoot, id));
}

function packagesOf(modules: Rendered): readonly string[] {
  const rendered = modules.filter(([, module]) => module.code !== null);
  const folders = rendered.flatMap(([id]) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []);
  return [...new Set(folders)].map((folder) => resolve(folder)).toSorted();
}
