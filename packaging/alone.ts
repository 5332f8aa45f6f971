import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { rolldown } from "rolldown";
import { leftOut, lazyBuiltins, ownBuiltins } from "./bundle-plugins.ts";
import { noticesOf } from "./notices.ts";
import { buildDate, distFolder, projectRoot, versionOf } from "./project.ts";

/** Programs for other systems. Each is one file, which needs an installed Node. */
export const alone = ["tctl", "tsh"] as const;
export type AloneName = (typeof alone)[number];

export function alonePath(program: AloneName, folder: string = distFolder): string {
  return resolve(folder, `${program}.mjs`);
}

const leastRuntime = 24;

/** The start of the file, which has to run in old Node versions too, because it refuses them. */
const beginning = (program: AloneName): string => `#!/usr/bin/env node
import { createRequire } from "node:module";
if (Number.parseInt(process.versions.node) < ${leastRuntime}) {
  process.stderr.write(\`error: ${program} needs Node ${leastRuntime} or newer, and this is \${process.versions.node}\\nnext: install it from https://nodejs.org, and type the same again\\n\`);
  process.exit(78);
}
`;

/** Builds these files. A command loads its modules of the runtime and of packages when it is called. */
export async function buildAlone(programs: readonly AloneName[], folder: string = distFolder): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const program of programs) {
    writeFileSync(alonePath(program, folder), await textOf(program), { mode: 0o755 });
  }
}

async function textOf(program: AloneName): Promise<string> {
  const build = await rolldown({
    input: resolve(projectRoot, "src", `${program}.ts`),
    cwd: projectRoot,
    platform: "node",
    plugins: [ownBuiltins(), lazyBuiltins(), leftOut()],
    transform: {
      define: { SVC_UPGRADE_VERSION: JSON.stringify(versionOf("svc")), SVC_UPGRADE_BUILT_AT: String(buildDate()) },
    },
    onLog: (_level, log) => {
      if (log.code === "INEFFECTIVE_DYNAMIC_IMPORT") return;
      throw new Error(`the bundler warns: ${log.message}`);
    },
  });
  const { output } = await build.generate({
    // CommonJS, as in the executables: a module is loaded when one of its functions is first called.
    format: "cjs",
    dynamicImportInCjs: false,
    codeSplitting: false,
    minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: false } },
    comments: false,
  });
  await build.close();
  const [chunk, ...others] = output;
  if (others.length > 0) throw new Error(`${program} fell into ${others.length + 1} files instead of one`);
  const packages = Object.entries(chunk.modules)
    .filter(([, { code }]) => code !== null)
    .flatMap(([id]) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []);
  return `${beginning(program)}((require, exports) => {\n${chunk.code}\n})(createRequire(import.meta.url), {});\n/*\n${noticesOf([...new Set(packages)].toSorted()).replaceAll("*/", "* /")}\n*/\n`;
}
