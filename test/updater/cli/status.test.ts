import { sumOf } from "../../../src/updater/store/schedule-file.ts";
import { printSchedule } from "../../../src/rules/window/print-schedule.ts";
import { withSum } from "../../../src/rules/window/schedule-sum.ts";
import { chmodSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StatusJson } from "../../../src/updater/cli/json/status.ts";
import { instant, makeRoot, missingForRoots, program, versionsOfFile, type Ended, type Root } from "./given.ts";
import { missingForOtherUsers, readableCopy, type Copy } from "./readable-copy.ts";

const missing = missingForRoots();

const berlin = { env: { TZ: "Europe/Berlin" } };

function statusOf(root: Root, ...args: readonly string[]): Promise<Ended> {
  return program(["status", "--root", root.path, ...args], berlin);
}

async function jsonOf(root: Root): Promise<StatusJson> {
  const { status, stdout, stderr } = await statusOf(root, "--json");
  expect([status, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as StatusJson;
}

const versions = await versionsOfFile();
versions.serve({ version: "v15.4.6" });

describe.skipIf(missing !== undefined)("svc-upgrade status", () => {
  function host(installed: string = "15.4.5-1", settings: string = ""): Root {
    const root = makeRoot(installed);
    root.write("etc/svc-upgrade/10-test.yaml", `endpoint: ${versions.url}\n${settings}`);
    return root;
  }

  test("before the first pass says that nothing was asked yet, and what can be typed", async () => {
    const { status, stdout, stderr } = await statusOf(host());
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Not known yet: svc-ent 15\.4\.5 is installed; the channel has given no answer yet\.\n/);
    expect(stdout).toMatch(/^to see +svc-upgrade dry-run --root\s+\//m);
    expect(stdout).toMatch(/^package +svc-ent 15\.4\.5-1$/m);
  });

  test("after a pass says why it stayed and until when, without a word to the server", async () => {
    const root = host();
    const { start } = root.schedule("closed");
    await program(["run", "--root", root.path]);
    const asked = versions.asked.length;
    const { stdout, stderr } = await statusOf(root);
    expect(stderr).toBe("");
    expect(stdout).toMatch(
      /^Not now: svc-ent 15\.4\.5 is installed; the channel served 15\.4\.6 \(.*\)\.\nwhy +outside the maintenance /,
    );
    expect(stdout).toMatch(/^last pass .* \(just now\): stayed \(outside-window\)/m);
    // A window over midnight names two days, which the line has no room for.
    expect(stdout).toMatch(/^ {12}\w{3} [\d-]+ \d\d:\d\d–.* UTC\s+= \w{3} [\d-]+ \d\d:\d\d–.*\s+GMT\+\d$/m);
    expect(stdout).toMatch(/^passes +\w{3} .*: stayed: outside-window, \d+ s$/m);
    expect(await jsonOf(root)).toMatchObject({
      standing: "next",
      decision: { kind: "stay", why: "outside-window", until: instant(start) },
      next: { kind: "stay", why: "outside-window", until: instant(start), lift: "svc-upgrade run --now" },
    });
    expect(versions.asked.length).toBe(asked);
  });

  test("shows what the cluster's agent has noted in the schedule", async () => {
    const root = host();
    const note = "svc 16.0.0 of this host is newer than auth's 15.4.5 by a major version: update the auth service first";
    const before = printSchedule({ cluster: "example", hasWindow: true, openings: [], note }, 1_800_000_000);
    root.write("etc/svc-upgrade.d/schedule", withSum(before, sumOf(before)));
    expect((await statusOf(root)).stdout.replaceAll(/\n +/g, " ")).toContain(`note        ${note}\n`);
    expect(await jsonOf(root)).toMatchObject({ schedule: { note } });
  });

  test("has the keys of a dry run where it means the same", async () => {
    const root = host();
    root.schedule("closed");
    await program(["run", "--root", root.path]);
    const dryRun = JSON.parse((await program(["dry-run", "--json", "--root", root.path])).stdout) as Record<string, unknown>;
    const { simulated, ...seen } = dryRun;
    expect(await jsonOf(root)).toMatchObject(seen);
    expect(simulated).toMatchObject({ kind: "not-looked" });
    expect((await jsonOf(root)).next).toEqual(dryRun["decision"]);
  });

  test("has no colour, changes nothing, and shows no password", async () => {
    const root = host("15.4.5", "");
    root.write("etc/svc-upgrade/10-test.yaml", "endpoint: https://cluster.example\n");
    root.write("etc/default/svc", "HTTPS_PROXY=http://fleet:planted@proxy.example:3128\n");
    const before = readdirSync(root.path, { recursive: true });
    const [words, json] = [await statusOf(root), await statusOf(root, "--json")];
    expect(words.stdout).toMatch(/^route +proxy http:\/\/proxy\.example:3128 \(HTTPS_PROXY in\s+\S+\)$/m);
    expect(words.stdout).not.toContain("\u001B");
    expect(JSON.parse(json.stdout)).toMatchObject({ route: { route: "proxy", proxy: "http://proxy.example:3128" } });
    for (const { stdout, stderr } of [words, json]) expect(stdout + stderr).not.toMatch(/planted|fleet/);
    expect(readdirSync(root.path, { recursive: true })).toEqual(before);
  });
});

const missingForOthers = missing ?? missingForOtherUsers();
if (missingForOthers !== undefined) console.warn(`SKIPPED: the status as another user: ${missingForOthers}`);

describe.skipIf(missingForOthers !== undefined)("svc-upgrade status for an ordinary user", () => {
  let copy: Copy;
  beforeAll(() => {
    copy = readableCopy();
  });
  afterAll(() => copy.remove());

  function asNobody(root: Root, ...args: readonly string[]): Promise<Ended> {
    const argv = ["status", "--root", root.path, ...args];
    return program(argv, { behind: copy.asNobody, runs: [copy.node, `${copy.folder}/src/svc-upgrade.ts`] });
  }

  test("says in a line each what it may not read", async () => {
    const root = makeRoot("15.4.5");
    for (const folder of [root.path, dirname(root.path)]) chmodSync(folder, 0o755);
    root.write("etc/svc.yaml", "svc:\n  proxy_server: proxy.example.com:443\n", 0o600);
    root.write("etc/svc-upgrade.d/schedule", "nop\n", 0o600);
    root.write("var/lib/svc-upgrade-decide/state.json", "{}", 0o600);
    const { status, stdout, stderr } = await asNobody(root);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Not known yet: svc-ent 15\.4\.5 is installed; what the channel served is not\nknown\.\n/);
    const { unread, next } = JSON.parse((await asNobody(root, "--json")).stdout) as StatusJson;
    expect(next).toMatchObject({ kind: "unknown", why: "state-denied" });
    expect(unread).toEqual([
      `what earlier passes left may not be read by this user: ${root.path}/var/lib/svc-upgrade-decide/state.json`,
      `the schedule may not be read by this user: ${root.path}/etc/svc-upgrade.d/schedule`,
      `no endpoint is set where this user may read; ${root.path}/etc/svc.yaml may name it and cannot be read`,
    ]);
  });
});
