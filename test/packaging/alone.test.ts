import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { alonePath, buildAlone, type AloneName } from "../../packaging/alone.ts";
import { codeAt, parseBase32, stepAt } from "../../src/cluster/identity/one-time-code.ts";
import { startReachable } from "../cluster/session/relay.ts";
import { maintenance, role, said } from "../cluster/tctl/running.ts";

/** Nothing of the repository is near. */
const place = mkdtempSync(join(tmpdir(), "alone-"));
const home = mkdtempSync(join(tmpdir(), "home-"));
beforeAll(() => buildAlone(["tctl", "tsh"], place), 120_000);
afterAll(() => {
  for (const folder of [place, home]) rmSync(folder, { recursive: true, force: true });
});

type Came = { readonly status: number | null; readonly out: string; readonly error: string };

/** `answers` is typed once something was said. */
async function run(
  program: AloneName,
  argv: readonly string[],
  answers: (said: string) => string | undefined = () => "",
): Promise<Came> {
  const child = spawn(process.execPath, [alonePath(program, place), ...argv], { cwd: "/", env: { HOME: home } });
  try {
    let out = "";
    let isAnswered = false;
    const answer = (): void => {
      const given = isAnswered ? undefined : answers(out);
      if (given === undefined) return;
      isAnswered = true;
      child.stdin.end(given);
    };
    child.stdin.on("error", () => undefined);
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (piece: string) => {
      out += piece;
      answer();
    });
    answer();
    const [error, status] = await Promise.all([
      text(child.stderr),
      new Promise<number | null>((resolve) => child.on("close", resolve)),
    ]);
    return { status, out, error };
  } finally {
    child.kill("SIGKILL");
  }
}

test("each is one file that names its licences, and has the cluster's version", async () => {
  for (const program of ["tctl", "tsh"] as const) {
    expect(await run(program, ["version"])).toEqual({ status: 0, out: `${program} 15.4.5\n`, error: "" });
    const file = readFileSync(alonePath(program, place), "utf8");
    expect(file.startsWith("#!/usr/bin/env node\n")).toBe(true);
    for (const name of ["commander", "jose", "@bufbuild/protobuf"]) expect(file).toContain(`==== ${name} `);
    expect(file).not.toContain(process.cwd());
  }
});

test("a person takes an invitation, signs in and sets the window with nothing but them", async () => {
  const clock = { ahead: 0 };
  const now = (): number => Math.floor(Date.now() / 1000) + clock.ahead;
  await using reachable = await startReachable({ now });
  const config = join(reachable.people.directory, "svc.yaml");
  writeFileSync(config, `svc: {data_dir: ${reachable.people.directory}}\n`);
  const root = (...argv: readonly string[]) => said([...argv, "-c", config], { HOME: "/nowhere" });
  writeFileSync(join(home, "role.yaml"), role);
  writeFileSync(join(home, "window.yaml"), maintenance);
  expect((await root("create", join(home, "role.yaml"))).status).toBe(0);
  const { out } = await root("users", "add", "alice", "--roles=maintenance-manager", `--proxy=${reachable.address}`);
  const link = /https:\/\/\S+/.exec(out)?.[0] ?? "";
  let secret = "";
  const password = "correct horse battery staple";
  const codeOfNow = (): string => {
    clock.ahead += 30;
    return codeAt(parseBase32(secret)!, stepAt(now()));
  };
  const trusting = [`--ca-file=${reachable.caFile}`, "--password-file=-"];
  const invited = await run("tsh", ["invite", link, ...trusting], (shown) => {
    secret = /or type it in: +([A-Z2-7]+)/.exec(shown)?.[1] ?? "";
    return secret === "" ? undefined : `${password}\n${codeOfNow()}\n`;
  });
  expect([invited.status, invited.error]).toEqual([0, ""]);
  const login = ["login", `--proxy=${reachable.address}`, "--user=alice", ...trusting];
  const signedIn = await run("tsh", login, () => `${password}\n${codeOfNow()}\n`);
  expect([signedIn.status, signedIn.error]).toEqual([0, ""]);
  const created = await run("tctl", ["create", join(home, "window.yaml")]);
  expect([created.status, created.error]).toEqual([0, ""]);
  expect(created.out).toContain("maintenance window has been updated\n");
  const refused = await run("tctl", ["get", "role", "--format=json"]);
  expect([refused.status, refused.error]).toEqual([77, expect.stringContaining("role")]);
  expect((await run("tsh", ["logout"])).out).toContain("alice is signed out");
});

test("a runtime that is too old is told", () => {
  const file = readFileSync(alonePath("tsh", place), "utf8").replace("< 24)", "< 99)");
  const older = join(place, "older.mjs");
  writeFileSync(older, file);
  const { status, stderr } = spawnSync(process.execPath, [older, "version"], { encoding: "utf8" });
  expect([status, stderr]).toEqual([78, expect.stringContaining("needs Node 24 or newer")]);
});
