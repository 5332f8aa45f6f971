import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { join } from "node:path";
import { expect } from "vitest";
import { testPerson as test } from "./running.ts";

const program = join(import.meta.dirname, "../../../src/svc.ts");
const noting = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from "node:module";
const seen = new Set();
registerHooks({ load(url, context, next) {
  const found = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url);
  if (found) seen.add(found[1]);
  return next(url, context);
} });
process.on("exit", () => process.stdout.write("\\nloaded " + [...seen].toSorted().join(" ")));
`)}`;

/** The packages that a whole process loads. */
async function loadedBy(argv: readonly string[], home: string): Promise<readonly string[]> {
  const child = spawn(process.execPath, ["--import", noting, program, ...argv], {
    env: { PATH: process.env["PATH"], HOME: home },
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const said = await text(child.stdout);
    return (/\nloaded (.*)$/.exec(said)?.[1] ?? "nothing was said").split(" ");
  } finally {
    child.kill("SIGKILL");
  }
}

/** What proves calls, and draws, and reads files is for whoever needs it. */
test("the programs that people type load what they need, and no more", async ({ person }) => {
  expect(await loadedBy(["tsh", "version"], person.home)).toEqual(["commander"]);
  expect(await loadedBy(["tsh", "status"], person.home)).toEqual(["commander", "semver"]);
  expect(await loadedBy(["tctl", "version"], person.home)).toEqual(["commander", "semver"]);
  await person.signIn();
  expect(await loadedBy(["tsh", "status"], person.home)).toEqual(["commander", "jose", "semver"]);
});
