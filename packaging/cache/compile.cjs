// Run by the runtime that a program is built around: writes beside each text that is named what V8 has made of it, as `TEXT.cache`.
const { readFileSync, writeFileSync } = require("node:fs");
const { Script } = require("node:vm");

for (const path of process.argv.slice(2)) {
  writeFileSync(`${path}.cache`, new Script(readFileSync(path, "latin1"), { filename: path }).createCachedData());
}
