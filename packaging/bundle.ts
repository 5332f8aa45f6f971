import { resolve } from "node:path";
import { rolldown, type Plugin } from "rolldown";
import { lazyBuiltins, leftOut, ownBuiltins, rareAside, rareCall, rareLoader, rarePackages } from "./bundle-plugins.ts";
import { buildDate, projectRoot, projectVersion } from "./project.ts";

export type Bundle = {
  readonly code: string;
  /** Packages that only rare commands need, each a text of its own: by name. */
  readonly rare: Readonly<Record<string, string>>;
  /** The folders in node_modules whose code is in the bundle. */
  readonly packages: readonly string[];
};

/**
 * One CommonJS file in which everything behind `import()` lies unread until it is asked for. The large packages that a quiet
 * pass never asks for lie beside it: their mere text would cost memory and milliseconds at every tick.
 */
export async function bundle(entry: string): Promise<Bundle> {
  const main = await bundleOne(entry, [rareAside()]);
  const wanted = rarePackages.filter((name) => main.code.includes(rareCall(name)));
  const rare: Record<string, string> = {};
  const packages = [...main.packages];
  for (const name of wanted) {
    const one = await bundleOne(name, []);
    rare[name] = one.code;
    packages.push(...one.packages);
  }
  return { code: `${wanted.length === 0 ? "" : rareLoader}${main.code}`, rare, packages: [...new Set(packages)].toSorted() };
}

type One = Pick<Bundle, "code" | "packages">;

async function bundleOne(entry: string, plugins: readonly Plugin[]): Promise<One> {
  const build = await rolldown({
    input: entry,
    cwd: projectRoot,
    platform: "node",
    plugins: [...plugins, ownBuiltins(), lazyBuiltins(), leftOut()],
    transform: {
      define: { SVC_UPGRADE_VERSION: JSON.stringify(projectVersion), SVC_UPGRADE_BUILT_AT: String(buildDate()) },
    },
    onLog: (_level, log) => {
      throw new Error(`the bundler warns: ${log.message}`);
    },
  });
  const { output } = await build.generate({
    format: "cjs",
    codeSplitting: false,
    dynamicImportInCjs: false,
    // The whole text is in memory at every tick. Names and lines stay: a crash prints the line it stands in.
    minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: false } },
    comments: false,
  });
  await build.close();
  const [chunk, ...others] = output;
  if (others.length > 0) throw new Error(`the bundle fell into ${others.length + 1} files instead of one`);
  return { code: asciiOnly(chunk.code), packages: packagesOf(Object.entries(chunk.modules)) };
}

/** One character beyond Latin-1 makes V8 keep the whole text in two bytes a character. */
function asciiOnly(code: string): string {
  return code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function packagesOf(modules: readonly (readonly [string, { readonly code: string | null }])[]): readonly string[] {
  const rendered = modules.filter(([, module]) => module.code !== null);
  const folders = rendered.flatMap(([id]) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []);
  return [...new Set(folders)].map((folder) => resolve(folder)).toSorted();
}
