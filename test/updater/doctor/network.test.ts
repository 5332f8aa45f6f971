import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
import {
  meansFor,
  networkUnproved,
  proveNetwork,
  type Network,
  type ProvedNetwork,
} from "../../../src/updater/doctor/network.ts";
import { pathsBelow, type Paths } from "../../../src/machine/files/paths.ts";
import { bringUp } from "../../../src/updater/pass/ask.ts";
import { encodeProbe, hopNames, type HopCheck } from "../../../src/updater/record/probe.ts";
import type { Endpoint } from "../../../src/rules/settings/settings.ts";
import { takeLock } from "../../../src/updater/store/lock.ts";
import { usualAgentPaths } from "../../agent-paths.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";
import { askingUnit, saying, type Deed, type Unit } from "../pass/asking.ts";
import { serves } from "../pass/given.ts";

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
    agentPaths: usualAgentPaths(paths),
    question: {
      endpoint: endpoint as Endpoint,
      channel: "default" as ChannelName,
      caFile: undefined,
      allowPlainHttp: false,
      installed: undefined,
    },
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
    expect(meansFor(root(), 0)).toEqual({ kind: "here", userId: 0 });
    expect(meansFor(pathsBelow("/"), 1000)).toEqual({ kind: "here", userId: 1000 });
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
      /; the agent's environment file is not used: .*\/etc\/default\/svc, it is a directory; .* -> see what it is: `ls -l .*\/etc\/default\/svc`$/,
    ],
    [1000, /; the agent's environment file is not used: .* -> run it as root: `sudo svc-upgrade doctor`$/],
  ])("and warns where proxies may be set that it does not know: user %i", async (userId, route) => {
    const paths = root();
    mkdirSync(usualAgentPaths(paths).environment, { recursive: true });
    const proved = await proveNetwork({ kind: "here", userId }, network(paths));
    expect(told(proved)[0]).toMatch(/^route warning: .* is reached directly/);
    expect(told(proved)[0]).toMatch(route);
    expect(proved.answer).toEqual(serves("15.4.6"));
  });
});

const checks: readonly HopCheck[] = hopNames.map((name) => ({ name, verdict: "ok", told: `${name} is well` }));
const walked = saying(({ pass }) => encodeProbe({ pass, checks, answer: serves("15.4.6", true) }));

const open: Unit[] = [];
afterEach(async () => {
  for (const unit of open.splice(0)) await unit.close();
});

/** Root's doctor, and a unit whose socket is only there once it was brought up. */
async function proveBy(paths: Paths, ...deeds: readonly Deed[]): Promise<ProvedNetwork> {
  mkdirSync(dirname(paths.asking), { recursive: true });
  const listening = async (): Promise<void> => void open.push(await askingUnit(paths.asking, deeds));
  return proveNetwork({ kind: "unit", bringUp: listening }, network(paths));
}

describe("the asking unit walks the hops", () => {
  test("and what it saw is told as it is, with the proxies of the agent's environment file", async () => {
    const paths = root();
    environmentFile(paths, "HTTP_PROXY=http://ann:planted-secret@proxy.invalid:3128\n");
    expect(await proveBy(paths, walked)).toEqual({ checks, answer: serves("15.4.6", true) });
    expect(open[0]?.asked).toMatchObject([
      { purpose: "probe", proxies: { HTTP_PROXY: "http://ann:planted-secret@proxy.invalid:3128" } },
    ]);
  });

  test.each([
    ["of another pass", () => encodeProbe({ pass: "another", checks, answer: serves("15.4.6") }), /it answers the pass another/],
    ["with a hop too few", () => JSON.stringify({ pass: "p", checks: checks.slice(1) }), /not every hop/],
    ["that is too long", () => "x".repeat(16_385), /it is longer than 16384 bytes/],
  ])("and a probe %s is none", async (_title, line, why) => {
    const proved = await proveBy(root(), saying(line));
    expect(told(proved)[0]).toMatch(
      /^route failed: svc-upgrade-ask\.service gave an answer that cannot be used: .* -> .*journalctl -u svc-upgrade-ask/,
    );
    expect(told(proved)[0]).toMatch(why);
    expect(proved.checks.slice(1).every(({ verdict }) => verdict === "skipped")).toBe(true);
    expect(proved.answer).toMatchObject({ kind: "fault", fault: { code: "hand-over-invalid" } });
  });

  test("and a unit that does not run is what is told", async () => {
    const proved = await proveBy(root(), (connection) => connection.destroy());
    expect(told(proved)).toEqual([
      expect.stringMatching(/^route failed: svc-upgrade-ask\.service ended without an answer -> .*journalctl/),
      ...hopNames.slice(1).map((name) => `${name} skipped: not tried: svc-upgrade-ask.service gave no answer`),
    ]);
  });

  test("and a socket that does not come up, with what to type", async () => {
    const change = async (): Promise<string> => "Unit svc-upgrade-ask.socket is masked.";
    const proved = await proveNetwork({ kind: "unit", bringUp: () => bringUp({ change }) }, network(root()));
    expect(told(proved)[0]).toMatch(/^route failed: .*socket is masked\. -> .*systemctl unmask/);
  });

  test("whether a pass is under way or not", async () => {
    const paths = root();
    const lock = takeLock(paths, "pass 1");
    expect((await proveBy(paths, walked)).checks).toEqual(checks);
    if (lock.kind === "held") lock.release();
  });

  test("by the proxies that a pass would go by", async () => {
    const paths = root();
    mkdirSync(usualAgentPaths(paths).environment, { recursive: true });
    const unknown = await proveBy(paths, walked);
    expect(told(unknown)[0]).toMatch(
      /^route failed: .*\/etc\/default\/svc cannot be read, .*it is a directory -> put a regular file in its place/,
    );
    expect(open).toEqual([]);
    mkdirSync(dirname(paths.passProxies), { recursive: true });
    writeFileSync(paths.passProxies, '{"HTTPS_PROXY":"http://proxy.test:3128"}\n');
    const last = await proveBy(paths, walked);
    expect(told(last)[0]).toMatch(
      /^route warning: route is well; .* cannot be read; the proxies that it last held count: .* -> see what it is: `ls -l/,
    );
    expect(open[0]?.asked).toMatchObject([{ proxies: { HTTPS_PROXY: "http://proxy.test:3128" } }]);
  });
});

test("where nothing can be asked, all six say why", () => {
  expect(networkUnproved("no endpoint")).toEqual(hopNames.map((name) => ({ name, verdict: "skipped", told: "no endpoint" })));
});

function environmentFile(paths: Paths, text: string): void {
  const { environment: agentEnvironment } = usualAgentPaths(paths);
  mkdirSync(dirname(agentEnvironment), { recursive: true });
  writeFileSync(agentEnvironment, text);
}
