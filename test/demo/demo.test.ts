import { spawnSync } from "node:child_process";
import { accessSync, chmodSync, constants, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { missingForOtherUsers, readableCopy, type Copy } from "../updater/cli/readable-copy.ts";
import { program, type Ended } from "../updater/cli/given.ts";
import { scratchFolder } from "../machine/files/scratch.ts";
import { whatIsMissing } from "./machine.ts";

const missing = await whatIsMissing();
const scratch = scratchFolder();
if (missing !== undefined) console.warn(`SKIPPED: the tests of the demo: ${missing}`);
const missingForNobody = missing ?? missingForOtherUsers() ?? missingNamespaces();
if (missing === undefined && missingForNobody !== undefined) {
  console.warn(`SKIPPED: the demo as an ordinary user: ${missingForNobody}`);
}

function missingNamespaces(): string | undefined {
  const { status } = spawnSync("setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", "unshare", "-r", "true"], {
    cwd: "/",
  });
  return status === 0 ? undefined : "no user namespaces for ordinary users";
}

/** Whatever apt, dpkg or the updater could write to on the machine itself. */
const places = [
  "/etc/apt",
  "/etc/default",
  "/etc/svc-upgrade",
  "/etc/svc-upgrade.d",
  "/etc/svc.yaml",
  "/run/lock",
  "/run/svc-upgrade",
  "/run/svc-upgrade-ask.socket",
  "/usr/bin/svc",
  "/usr/lib/svc-upgrade",
  "/var/cache/apt",
  "/var/lib/apt",
  "/var/lib/dpkg",
  "/var/lib/svc-upgrade",
  "/var/lib/svc-upgrade-decide",
  "/var/log/alternatives.log",
  "/var/log/apt",
  "/var/log/dpkg.log",
];

function listing(): readonly string[] {
  return places.flatMap((place) => [place, ...below(place)]).map(described);
}

function below(place: string): readonly string[] {
  if (lstatSync(place, { throwIfNoEntry: false })?.isDirectory() !== true || !isReadable(place)) return [];
  return readdirSync(place)
    .toSorted()
    .flatMap((name) => [join(place, name), ...below(join(place, name))]);
}

/** What this user may not even look into it cannot change either. */
function isReadable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function described(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined ? `${path} is not there` : `${path} ${found.mode.toString(8)} ${found.size} ${found.mtimeMs}`;
}

const lines = [
  "installed (15.4.5)",
  "no upgrades available (15.4.5 == 15.4.5)",
  "an upgrade is available (15.4.5 -> 15.4.6)",
  expect.stringMatching(/^an upgrade is available \(15\.4\.5 -> 15\.4\.6\), not now: outside the maintenance window, .*Z$/),
  "upgraded (15.4.5 -> 15.4.6)",
  "no upgrades available (15.4.6 == 15.4.6)",
  "Done: the agent went from 15.4.5 to 15.4.6 inside its window.",
];

type Shown = {
  readonly status: number;
  readonly lines: readonly string[];
  readonly left: readonly string[];
  readonly changed: readonly string[];
};

/** What it answers, what is left of its scratch folder, and what it changed on the machine. */
async function show(run: (env: Readonly<Record<string, string>>) => Promise<Ended>, temporary: string): Promise<Shown> {
  const before = listing();
  const { status, stdout } = await run({ TMPDIR: temporary });
  const [, ...answers] = stdout.split("\n").filter((line) => line !== "" && !/^[#$]/.test(line));
  const after = listing();
  const changed = [...before.filter((line) => !after.includes(line)), ...after.filter((line) => !before.includes(line))];
  return { status, lines: answers, left: readdirSync(temporary), changed };
}

test("the demo says in one sentence what is missing where it cannot run", async () => {
  const runs = [process.execPath, join(import.meta.dirname, "demo.ts")];
  const { status, stdout, stderr } = await program([], { behind: [], runs, env: { PATH: "/proc/nowhere" } });
  expect([status, stdout]).toEqual([69, ""]);
  expect(stderr).toMatch(/^The demo cannot run here: it needs apt-get, .*\.\n$/);
});

describe.skipIf(missing !== undefined)(`the demo${missingForNobody === undefined ? " as an ordinary user" : ""}`, () => {
  let copy: Copy | undefined;
  beforeAll(() => {
    if (missingForNobody === undefined) copy = readableCopy();
  });
  afterAll(() => copy?.remove());

  test("shows the main job, says that it is done, and leaves nothing", async () => {
    chmodSync(scratch, 0o1777);
    const runs = [copy?.node ?? process.execPath, join(copy?.folder ?? join(import.meta.dirname, "../.."), "test/demo/demo.ts")];
    const behind = copy?.asNobody ?? [];
    expect(await show((env) => program([], { behind, runs, env }), scratch)).toEqual({ status: 0, lines, left: [], changed: [] });
  });
});
