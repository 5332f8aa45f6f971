// Run by the runtime that a program is built around: writes V8's code cache beside each named text, as `TEXT.cache`.
const { readFileSync, writeFileSync } = require("node:fs");
const { basename } = require("node:path");
const { Script } = require("node:vm");

for (const path of process.argv.slice(2)) {
  // The cache contains this name, which must not show where it was built.
  const filename = basename(path, ".txt");
  writeFileSync(`${path}.cache`, new Script(readFileSync(path, "latin1"), { filename }).createCachedData());
}
