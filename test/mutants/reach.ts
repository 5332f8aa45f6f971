import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** The files of a room, or of a folder in it; of `room/*` those that lie in no folder of it. */
export function filesOf(room: string): readonly string[] {
  const folder = folderOf(room);
  return below(`src/${folder}`, ".ts").filter((path) => folder === room || dirname(path) === `src/${folder}`);
}

/** Whether a test is one of the room itself: it lies where the room does, or bears its name. */
export function isTestOf(room: string, path: string): boolean {
  const folder = folderOf(room);
  return path.startsWith(`test/${folder}/`) || path === `test/${folder}.test.ts`;
}

function folderOf(room: string): string {
  return room.replace(/\/\*$/, "");
}

/** The unit tests that import one of these files, themselves or through others. */
export function testsReaching(files: readonly string[]): readonly string[] {
  const known = new Map<string, readonly string[]>();
  const reaching = new Set(files);
  const all = [...below("src", ".ts"), ...below("test", ".ts").filter((path) => !path.startsWith("test/system/"))];
  for (const path of all) known.set(path, importsOf(path));
  for (let before = 0; before < reaching.size;) {
    before = reaching.size;
    for (const [path, imported] of known) if (imported.some((one) => reaching.has(one))) reaching.add(path);
  }
  return all.filter((path) => path.endsWith(".test.ts") && reaching.has(path));
}

/** Whether a test starts programs, and so takes seconds where another takes a thousandth. */
export function startsPrograms(path: string, seen: Set<string> = new Set()): boolean {
  if (seen.has(path) || !path.startsWith("test/")) return false;
  seen.add(path);
  const text = readFileSync(join(root, path), "utf8");
  return text.includes('"node:child_process"') || importsOf(path).some((one) => startsPrograms(one, seen));
}

function importsOf(path: string): readonly string[] {
  const text = readFileSync(join(root, path), "utf8");
  return [...text.matchAll(/^(?:import|export|\}).* from "(\.[^"]+)";$/gm)].map(([, to = ""]) => join(dirname(path), to));
}

function below(folder: string, ending: string): readonly string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`)
    .toSorted();
}
