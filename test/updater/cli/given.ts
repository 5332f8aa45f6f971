import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { buildRepository } from "../../demo/repository.ts";
import { play } from "../../told/play.ts";

const entry = join(import.meta.dirname, "../../../src/svc-upgrade.ts");

/** What this machine lacks for a root with a package database of its own, in words, after a warning; undefined: nothing. */
export function missingForRoots(): string | undefined {
  const missing = lackedForRoots();
  if (missing !== undefined) console.warn(`SKIPPED: the tests below a root of its own: ${missing}`);
  return missing;
}

function lackedForRoots(): string | undefined {
  const missing = ["apt-get", "dpkg", "dpkg-query", "dpkg-deb", "flock"].filter(
    (tool) => spawnSync(tool, ["--version"]).error !== undefined,
  );
  if (missing.length > 0) return `${missing.join(", ")} not installed`;
  if (process.getuid?.() !== 0 && spawnSync("unshare", ["-r", "true"]).status !== 0) return "neither root nor a user namespace";
  return undefined;
}

/** dpkg wants to own what it unpacks. */
const isRoot = process.getuid?.() === 0;
const asRoot: readonly string[] = isRoot ? [] : ["unshare", "-r"];

export type Ended = { readonly status: number; readonly stdout: string; readonly stderr: string };
export type Start = {
  readonly env?: Readonly<Record<string, string>>;
  /** Programs to start it behind, for example to be another user. */
  readonly behind?: readonly string[];
  /** The words after those, up to the arguments: the runtime and the entry file. */
  readonly runs?: readonly string[];
};
export type Started = { readonly ended: Promise<Ended>; readonly signal: (signal: NodeJS.Signals) => void };

const longestMs = 60_000;

/** The program from its source, as a shell starts it; nothing of the test's environment comes along. */
export function start(args: readonly string[], options: Start = {}): Started {
  const [file = "", ...rest] = [...(options.behind ?? asRoot), ...(options.runs ?? [process.execPath, entry]), ...args];
  const child = spawn(file, rest, {
    // The project may lie in somebody's home, where another user may not even stand.
    cwd: "/",
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"] ?? "", ...options.env },
    timeout: longestMs,
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (said.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said.stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => resolve({ status: status ?? -1, ...said }));
  });
  return { ended, signal: (signal) => void child.kill(signal) };
}

/**
 * The program to its end: in this process where that is the same, which is ten times as quick; as a process of its own where it
 * is to be another user or another runtime.
 */
export async function program(args: readonly string[], options: Start = {}): Promise<Ended> {
  const isSame = isRoot && (options.behind ?? []).length === 0 && options.runs === undefined;
  const environment = options.env ?? {};
  if (!isSame || !enterZone(environment["TZ"])) return start(args, options).ended;
  try {
    return await play(args, { environment });
  } finally {
    leaveZone();
  }
}

const ownZone = process.env["TZ"];
let isPlaying = 0;

/** Node follows a new zone at once. It is the whole process's: where others are at work in another one, the answer is no. */
function enterZone(zone: string | undefined = ownZone): boolean {
  if (isPlaying > 0 && process.env["TZ"] !== zone) return false;
  isPlaying += 1;
  setZone(zone);
  return true;
}

function leaveZone(): void {
  isPlaying -= 1;
  if (isPlaying === 0) setZone(ownZone);
}

function setZone(zone: string | undefined): void {
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
}

export type Served = {
  readonly version: string;
  readonly status?: number;
  readonly critical?: string;
  /** The server has not heard from auth for a while. */
  readonly isUnconfirmed?: boolean;
  /** "nothing": it does not say of which version it is that an answer speaks, as many servers do not. */
  readonly names?: "version" | "nothing";
  /** The answer is held back until then. */
  readonly after?: Promise<unknown>;
};

/** For an answer that does not come. */
export const never: Promise<never> = new Promise(() => undefined);

