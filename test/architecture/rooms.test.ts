import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const project = join(import.meta.dirname, "../..");
/** Ten times what the one run over all plants takes. */
const lintTimeoutMs = 30_000;

type Plant = { readonly title: string; readonly path: string; readonly text: string; readonly rules: readonly string[] };

const imports = "eslint(no-restricted-imports)";
const globals = "eslint(no-restricted-globals)";
const properties = "eslint(no-restricted-properties)";

/** Where the imports of the plants lead. Clean themselves. */
const ground: Readonly<Record<string, string>> = {
  "src/rules/fault/told.ts": "export const told = 1;\n",
  "src/machine/files/files.ts": 'import { told } from "../../rules/fault/told.ts";\n\nexport const files: number = told;\n',
  "src/machine/yaml/document.ts": "export const document = 1;\n",
  "src/machine/logging/line.ts": "export const line = 1;\n",
  "src/machine/clocks/clock.ts": 'import { files } from "../files/files.ts";\n\nexport const clock: number = files;\n',
  "src/machine/program/begun.ts": 'import { files } from "../files/files.ts";\n\nexport const begun: number = files;\n',
  "src/machine/processes/run.ts": 'import { clock } from "../clocks/clock.ts";\n\nexport const run: number = clock;\n',
  "src/machine/command-line/typed.ts": 'import { line } from "../logging/line.ts";\n\nexport const typed: number = line;\n',
  "src/machine/network/ask.ts": 'import { files } from "../files/files.ts";\n\nexport const ask: number = files;\n',
  "src/updater/plan/target.ts": "export const target = 1;\n",
  "src/updater/record/state.ts": "export const state = 1;\n",
  "src/rules/settings/schema.ts": "export const schema = 1;\n",
  "src/proxy/server-rules/assemble.ts": "export const assemble = 1;\n",
  "src/rules/route/proxy.ts": "export const proxy = 1;\n",
  "src/updater/package/apt.ts": "export const apt = 1;\n",
  "src/updater/unit/systemd.ts": "export const systemd = 1;\n",
  "src/updater/store/kept.ts": "export const kept = 1;\n",
  "src/updater/socket/serve.ts": "export const serve = 1;\n",
  "src/updater/sources/settings.ts": "export const settings = 1;\n",
  "src/cluster/host-updater/seen.ts":
    'import { kept } from "../../updater/store/kept.ts";\n\nexport const seen: number = kept;\n',
  "src/updater/pass/whole.ts": 'import { apt } from "../package/apt.ts";\n\nexport const whole: number = apt;\n',
  "src/updater/act/acts.ts": 'import { whole } from "../pass/whole.ts";\n\nexport const acts: number = whole;\n',
  "src/updater/status/view.ts": 'import { whole } from "../pass/whole.ts";\n\nexport const view: number = whole;\n',
  "src/updater/doctor/check.ts": 'import { whole } from "../pass/whole.ts";\n\nexport const check: number = whole;\n',
  "src/updater/enroll/join.ts": 'import { whole } from "../pass/whole.ts";\n\nexport const join: number = whole;\n',
  "src/updater/cli/tree.ts": 'import { whole } from "../pass/whole.ts";\n\nexport const tree: number = whole;\n',
  "src/proxy/server/listen.ts": 'import { ask } from "../../machine/network/ask.ts";\n\nexport const listen: number = ask;\n',
  "src/cluster/services/services.ts": "export const services = 1;\n",
  "src/cluster/resource/form.ts": "export const form = 1;\n",
  "src/cluster/access/judge.ts": "export const judge = 1;\n",
  "src/cluster/storage/port.ts": "export const port = 1;\n",
  "src/cluster/api/called.ts": "export const called = 1;\n",
  "src/cluster/identity/names.ts": "export const names = 1;\n",
  "src/machine/listening/admit.ts": "export const admit = 1;\n",
  "src/cluster/auth/caller.ts": 'import { names } from "../identity/names.ts";\n\nexport const caller: number = names;\n',
  "src/cluster/presence/joined.ts": 'import { names } from "../identity/names.ts";\n\nexport const joined: number = names;\n',
  "src/cluster/session/profile.ts": 'import { names } from "../identity/names.ts";\n\nexport const profile: number = names;\n',
  "src/kube/objects/gates.ts": "export const gates = 1;\n",
  "src/kube/api-server/follow.ts": 'import { gates } from "../objects/gates.ts";\n\nexport const follow: number = gates;\n',
  "src/kube/registry/looked.ts": 'import { ask } from "../../machine/network/ask.ts";\n\nexport const looked: number = ask;\n',
  "src/kube/reconcile/look.ts": 'import { follow } from "../api-server/follow.ts";\n\nexport const look: number = follow;\n',
  "src/cluster/svc/start.ts": 'import { caller } from "../auth/caller.ts";\n\nexport const start: number = caller;\n',
  "src/cluster/tctl/main.ts": 'import { joined } from "../presence/joined.ts";\n\nexport const main: number = joined;\n',
  "src/cluster/tsh/begin.ts": 'import { joined } from "../presence/joined.ts";\n\nexport const begin: number = joined;\n',
};

