import { chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChannelName } from "../../src/channel/path.ts";
import { meansFor, networkUnproved, proveNetwork, type Network, type ProvedNetwork } from "../../src/doctor/network.ts";
import { readClock } from "../../src/host/clock.ts";
import { pathsBelow, type Paths } from "../../src/host/paths.ts";
import { decodeRequest } from "../../src/record/decode-hand-over.ts";
import { hopNames, type HopCheck } from "../../src/record/probe.ts";
import type { Endpoint } from "../../src/settings/settings.ts";
import { takeLock } from "../../src/store/lock.ts";
import { writeProbe } from "../../src/store/probe-file.ts";
import { scratchFolder } from "../host/scratch.ts";
import { serves } from "../pass/given.ts";

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn("SKIPPED: the tests of a probe from a user of systemd's: only root can write as another user");

const folder = scratchFolder();
let roots = 0;
function root(): Paths {
  return pathsBelow(`${folder}/${(roots += 1)}`);
}

let server: Server;
let endpoint: string;
beforeAll(async () => {
  server = createServer((request, response) => response.end(request.url?.endsWith("/version") === true ? "15.4.6" : "no"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

function network(paths: Paths, changes: Partial<Network> = {}): Network {
  return {
    paths,
    question: { endpoint: endpoint as Endpoint, channel: "default" as ChannelName, caFile: undefined, allowPlainHttp: false },
    environment: {},
    log: () => undefined,
    stopping: new AbortController().signal,
    ...changes,
  };
}

function told({ checks }: ProvedNetwork): readonly string[] {
  return checks.map(
    ({ name, verdict, told: words, fix }) => `${name} ${verdict}: ${words}${fix === undefined ? "" : ` -> ${fix}`}`,
  );
}

describe("this process walks the hops", () => {
  test("below another root, without systemd, and for whoever is not root", () => {
    expect(meansFor(root(), 0, () => undefined)).toEqual({ kind: "here", userId: 0 });
    expect(meansFor(pathsBelow("/"), 1000, () => undefined)).toEqual({ kind: "here", userId: 1000 });
  });

  test("with the proxies of that root's environment file, and its own over them", async () => {
    const paths = root();
    environmentFile(paths, "HTTP_PROXY=http://ann:planted-secret@proxy.invalid:3128\nNO_PROXY=what is this\n");
    const question = { ...network(paths).question, endpoint: "http://version.invalid" as Endpoint, allowPlainHttp: true };
    const byFile = await proveNetwork({ kind: "here", userId: 1000 }, network(paths, { question }));
    expect(told(byFile)[0]).toMatch(
      /^route warning: version\.invalid:80 is reached through the proxy http:\/\/proxy\.invalid:3128 .*"what is this"/,
    );
    expect(told(byFile)[1]).toMatch(/^proxy failed: .*(for|knows) the name proxy\.invalid/);
    expect(JSON.stringify(byFile)).not.toContain("planted-secret");
    const own = { http_proxy: "http://localhost:3128", NO_PROXY: "" };
    const byShell = await proveNetwork({ kind: "here", userId: 1000 }, network(paths, { question, environment: own }));
    expect(told(byShell)[0]).toMatch(/^route failed: http_proxy is not a usable proxy/);
  });

  test.each([
    [0, /^route ok: .* is reached directly .*; asked by this process, as root: svc-upgrade-ask\.service may see less$/],
    [1000, /^route ok: .* is reached directly \([^;]*$/],
  ])("and says so where it is root: user %i", async (userId, route) => {
    const proved = await proveNetwork({ kind: "here", userId }, network(root()));
    expect(told(proved)[0]).toMatch(route);
    expect(proved.checks.map(({ name }) => name)).toEqual(hopNames);
    expect(proved.answer).toEqual(serves("15.4.6"));
  });

  test.each([
    [
      0,
      /; the agent's environment file is not used: .*\/etc\/default\/svc, it is a directory; .* -> ls -l .*\/etc\/default\/svc$/,
    ],
    [1000, /; the agent's environment file is not used: .* -> sudo svc-upgrade doctor --root \/.*$/],
  ])("and warns where proxies may be set that it does not know: user %i", async (userId, route) => {
    const paths = root();
    mkdirSync(paths.agentEnvironment, { recursive: true });
    const proved = await proveNetwork({ kind: "here", userId }, network(paths));
    expect(told(proved)[0]).toMatch(/^route warning: .* is reached directly/);
    expect(told(proved)[0]).toMatch(route);
    expect(proved.answer).toEqual(serves("15.4.6"));
  });
});

const dynamicUser = 63_000;
const checks: readonly HopCheck[] = hopNames.map((name) => ({ name, verdict: "ok", told: `${name} is well` }));

/** The asking unit, as far as it shows: it reads a request and leaves a probe. */
function unit(paths: Paths, changes: { readonly pass?: string; readonly uid?: number } = {}): () => Promise<undefined> {
  return async () => {
    const request = decodeRequest(readFileSync(paths.request, "utf8"));
    if (request.kind === "unreadable") throw new Error(request.why);
    const { pass, purpose } = request.value;
    expect(purpose).toBe("probe");
    mkdirSync(dirname(paths.probe), { recursive: true });
    writeProbe(paths.probe, { pass: changes.pass ?? pass, at: readClock().now, checks, answer: serves("15.4.6", true) });
    const uid = changes.uid ?? dynamicUser;
    chownSync(paths.probe, uid, uid);
    return undefined;
  };
}

describe("the asking unit walks the hops", () => {
  test.skipIf(!isRoot)("and what it saw is told as it is", async () => {
    const paths = root();
    const mask = process.umask(0o077);
    const proved = await proveNetwork({ kind: "unit", start: unit(paths), lockWaitMs: 0 }, network(paths)).finally(() =>
      process.umask(mask),
    );
    expect(proved).toEqual({ checks, answer: serves("15.4.6", true) });
    // For a unit that is nobody, whatever shell the admin has.
    expect(statSync(dirname(paths.request)).mode & 0o777).toBe(0o755);
  });

  test.skipIf(!isRoot).each([
    ["of another pass", { pass: "another" }, /it answers the pass another/],
    ["of a person", { uid: 1000 }, /it belongs to user 1000/],
    ["of root", { uid: 0 }, /it belongs to user 0/],
  ])("and a probe %s is none", async (_title, changes, why) => {
    const paths = root();
    const proved = await proveNetwork({ kind: "unit", start: unit(paths, changes), lockWaitMs: 0 }, network(paths));
    expect(told(proved)[0]).toMatch(/^route failed: .*probe\.json cannot be used: .* -> .*journalctl -u svc-upgrade-ask/);
    expect(told(proved)[0]).toMatch(why);
    expect(proved.checks.slice(1).every(({ verdict }) => verdict === "skipped")).toBe(true);
    expect(proved.answer).toMatchObject({ kind: "fault", fault: { code: "hand-over-invalid" } });
  });

  test("and a unit that does not run is what is told", async () => {
    const paths = root();
    const start = async (): Promise<string> => "Unit svc-upgrade-ask.service is masked.";
    const proved = await proveNetwork({ kind: "unit", start, lockWaitMs: 0 }, network(paths));
    expect(told(proved)).toEqual([
      expect.stringMatching(/^route failed: .*is masked\. -> .*journalctl/),
      ...hopNames.slice(1).map((name) => `${name} skipped: not tried: svc-upgrade-ask.service gave no answer`),
    ]);
  });

  test("under the lock of a pass, which is free again afterwards", async () => {
    const paths = root();
    const seen: string[] = [];
    const start = async (): Promise<string> => {
      seen.push(takeLock(paths, "another").kind);
      return "enough";
    };
    await proveNetwork({ kind: "unit", start, lockWaitMs: 0 }, network(paths));
    // Whoever gives no answer is asked twice.
    expect(seen).toEqual(["busy", "busy"]);
    expect(takeLock(paths, "another").kind).toBe("held");
  });

  test("never while a pass runs: that is said, and the pass keeps its question", async () => {
    const paths = root();
    mkdirSync(dirname(paths.request), { recursive: true });
    writeFileSync(paths.request, "of a pass");
    const lock = takeLock(paths, "pass 1");
    const start = async (): Promise<string> => "never";
    const proved = await proveNetwork({ kind: "unit", start, lockWaitMs: 0 }, network(paths));
    expect(new Set(proved.checks.map(({ verdict }) => verdict))).toEqual(new Set(["skipped"]));
    expect(told(proved)[5]).toMatch(/^answer skipped: not tried: another pass is running \(process \d+, pass 1\)/);
    expect(proved.answer).toBeUndefined();
    expect(readFileSync(paths.request, "utf8")).toBe("of a pass");
    if (lock.kind === "held") lock.release();
  });

  test("as soon as a short pass has ended", async () => {
    const paths = root();
    const lock = takeLock(paths, "pass 1");
    const start = async (): Promise<string> => "it came to be started";
    const proving = proveNetwork({ kind: "unit", start, lockWaitMs: 30_000 }, network(paths));
    await sleep(50);
    if (lock.kind === "held") lock.release();
    expect(told(await proving)[0]).toMatch(/it came to be started/);
  });
});

test("where nothing can be asked, all six say why", () => {
  expect(networkUnproved("no endpoint")).toEqual(hopNames.map((name) => ({ name, verdict: "skipped", told: "no endpoint" })));
});

function environmentFile({ agentEnvironment }: Paths, text: string): void {
  mkdirSync(dirname(agentEnvironment), { recursive: true });
  writeFileSync(agentEnvironment, text);
}
