// Run by the runtime that a program is built around: writes beside each text that is named what V8 has made of it, as `TEXT.cache`.
const { readFileSync, writeFileSync } = require("node:fs");
const { basename } = require("node:path");
const { Script } = require("node:vm");

for (const path of process.argv.slice(2)) {
  // Where it is built must not be told: the name goes into the cache.
  const filename = basename(path, ".txt");
  writeFileSync(`${path}.cache`, new Script(readFileSync(path, "latin1"), { filename }).createCachedData());
}