/** Of each room the path of its ground, and its floor. */
const leads = new Map(Object.keys(ground).map((path) => [path.split("/")[2]!, path]));

function floorOf(room: string): string {
  const floor = readdirSync(join(project, "src")).find((name) => existsSync(join(project, "src", name, room)));
  if (floor === undefined) throw new Error(`no floor has a room ${room}`);
  return floor;
}

const pureRooms = [
  "fault",
  "shape",
  "version",
  "window",
  "route",
  "channel",
  "settings",
  "decide",
  "rollout",
  "plan",
  "record",
  "sentences",
  "metrics",
  "exposition",
  "server-rules",
  "access",
  "resource",
  "services",
  "objects",
];
/** From the lowest up; those of a level do not know each other. */
const machineLevels = [
  ["files", "yaml", "logging"],
  ["clocks", "program"],
  ["processes", "command-line"],
];
const ofMachine = machineLevels.flat();
const effects = ["package", "unit", "store", "network", "socket", "storage", "api", "identity", "listening", "api-server"];
const aroundPasses = ["status", "doctor", "enroll"];
const ofClusters = ["storage", "api", "identity"];
const ofServices = [...ofClusters, "listening", "api-server", "registry"];
const clusterPrograms = ["svc", "tctl", "tsh"];
const inClusters = ["auth", "presence", "session", ...clusterPrograms];
const besidePass = ["host-updater"];
const abovePass = [...aroundPasses, "cli", "server", ...inClusters, "reconcile"];
const updaterAlone = ["sources", "package", "unit", "socket", "store", "pass", "act", ...aroundPasses, "cli"];
const above = ["act", ...besidePass, ...abovePass];

/** What each kind of room must never import. */
const walls: readonly (readonly [rooms: readonly string[], forbidden: readonly string[]])[] = [
  [pureRooms, [...ofMachine, ...effects, "registry", "sources", "pass", ...above]],
  [["decide"], ["plan", "record", "settings", "server-rules", "route", "services", "resource", "access", "objects"]],
  [ofMachine, [...effects, "registry", "sources", "pass", ...above]],
  [effects, ["registry", "sources", "pass", ...above]],
  [["registry"], ["sources", ...effects.filter((room) => room !== "network"), "pass", ...above]],
  [["sources"], ["package", "unit", "socket", "pass", ...ofServices, ...above]],
  [
    ["host-updater"],
    ["sources", "package", "network", "socket", "storage", "identity", "listening", "pass", "act", ...abovePass],
  ],
  [["pass"], [...ofServices, ...above]],
  [["act"], [...ofServices, ...besidePass, ...abovePass]],
  [aroundPasses, ["cli", "server", ...ofServices, ...besidePass, ...inClusters]],
  [
    ["server"],
    [...besidePass, "package", "unit", "store", "socket", "pass", "act", ...aroundPasses, "cli", ...ofClusters, ...inClusters],
  ],
  [
    ["auth", "presence", "session"],
    [...updaterAlone, ...besidePass, "server", ...clusterPrograms],
  ],
  [clusterPrograms, [...updaterAlone, "reconcile"]],
  [["reconcile"], [...updaterAlone, ...besidePass, "server", ...ofClusters, ...inClusters]],
];

function wall(room: string, other: string): Plant {
  const path = `src/${floorOf(room)}/${room}/imports-${other}.ts`;
  const lead = leads.get(other)!;
  const name = basename(lead, ".ts");
  const text = `import { ${name} } from "${relative(dirname(path), lead)}";\n\nexport const ${room.replaceAll("-", "")}Planted: number = ${name};\n`;
  return { title: `${room} imports ${other}`, path, text, rules: [imports] };
}

function plant(title: string, text: string, rules: readonly string[]): Plant {
  return { title, path: `src/updater/plan/${title.replaceAll(/\W+/g, "-")}.ts`, text, rules };
}

