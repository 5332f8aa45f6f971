import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { main } from "../../../src/kube/reconcile/main.ts";
import { played, refusal, type Played } from "../api-server/played.ts";
import { freePort } from "../../machine/network/fixture/free-port.ts";

let folder = "";
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "svc-kube-"))));
afterAll(() => rmSync(folder, { recursive: true }));

type Surroundings = Readonly<Record<string, string>>;

async function program(argv: readonly string[], environment: Surroundings = {}, stopping = AbortSignal.abort()) {
  let [stdout, stderr] = ["", ""];
  const status = await main({
    argv,
    environment,
    out: (text) => (stdout += text),
    error: (text) => (stderr += text),
    isTerminal: false,
    stopping,
  });
  return { status, stdout, stderr };
}

function settings(text: string): string {
  const path = join(folder, "settings.yaml");
  writeFileSync(path, text);
  return path;
}

const good = `
object: {namespace: agents, kind: StatefulSet, name: agent, container: svc}
endpoint: https://proxy.example.com
api_server: {url: "https://127.0.0.1:1", ca_file: /nowhere/ca, token_file: /nowhere/token}
`;

describe("the command line", () => {
  test.each([
    [[], 0, /^Usage: svc-kube-updater <command>/],
    [["start", "--help"], 0, /^Usage: svc-kube-updater start \[options\]/],
    [["version"], 0, /^svc-kube-updater \d/],
  ])("%j ends with %i", async (argv, status, stdout) => {
    expect(await program(argv)).toEqual({ status, stdout: expect.stringMatching(stdout), stderr: "" });
  });

  test("refuses what it does not know", async () => {
    expect(await program(["begin"])).toMatchObject({ status: 64, stderr: expect.stringMatching(/fault=usage/) });
  });
});

describe("the commands for people", () => {
  const going = new AbortController().signal;
  const beside = ({ url, caFile, tokenFile }: Played["place"]): string =>
    settings(good.replace(/api_server: .*/, `api_server: {url: "${url}", ca_file: ${caFile}, token_file: ${tokenFile}}`));

  test("say that run is with --now, and do nothing", async () => {
    expect(await program(["run"])).toMatchObject({
      status: 64,
      stderr: expect.stringMatching(/`svc-kube-updater run --now` fault=usage/),
    });
  });

  test.each([
    [["retry", "15.4.6"], /it is not said for which object; it follows statefulset\/agent, deployment\/relay; /],
    [["rollback", "other"], /the updater follows no object other; /],
    [["status", "deployment/agent"], /the updater follows no object deployment\/agent; /],
  ])("%j is told which objects there are", async (argv, told) => {
    const relay = "{namespace: agents, kind: Deployment, name: relay, container: svc}";
    const config = settings(good.replace(/^object: (.*)$/m, `objects: [$1, ${relay}]`));
    expect(await program([...argv, "--config", config])).toMatchObject({ status: 64, stderr: expect.stringMatching(told) });
  });

  test("end where they are stopped before anything is seen", async () => {
    expect(await program(["status", "--config", settings(good)])).toMatchObject({ status: 130 });
  });

  test("say which right is missing, or that nobody answers", async () => {
    const forbidden = 'statefulsets.apps "agent" is forbidden: User "a" cannot list resource';
    await using server = await played(refusal(403, forbidden));
    const config = beside(server.place);
    for (const command of ["status", "dry-run", "retry"]) {
      const { status, stdout, stderr } = await program([command, "--config", config, "--json"], {}, going);
      const told = /cannot be seen: .*forbidden.*; give the service account list and watch on it fault=api-refused/;
      expect([status, stderr]).toEqual([77, expect.stringMatching(told)]);
      expect(JSON.parse(stdout)).toMatchObject({ schema: 1, fault: { code: "api-refused" } });
    }
    const elsewhere = beside({ ...server.place, url: `https://127.0.0.1:${await freePort()}` });
    expect(await program(["status", "--config", elsewhere], {}, going)).toMatchObject({
      status: 75,
      stderr: expect.stringMatching(/the API server at https:\S+: .*; .*`kubectl get --raw \/readyz` fault=api-unreachable/),
    });
  });

  test("say that the token is not valid", async () => {
    await using server = await played(refusal(401, "Unauthorized"));
    const { status, stderr } = await program(["status", "--config", beside(server.place)], {}, going);
    expect([status, stderr]).toEqual([77, expect.stringMatching(/Unauthorized; see that \S+ holds a token/)]);
  });
});

describe("check", () => {
  test("says what is right", async () => {
    const path = settings(good);
    const { status, stdout } = await program(["check", "--config", path]);
    expect([status, stdout]).toEqual([0, `${path} is right: StatefulSet agent, container svc, in agents\n`]);
  });

  test.each([
    [
      "several faults at once",
      `${good}endpont: x\nmode: maybe\n`,
      /^2 settings are wrong; .*fault=settings-invalid\n.*endpont.*\n.*mode/,
    ],
    [
      "a time zone that is none",
      `${good}window: {start: "02:00", duration: 1h, timezone: Nowhere/At}\n`,
      /Nowhere\/At.*no time zone/,
    ],
    ["a file that is no YAML", "a: [", /YAML/],
  ])("tells %s", async (_, text, words) => {
    expect(await program(["check", "--config", settings(text)])).toMatchObject({
      status: 78,
      stderr: expect.stringMatching(words),
    });
  });

  test("tells of a file that is not there", async () => {
    expect(await program(["check", "--config", "/nowhere/a.yaml"])).toMatchObject({
      status: 74,
      stderr: expect.stringMatching(/^\/nowhere\/a\.yaml cannot be read: it is missing; /),
    });
  });

  test("takes from the pod where the API server is", async () => {
    const path = settings("object: {namespace: agents, kind: Deployment, name: a, container: b}\nendpoint: https://a.example\n");
    expect(await program(["check", "--config", path])).toMatchObject({ status: 78, stderr: expect.stringMatching(/api_server/) });
    expect(
      await program(["check", "--config", path], { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" }),
    ).toMatchObject({
      status: 0,
    });
  });
});

test("start ends at once where it is stopped, and with zero", async () => {
  const { status, stderr } = await program(["start", "--config", settings(`${good}listen: 127.0.0.1:${await freePort()}\n`)], {
    NO_PROXY: "a b",
  });
  expect([status, stderr]).toEqual([0, expect.stringMatching(/an entry of NO_PROXY means nothing entry="a b"/)]);
});