/** A version server on loopback, the files of a repository beside it. */
export type Versions = {
  readonly url: string;
  readonly asked: readonly string[];
  readonly serve: (served: Served) => void;
  /** Resolves with the next question, whatever it is about. */
  readonly nextAsked: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** A server for the tests of a file, gone with them. */
export async function versionsOfFile(repository?: string): Promise<Versions> {
  const versions = await versionServer(repository);
  afterAll(() => versions.close());
  return versions;
}

/** The same, with packages of 15.4.5 and 15.4.6, and one of 15.4.8 whose installation fails, where this machine can build them. */
export async function versionsWithPackages(): Promise<Versions> {
  if (lackedForRoots() !== undefined) return versionsOfFile();
  const repository = mkdtempSync(join(tmpdir(), "svc-upgrade-repository-"));
  afterAll(() => rmSync(repository, { recursive: true, force: true }));
  await buildRepository(repository, ["15.4.5", "15.4.6"], ["15.4.8"]);
  return versionsOfFile(repository);
}

export async function versionServer(repository?: string): Promise<Versions> {
  let served: Served = { version: "none" };
  const asked: string[] = [];
  let next = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    next.resolve();
    next = Promise.withResolvers();
    const question = path.replace(/\?.*$/, "");
    if (served.isUnconfirmed === true) response.setHeader("x-svc-unconfirmed", "yes");
    if (served.critical !== undefined && served.names !== "nothing") response.setHeader("x-svc-version", served.version);
    if (question.endsWith("/critical")) response.end(served.critical ?? "no");
    else if (question.endsWith("/version")) {
      const { version, status = 200, after = Promise.resolve() } = served;
      void after.then(() => response.writeHead(status).end(version));
    } else {
      try {
        response.end(readFileSync(join(repository ?? "/proc/nowhere", path.replaceAll("..", ""))));
      } catch {
        response.writeHead(404).end();
      }
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    serve: (answer) => (served = answer),
    nextAsked: () => next.promise,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Another root: package database, sources, and whatever else is written into it. */
export type Root = {
  readonly path: string;
  readonly write: (path: string, text: string, mode?: number) => void;
  readonly read: (path: string) => string;
  readonly schedule: (state: "open" | "closed") => { readonly start: number; readonly stop: number };
  /** The lists of a repository that offers these, as they were fetched once; nobody is there. */
  readonly lists: (...versions: readonly string[]) => void;
};

const folders = [
  "etc/apt/apt.conf.d",
  "etc/apt/preferences.d",
  "etc/apt/sources.list.d",
  "var/cache/apt/archives/partial",
  "var/lib/apt/lists/partial",
  "var/lib/dpkg/info",
  "var/lib/dpkg/updates",
  "var/log/apt",
];

/** With the agent in this version, or without it; in a folder of its own, unless one is given. */
export function makeRoot(installed?: string, path: string = newFolder()): Root {
  for (const folder of folders) mkdirSync(join(path, folder), { recursive: true });
  const root: Root = {
    path,
    write(file, text, mode = 0o644) {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), text);
      chmodSync(join(path, file), mode);
    },
    read: (file) => readFileSync(join(path, file), "utf8"),
    schedule(state) {
      const begin = Math.floor(Date.now() / 1000) + (state === "open" ? -60 : 7200);
      root.write("etc/svc-upgrade.d/schedule", `${begin} ${begin + 3600}\n`);
      return { start: begin, stop: begin + 3600 };
    },
    lists(...versions) {
      const entries = versions.map((version) => `${controlOf(version)}\nFilename: ./svc-ent_${version}_all.deb\nSize: 1\n`);
      root.write("etc/apt/sources.list.d/test.list", "deb [trusted=yes] http://packages.invalid ./\n");
      root.write("var/lib/apt/lists/packages.invalid_._Packages", entries.join("\n"));
    },
  };
  root.write("var/lib/dpkg/status", installed === undefined ? "" : statusOf(installed));
  return root;
}

/** In a folder of its own, and gone with the test that asked for it. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-upgrade-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return mkdtempSync(join(folder, "root-"));
}

function statusOf(version: string): string {
  return `${controlOf(version).replace("\n", "\nStatus: install ok installed\n")}\n\n`;
}

function controlOf(version: string): string {
  const fields = ["Package: svc-ent", "Maintainer: Test <test@example.com>", "Architecture: all"];
  return [...fields, `Version: ${version}`, "Description: for a test"].join("\n");
}

/** As people and other programs write an instant. */
export function instant(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}