const breaches: readonly Plant[] = [
  ...walls.flatMap(([rooms, forbidden]) => rooms.flatMap((room) => forbidden.map((other) => wall(room, other)))),
  ...effects.flatMap((room) => effects.filter((other) => other !== room).map((other) => wall(room, other))),
  ...machineLevels.flatMap((level, index) =>
    level.flatMap((room) =>
      machineLevels
        .slice(index)
        .flat()
        .filter((other) => other !== room)
        .map((other) => wall(room, other)),
    ),
  ),
  plant(
    "a pure room imports node:fs",
    'import { readFileSync } from "node:fs";\n\nexport const read: unknown = readFileSync;\n',
    [imports],
  ),
  plant("a pure room imports fs", 'import { readFileSync } from "fs";\n\nexport const read: unknown = readFileSync;\n', [
    imports,
  ]),
  plant("a pure room imports luxon", 'import { DateTime } from "luxon";\n\nexport const time: unknown = DateTime;\n', [imports]),
  plant(
    "a pure room imports a package whose name only begins with semver",
    'import parse from "semver-extra";\n\nexport const read: unknown = parse;\n',
    [imports],
  ),
  plant(
    "a pure room imports an effect's type",
    'import type { apt } from "../package/apt.ts";\n\nexport type Apt = typeof apt;\n',
    [imports],
  ),
  plant("a pure room passes an effect on", 'export { apt } from "../package/apt.ts";\n', [imports]),
  plant("a pure room imports node:fs late", 'export const late = (): Promise<unknown> => import("node:fs");\n', [imports]),
  plant("a pure room reads Date", "export const now = (): number => Date.now();\n", [globals]),
  plant("a pure room makes a Date", "export const now = (): string => new Date().toISOString();\n", [globals]),
  plant("a pure room reads Date by a detour", "export const now = (): number => globalThis.Date.now();\n", [globals]),
  plant("a pure room knows the time zone", "export const zone = (): unknown => Intl.DateTimeFormat().resolvedOptions();\n", [
    globals,
  ]),
  plant("a pure room reads process", "export const pid = (): number => process.pid;\n", [globals]),
  plant("a pure room draws lots", "export const lot = (): number => Math.random();\n", [properties]),
  plant("a pure room prints", 'export const say = (): void => console.log("here");\n', [globals]),
  plant("a pure room waits", "export const wait = (): unknown => setTimeout(String, 5);\n", [globals]),
  plant("a pure room fetches", 'export const ask = (): unknown => fetch("http://127.0.0.1");\n', [globals]),
  {
    title: "a room of the machine reads the environment",
    path: "src/machine/files/environment.ts",
    text: 'export const path = (): string | undefined => process.env["PATH"];\n',
    rules: [properties],
  },
  ...[...ofMachine, ...effects, "pass", "cli", "server"].map((room) => ({
    title: `${room} imports the environment`,
    path: `src/${floorOf(room)}/${room}/environment-imported.ts`,
    text: 'import { env } from "node:process";\n\nexport const path = (): string | undefined => env["PATH"];\n',
    rules: [imports],
  })),
  {
    title: "pass reads argv",
    path: "src/updater/pass/argv.ts",
    text: "export const first = (): string | undefined => process.argv[2];\n",
    rules: [properties],
  },
  {
    title: "cli ends the process",
    path: "src/updater/cli/exit.ts",
    text: "export const end = (): never => process.exit(3);\n",
    rules: [properties],
  },
  {
    title: "one half of a circle",
    path: "src/updater/store/circle-a.ts",
    text: 'import { second } from "./circle-b.ts";\n\nexport const first = (): unknown => second;\n',
    rules: ["import(no-cycle)"],
  },
  {
    title: "the other half of a circle",
    path: "src/updater/store/circle-b.ts",
    text: 'import { first } from "./circle-a.ts";\n\nexport const second = (): unknown => first;\n',
    rules: ["import(no-cycle)"],
  },
  {
    title: "one half of a circle of types",
    path: "src/updater/store/types-a.ts",
    text: 'import type { Second } from "./types-b.ts";\n\nexport type First = { readonly second?: Second };\n',
    rules: ["import(no-cycle)"],
  },
  {
    title: "the other half, which imports something else as well",
    path: "src/updater/store/types-b.ts",
    text: 'import { kept } from "./kept.ts";\nimport type { First } from "./types-a.ts";\n\nexport type Second = { readonly first?: First };\nexport const second = (): number => kept;\n',
    rules: ["import(no-cycle)"],
  },
  {
    title: "a promise floats",
    path: "src/updater/pass/floating.ts",
    text: "const later = async (): Promise<void> => {};\n\nexport function begin(): void {\n  later();\n}\n",
    rules: ["typescript(no-floating-promises)"],
  },
  plant(
    "a switch forgets a kind",
    'type Kind = "stay" | "move" | "stop";\n\nexport function told(kind: Kind): string {\n  switch (kind) {\n    case "stay":\n      return "stays";\n    case "move":\n      return "moves";\n  }\n  return "";\n}\n',
    ["typescript(switch-exhaustiveness-check)"],
  ),
];

