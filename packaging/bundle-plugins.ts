import { builtinModules } from "node:module";
import type { Plugin } from "rolldown";

/** proxy-agent's ways to proxies that no setting can name: they bring a script engine and an FTP client. */
const packagesLeftOut: readonly string[] = ["pac-proxy-agent", "socks-proxy-agent"];

/**
 * Puts each of the runtime's own modules behind a function, too. A bundler lifts their imports to the top of the file,
 * where a module that a quiet pass never needs (http2, worker_threads) costs milliseconds at every tick.
 */
export function lazyBuiltins(): Plugin {
  const prefix = "\0builtin:";
  const names = new Set(builtinModules);
  return {
    name: "lazy-builtins",
    resolveId(source, importer) {
      const name = source.replace(/^node:/, "");
      if (!names.has(name) && !source.startsWith("node:")) return null;
      if (importer?.startsWith(prefix)) return { id: `node:${name}`, external: true };
      return { id: `${prefix}${name}` };
    },
    load(id) {
      return id.startsWith(prefix) ? `module.exports = require("node:${id.slice(prefix.length)}");` : null;
    },
  };
}

export function leftOut(): Plugin {
  const prefix = "\0left-out:";
  return {
    name: "left-out",
    resolveId: (source) => (packagesLeftOut.includes(source) ? { id: `${prefix}${source}` } : null),
    load: (id) => (id.startsWith(prefix) ? `throw new Error("${id.slice(prefix.length)} is not in this executable");` : null),
  };
}

/** Loaded behind `import()` by commands that are not the timer's quiet look, and large. */
export const rarePackages: readonly string[] = ["execa", "luxon", "pino", "proxy-agent", "yaml"];

export function rareCall(name: string): string {
  return `loadRarePackage("${name}")`;
}

/** Stands before the bundle: takes such a package out of the executable and runs it, once. */
export const rareLoader = `function loadRarePackage(name) {
	const known = (loadRarePackage.known ??= new Map());
	if (!known.has(name)) {
		const text = require("node:sea").getAsset(name, "utf8");
		const made = { exports: {} };
		known.set(name, made);
		require("node:vm").compileFunction(text, ["module", "exports", "require"], { filename: name })(made, made.exports, require);
	}
	return known.get(name).exports;
}
`;

export function rareAside(): Plugin {
  const prefix = "\0rare:";
  return {
    name: "rare-aside",
    resolveId: (source, importer) =>
      importer !== undefined && rarePackages.includes(source) ? { id: `${prefix}${source}` } : null,
    load: (id) => (id.startsWith(prefix) ? `module.exports = ${rareCall(id.slice(prefix.length))};` : null),
  };
}
