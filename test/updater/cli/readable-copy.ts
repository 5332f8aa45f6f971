import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const project = join(import.meta.dirname, "../../..");
const asNobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] as const;

/** The project where every user can read it, and how to be one that is nobody. */
export type Copy = {
  readonly folder: string;
  readonly node: string;
  readonly asNobody: readonly string[];
  readonly remove: () => void;
};

/** Why nothing can be run as another user here, in words; undefined: it can. */
export function missingForOtherUsers(): string | undefined {
  if (process.getuid?.() !== 0) return "only root can become another user";
  const can = (...command: readonly string[]): boolean =>
    spawnSync(asNobody[0], [...asNobody.slice(1), ...command], { cwd: "/" }).status === 0;
  if (!can("true")) return "setpriv cannot become another user";
  return can("test", "-x", tmpdir()) ? undefined : `another user may not enter ${tmpdir()}: chmod it, or set another TMPDIR`;
}

/** The project itself may lie in somebody's home: what the program and the demo need of it is copied. */
export function readableCopy(): Copy {
  const folder = mkdtempSync(join(tmpdir(), "svc-upgrade-copy-"));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, "test"));
  for (const part of ["package.json", "src", "packaging", "test/demo"])
    cpSync(join(project, part), join(folder, part), { recursive: true });
  for (const name of closure(Object.keys(dependenciesOf(project)))) {
    cpSync(join(project, "node_modules", name), join(folder, "node_modules", name), { recursive: true });
  }
  return { folder, node: readableNode(folder), asNobody, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function readableNode(folder: string): string {
  // setpriv still has root's reach when it starts a program itself: only the next one shows what that user can reach.
  const found = spawnSync(asNobody[0], [...asNobody.slice(1), "env", process.execPath, "--version"], { cwd: "/" });
  if (found.status === 0) return process.execPath;
  cpSync(process.execPath, join(folder, "node"), { dereference: true });
  return join(folder, "node");
}

/** With everything that these packages need in their turn. */
function closure(names: readonly string[]): ReadonlySet<string> {
  const found = new Set(names);
  // A set that grows while it is walked is walked to its end.
  for (const name of found) for (const next of Object.keys(dependenciesOf(join(project, "node_modules", name)))) found.add(next);
  return found;
}

function dependenciesOf(folder: string): object {
  const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { dependencies?: object };
  return dependencies ?? {};
}
