import type { Part } from "./bundle.ts";

/** The key of a part's code cache in the executable. */
export function cacheKey(part: string): string {
  return `${part}.cache`;
}

/** An executable's first script. Loads the program's parts when needed, with their code caches if it has them. `entry` is the first file. */
export function loader(parts: readonly Part[], entry: string, cached: readonly string[]): string {
  const partOf = Object.fromEntries(parts.flatMap(({ name, files }) => files.map((file) => [file, name])));
  return `"use strict";
const { getRawAsset } = require("node:sea");
const { Script } = require("node:vm");
const partOf = ${JSON.stringify(partOf)};
const cached = ${JSON.stringify(cached)};
const files = { __proto__: null };
const modules = new Map();
function take(part) {
	// Reads bytes as characters, because the texts are ASCII.
	const text = Buffer.from(getRawAsset(part)).latin1Slice();
	const cachedData = cached.includes(part) ? new Uint8Array(getRawAsset(part + ${JSON.stringify(cacheKey(""))})) : undefined;
	const script = new Script(text, { filename: part, cachedData });
	if (script.cachedDataRejected) process.emitWarning("the code cache of " + part + " is refused");
	Object.assign(files, script.runInThisContext());
}
function load(name) {
	const part = partOf[name];
	if (part === undefined) return require(name);
	let module = modules.get(name);
	if (module === undefined) {
		if (files[name] === undefined) take(part);
		module = { exports: { __proto__: null } };
		modules.set(name, module);
		files[name](module, module.exports, load);
	}
	return module.exports;
}
load(${JSON.stringify(entry)});
`;
}
