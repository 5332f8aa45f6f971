// The floor: the same runtime spawns the same two children and does nothing else.
const { execFile } = require("node:child_process");
const { writeSync } = require("node:fs");

let missing = 2;
const told = [];
function ended(error, stdout) {
  if (error) throw error;
  told.push(stdout.trim());
  if (--missing === 0) writeSync(1, `${told.join(" ")}\n`);
}
execFile("dpkg-query", ["--show", "--showformat=${db:Status-Abbrev} ${Version}", "svc-ent"], ended);
execFile("svc", ["version"], ended);
