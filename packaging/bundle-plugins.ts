import { builtinModules } from "node:module";
import type { Plugin } from "rolldown";

/** proxy-agent's ways to proxies that no setting can name: they bring a script engine and an FTP client. */
const packagesLeftOut: readonly string[] = ["pac-proxy-agent", "socks-proxy-agent"];

/** Of what the runtime has loaded before the first line of a program: nothing is saved by waiting for them. */
const loadedAnyway: readonly string[] = ["fs", "path"];

/**
 * Binds the runtime's own modules where our own code imports them. A bundler would lift them to the top of the file, where a module that
 * a quiet pass never needs (http2, worker_threads) costs milliseconds at every tick; or copy each of them, getter by getter, for every
 * file that imports it. A function of a module that is not loaded yet loads it when it is called.
 */
export function ownBuiltins(): Plugin {
  const importing = /^import (type )?(?:\{([^}]*)\}|(\w+)) from "node:([^"]+)";$/gm;
  return {
    name: "own-builtins",
    transform(code, id) {
      if (!id.endsWith(".ts")) return null;
      return code.replace(importing, (_, type: string | undefined, named: string | undefined, whole: string, name: string) => {
        if (type !== undefined) return "";
        return named === undefined ? `const ${whole} = require("node:${name}");` : bound(name, named);
      });
    },
  };
}

/** The values among what is imported; types are gone once it is built. */
function bound(name: string, named: string): string {
  const values = named
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "" && !each.startsWith("type "))
    .map((each) => each.split(" as ") as [string, string?]);
  const atOnce = values.filter(([imported]) => !waits(name, imported)).map((names) => names.join(": "));
  const known = `builtin_${name.replace("/", "_")}`;
  const later = values
    .filter(([imported]) => waits(name, imported))
    .map(
      ([imported, own = imported]) =>
        `const ${own} = (...given) => (${known} ??= require("node:${name}")).${imported}(...given);`,
    );
  return [
    ...(atOnce.length === 0 ? [] : [`const { ${atOnce.join(", ")} } = require("node:${name}");`]),
    ...(later.length === 0 ? [] : [`let ${known};`, ...later]),
  ].join(" ");
}

/** A constant or a class is wanted as it is. */
function waits(name: string, imported: string): boolean {
  if (loadedAnyway.includes(name) || !/^[a-z]/.test(imported)) return false;
  const found = (process.getBuiltinModule(`node:${name}`) as Record<string, unknown> | undefined)?.[imported];
  return typeof found === "function" && !isKnownToPromisify(found);
}

/** Such a function has a mark of its own, by which its promise gives more than one result. Another function in its place has none. */
function isKnownToPromisify(found: object): boolean {
  return Object.getOwnPropertySymbols(found).some(({ description }) => /promisify/i.test(description ?? ""));
}

/** Puts each of the runtime's own modules that a package imports behind a function: it is loaded with the package. */
export function lazyBuiltins(): Plugin {
  const prefix = "\0builtin:";
  const names = new Set(builtinModules);
  return {
    name: "lazy-builtins",
    resolveId(source, importer, { kind }) {
      const name = source.replace(/^node:/, "");
      if (!names.has(name) && !source.startsWith("node:")) return null;
      // What is asked for by a call is loaded where the call stands.
      if (kind === "require-call" || importer?.startsWith(prefix)) return { id: `node:${name}`, external: true };
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

const apiServer = "src/kube/api-server/api-server.ts";

/**
 * Of undici what the API server is asked with: an Agent and its `request`. Its fetch, caches and mocks would be a megabyte of text in the
 * memory of what runs for weeks beside other things, and more once they are loaded.
 */
export function agentOnly(): Plugin {
  const id = "\0undici";
  return {
    name: "agent-only",
    resolveId: (source, importer) => {
      if (source !== "undici") return null;
      if (importer?.endsWith(`/${apiServer}`) !== true) throw new Error(`only ${apiServer} knows how little of undici is there`);
      return { id };
    },
    load: (found) =>
      found === id
        ? `require("undici/lib/dispatcher/dispatcher.js").prototype.request = require("undici/lib/api/api-request.js");
module.exports = { Agent: require("undici/lib/dispatcher/agent.js") };`
        : null,
  };
}

/** Loaded behind `import()` by commands that are not the timer's quiet look, and large: each is a part of its own. */
export const rarePackages: readonly string[] = ["execa", "luxon", "pino", "proxy-agent", "yaml"];

/** What the program's own text calls such a package. */
export function rareFile(name: string): string {
  return `rare:${name}`;
}

export function rareAside(): Plugin {
  return {
    name: "rare-aside",
    resolveId: (source, importer) =>
      importer !== undefined && rarePackages.includes(source) ? { id: rareFile(source), external: true } : null,
  };
}
