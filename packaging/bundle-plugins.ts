import { builtinModules } from "node:module";
import type { Plugin } from "rolldown";

/** Parts of proxy-agent for proxies that our settings do not allow. They need a script engine and an FTP client. */
const packagesLeftOut: readonly string[] = ["pac-proxy-agent", "socks-proxy-agent"];

/** The runtime loads these before a program's first line, so loading them later saves nothing. */
const loadedAnyway: readonly string[] = ["fs", "path"];

/**
 * Loads the runtime's modules where our code first needs them. A bundler would load all of them at the top of the file, and a module that a quiet pass
 * never needs (http2, worker_threads) would cost milliseconds at every tick. Or it would copy each, getter by getter, into every importing file.
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

/** Makes the code that loads the imported values. Leaves out types, which do not exist after the build. */
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

/** Whether the value can be loaded when it is first called. A constant or a class cannot. */
function waits(name: string, imported: string): boolean {
  if (loadedAnyway.includes(name) || !/^[a-z]/.test(imported)) return false;
  const found = (process.getBuiltinModule(`node:${name}`) as Record<string, unknown> | undefined)?.[imported];
  return typeof found === "function" && !isKnownToPromisify(found);
}

/** Whether the function has a special form for `promisify`, which a wrapper would hide. */
function isKnownToPromisify(found: object): boolean {
  return Object.getOwnPropertySymbols(found).some(({ description }) => /promisify/i.test(description ?? ""));
}

/** Loads each of the runtime's modules that a package imports together with the package, by a function. */
export function lazyBuiltins(): Plugin {
  const prefix = "\0builtin:";
  const names = new Set(builtinModules);
  return {
    name: "lazy-builtins",
    resolveId(source, importer, { kind }) {
      const name = source.replace(/^node:/, "");
      if (!names.has(name) && !source.startsWith("node:")) return null;
      // A call to require loads the module where the call is.
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
 * Leaves only undici's Agent and `request`, which ask the API server. A program that runs for weeks would keep a megabyte of text for undici's fetch,
 * caches and mocks in memory, and more when they are loaded.
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

/** Large packages that only other commands than the timer's quiet pass load, by `import()`. Each is a part of its own. */
export const rarePackages: readonly string[] = ["execa", "luxon", "pino", "proxy-agent", "yaml"];

/** The name of such a package in the program's text. */
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