const counterparts: readonly Plant[] = [
  ...pureRooms.filter((room) => room !== "fault").map((room) => ({ ...wall(room, "fault"), rules: [] })),
  ...[...ofMachine, ...effects, "pass", "cli", "server"].map((room) => ({ ...wall(room, "fault"), rules: [] })),
  ...[...effects, "pass", "cli", "server"].flatMap((room) => ofMachine.map((other) => ({ ...wall(room, other), rules: [] }))),
  ...machineLevels.flatMap((level, index) =>
    level.flatMap((room) =>
      machineLevels
        .slice(0, index)
        .flat()
        .map((other) => ({ ...wall(room, other), rules: [] })),
    ),
  ),
  ...effects.filter((other) => !ofServices.includes(other)).map((other) => ({ ...wall("pass", other), rules: [] })),
  ...ofServices.flatMap((other) =>
    ["auth", "presence", "session", ...clusterPrograms].map((room) => ({ ...wall(room, other), rules: [] })),
  ),
  ...["pass", "network"].map((other) => ({ ...wall("cli", other), rules: [] })),
  ...["network", "listening"].map((other) => ({ ...wall("server", other), rules: [] })),
  plant(
    "a pure room imports semver",
    'import semver from "semver";\n\nexport const major = (): number => semver.major("15.4.6");\n',
    [],
  ),
  plant("a pure room imports its neighbour", 'import { ok } from "./neighbour.ts";\n\nexport const well: number = ok;\n', []),
  plant("neighbour", "export const ok = 1;\n", []),
  plant("a pure room calculates", "export const least = (): number => Math.min(1, 2);\n", []),
  {
    title: "a room of the machine imports node:fs",
    path: "src/machine/files/reads.ts",
    text: 'import { readFileSync } from "node:fs";\n\nexport const read: unknown = readFileSync;\n',
    rules: [],
  },
  {
    title: "a room of the machine reads the clock",
    path: "src/machine/clocks/now.ts",
    text: "export const now = (): number => Math.floor(Date.now() / 1000);\n",
    rules: [],
  },
  {
    title: "an entry reads its surroundings",
    path: "src/svc-upgrade.ts",
    text: 'export const first = (): string | undefined => process.argv[2] ?? process.env["PATH"];\nprocess.exitCode = 3;\n',
    rules: [],
  },
  {
    title: "a promise is awaited",
    path: "src/updater/pass/awaited.ts",
    text: "const later = async (): Promise<void> => {};\n\nexport async function begin(): Promise<void> {\n  await later();\n}\n",
    rules: [],
  },
  plant(
    "a switch knows every kind",
    'type Kind = "stay" | "move";\n\nexport function told(kind: Kind): string {\n  switch (kind) {\n    case "stay":\n      return "stays";\n    case "move":\n      return "moves";\n  }\n}\n',
    [],
  ),
];

let scratch = "";
let found: ReadonlyMap<string, readonly string[]> = new Map();

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), "svc-upgrade-rooms-"));
  for (const file of [".oxlintrc.json", "tsconfig.json", "package.json"]) copyFileSync(join(project, file), join(scratch, file));
  symlinkSync(join(project, "node_modules"), join(scratch, "node_modules"));
  for (const [path, text] of Object.entries(ground)) write(path, text);
  for (const { path, text } of [...breaches, ...counterparts]) write(path, text);
  found = lint();
}, lintTimeoutMs);

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function write(path: string, text: string): void {
  const file = join(scratch, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The rules that each file breaks, by one run over all of them. */
function lint(): ReadonlyMap<string, readonly string[]> {
  const rows = new Map<string, string[]>();
  for (const { filename, code } of diagnostics()) rows.set(filename, [...(rows.get(filename) ?? []), code]);
  return rows;
}

function diagnostics(): readonly { readonly filename: string; readonly code: string }[] {
  try {
    execFileSync(join(project, "node_modules/.bin/oxlint"), ["--format", "json", "src"], {
      cwd: scratch,
      timeout: lintTimeoutMs,
      maxBuffer: 16 * 1024 * 1024,
    });
  } catch (thrown) {
    // It ends with 1 where it found something, as it must here.
    return JSON.parse(String((thrown as { readonly stdout: unknown }).stdout)).diagnostics;
  }
  return [];
}

describe("the lint rules catch", () => {
  test.each(breaches.map((breach) => [breach.title, breach] as const))("%s", (_, { path, rules }) => {
    expect(found.get(path)).toEqual(rules);
  });
});

describe("the lint rules let pass", () => {
  test.each(counterparts.map((counterpart) => [counterpart.title, counterpart] as const))("%s", (_, { path }) => {
    expect(found.get(path)).toBeUndefined();
  });

  test("everything else that was laid out for the plants", () => {
    expect(Object.keys(ground).filter((path) => found.has(path))).toEqual([]);
  });
});
