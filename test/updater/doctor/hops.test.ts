import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { LookupFunction } from "node:net";
import type { Duplex } from "node:stream";
import { proveHops } from "../../../src/updater/doctor/probe.ts";
import type { HopCheck, HopName } from "../../../src/updater/record/probe.ts";
import type { HostId } from "../../../src/rules/channel/asking-host.ts";
import { parseProxy } from "../../../src/rules/route/proxy.ts";
import type { Proxy } from "../../../src/rules/route/proxy.ts";
import { createAuthority, endingDay, type Authority, type Pair } from "../../machine/network/fixture/authority.ts";
import { closedPort } from "../../machine/network/fixture/closed-port.ts";
import { fakePorts, questionFor, type FakePorts } from "../../machine/network/fixture/ports.ts";
import { startProxy, type ProxyOptions } from "../../machine/network/fixture/proxy.ts";
import { serve, type Answering } from "../../machine/network/fixture/server.ts";
import { started } from "../../machine/network/fixture/started.ts";

let authority: Authority;
let ending: Authority;
let here: Pair;
let there: Pair;
beforeAll(() => {
  authority = createAuthority("Private Authority");
  ending = createAuthority("Ending Authority", "ending");
  here = authority.issue({ name: "here", altName: "DNS:localhost,IP:127.0.0.1" });
  there = authority.issue({ name: "there", altName: "DNS:version.invalid" });
});
afterAll(() => {
  authority.remove();
  ending.remove();
});

/** One walk: where to, on which way, and with which certificates. */
type Walk = {
  readonly to: string;
  readonly proxy?: Proxy;
  readonly caFile?: string;
  readonly plain?: "allowed";
  readonly passedOver?: readonly string[];
  readonly ports?: Partial<FakePorts>;
};

const credentials = { user: "fleet", password: "planted-secret" };

async function walk({ to, proxy, caFile, plain, passedOver = [], ports }: Walk): Promise<Awaited<ReturnType<typeof proveHops>>> {
  const question = questionFor(to, { caFile, allowPlainHttp: plain === "allowed" });
  const routeOf: FakePorts["routeOf"] = () =>
    proxy === undefined ? { kind: "direct", rule: "no HTTPS_PROXY is set" } : { kind: "proxy", proxy, rule: "HTTPS_PROXY" };
  const proved = await proveHops({ ...question, passedOver }, fakePorts({ routeOf, systemStores: [authority.file], ...ports }));
  expect(proved.checks.map(({ name }) => name)).toEqual(["route", "proxy", "dns", "tls", "channel", "answer"]);
  for (const { verdict, fix } of proved.checks) expect(fix !== undefined).toBe(verdict === "warning" || verdict === "failed");
  expect(JSON.stringify(proved)).not.toContain(credentials.password);
  return proved;
}

type Expected = Readonly<Record<Exclude<HopName, "route">, RegExp>>;

/** Each as "verdict: what was told", and after " -> " the fix. */
function lines(checks: readonly HopCheck[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    checks.map(({ name, verdict, told, fix }) => [name, `${verdict}: ${told}${fix === undefined ? "" : ` -> ${fix}`}`]),
  );
}

function expectLines(checks: readonly HopCheck[], expected: Partial<Expected>): void {
  for (const [name, pattern] of Object.entries(expected))
    expect(lines(checks)).toHaveProperty(name, expect.stringMatching(pattern));
}

const versions: Answering = (path) => ({
  status: 200,
  headers: { "x-svc-version": "v15.4.6" },
  body: path.endsWith("/version") ? "v15.4.6" : "yes",
});

async function versionServer(answering: Answering = versions, tls?: Pair): Promise<number> {
  return (await started(serve(answering, tls))).port;
}

async function proxyTo(port: number, options: Omit<ProxyOptions, "names"> = {}): Promise<Proxy> {
  return (await started(startProxy({ names: { "version.invalid": port }, ...options }))).proxy;
}

describe("a way on which all is well is proved hop by hop", () => {
  type Row = readonly [title: string, arrange: () => Promise<Walk>, expected: Partial<Expected>];
  const well: Partial<Expected> = {
    channel: /^ok: https?:\/\/[^/]+\/v1\/.*\/version answers with status 200$/,
    answer: /^ok: channel stable\/cloud serves 15\.4\.6, critical$/,
  };
  const rows: readonly Row[] = [
    [
      "directly by https",
      async () => ({ to: `https://localhost:${await versionServer(versions, here)}` }),
      {
        ...well,
        proxy: /^skipped: the way is direct$/,
        dns: /^ok: localhost is (::1|127\.0\.0\.1)/,
        tls: /^ok: localhost:\d+ shows "CN=here" for DNS:localhost.*, issued by "CN=Private Authority", valid 2020-01-01 to 2099-01-01 \(TLSv1\.3\)$/,
      },
    ],
    [
      "directly by http to an address",
      async () => ({ to: `http://127.0.0.1:${await versionServer()}` }),
      { ...well, dns: /^skipped: 127\.0\.0\.1 is an address$/, tls: /^skipped: plain http shows no certificate$/ },
    ],
    [
      "by https through a proxy with user and password",
      async () => ({
        to: "https://version.invalid",
        proxy: await proxyTo(await versionServer(versions, there), { credentials }),
      }),
      {
        ...well,
        proxy: /^ok: http:\/\/127\.0\.0\.1:\d+ has opened a tunnel to version\.invalid:443$/,
        dns: /^skipped: the proxy resolves version\.invalid$/,
        tls: /^ok: version\.invalid:443 shows "CN=there"/,
      },
    ],
    [
      "by http through a proxy",
      async () => ({ to: "http://version.invalid", plain: "allowed", proxy: await proxyTo(await versionServer()) }),
      { ...well, proxy: /^ok: http:\/\/127\.0\.0\.1:\d+ passes on questions to version\.invalid:80$/ },
    ],
  ];
  test.each(rows)("%s", async (_title, arrange, expected) => {
    const { checks, answer } = await walk(await arrange());
    expectLines(checks, expected);
    expect(checks[0]).toMatchObject({ verdict: "ok", told: expect.stringMatching(/ is reached (directly|through the proxy) /) });
    expect(answer).toEqual({ kind: "served", served: { kind: "version", version: "15.4.6" }, isCritical: true });
  });

  test("a channel that serves nothing is well, too", async () => {
    const port = await versionServer(() => ({ status: 200, body: "none" }));
    expectLines((await walk({ to: `http://127.0.0.1:${port}` })).checks, {
      answer: /^ok: channel stable\/cloud serves none: nothing/,
    });
  });
});

describe("what works and should be looked at is a warning", () => {
  test("a certificate that ends soon", async () => {
    const pair = authority.issue({ name: "here", altName: "DNS:localhost", validity: "ending" });
    const { checks } = await walk({ to: `https://localhost:${await versionServer(versions, pair)}` });
    expectLines(checks, {
      tls: new RegExp(`^warning: localhost:\\d+ shows .*; it ends on ${endingDay} -> have it renewed .*-connect localhost:\\d+ `),
      answer: /^ok/,
    });
  });

  test("a certificate further up that ends soon", async () => {
    const pair = ending.issue({ name: "here", altName: "DNS:localhost" });
    const { checks } = await walk({
      to: `https://localhost:${await versionServer(versions, pair)}`,
      ports: { systemStores: [ending.file] },
    });
    expectLines(checks, { tls: new RegExp(`; "CN=Ending Authority", issued by .* ends on ${endingDay} ->`) });
  });

  test("but not an old certificate of an authority whose new one is trusted", async () => {
    const validity = ["-startdate", "20200101000000Z", "-enddate", "20210101000000Z"];
    const sign = ["ca", "-batch", "-notext", "-config", "ca.conf", "-selfsign", "-keyfile", "ca.key", "-extensions", "authority"];
    execFileSync("openssl", [...sign, ...validity, "-in", "ca.csr", "-out", "old.pem"], {
      cwd: authority.directory,
      stdio: "pipe",
    });
    const cert = `${here.cert}${readFileSync(`${authority.directory}/old.pem`, "utf8")}`;
    const { checks } = await walk({ to: `https://localhost:${await versionServer(versions, { ...here, cert })}` });
    expectLines(checks, { tls: /^ok: .*\(TLSv1\.3\)$/ });
  });

  test("entries of NO_PROXY that mean nothing", async () => {
    const { checks } = await walk({ to: `http://127.0.0.1:${await versionServer()}`, passedOver: ["a b", "10.0.0.0/99"] });
    expect(lines(checks)["route"]).toMatch(
      /^warning: 127\.0\.0\.1:\d+ is reached directly .*: "a b", "10\.0\.0\.0\/99" -> .*sudoedit \/etc\/default\/svc/,
    );
  });

  test.each([
    [
      "names no version",
      {},
      /^ok: .* serves 15\.4\.6, called critical by a server that does not say which version it means: two passes/,
    ],
    [
      "names another version",
      { "x-svc-version": "v15.4.7" },
      /^ok: .* serves 15\.4\.6, called critical, but its answers do not belong together$/,
    ],
  ])("an answer on critical that %s", async (_title, headers: Record<string, string>, answer) => {
    const port = await versionServer((path) => ({ status: 200, headers, body: path.includes("/version") ? "v15.4.6" : "yes" }));
    const { checks } = await walk({ to: `http://127.0.0.1:${port}` });
    expectLines(checks, { answer });
  });

  test("an answer that leaves open whether the update is critical", async () => {
    const port = await versionServer((asked) => ({ status: 200, body: asked.endsWith("/version") ? "15.4.6" : "perhaps" }));
    const { checks, answer } = await walk({ to: `http://127.0.0.1:${port}` });
    expectLines(checks, {
      answer: /^warning: .* serves 15\.4\.6; it is not known whether .* a text of 7 bytes -> .*\/critical`$/,
    });
    expect(answer).toMatchObject({ kind: "served", isCritical: false });
  });
});

const nobodyKnows: LookupFunction = (name, _options, done) => {
  setImmediate(() => done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" }), ""));
};

const refusing =
  (status: string): ((socket: Duplex) => void) =>
  (socket) =>
    socket.end(`HTTP/1.1 ${status}\r\n\r\n`);

describe("the hop that does not work is named, what leads to it is proved, and what lies behind it is not hidden", () => {
  type Row = readonly [title: string, arrange: () => Promise<Walk>, broken: HopName, expected: Partial<Expected>];
  const rows: readonly Row[] = [
    [
      "a name that nobody knows",
      async () => ({ to: "https://version.invalid", ports: { lookup: nobodyKnows } }),
      "dns",
      { dns: /no name server knows the name version\.invalid \(ENOTFOUND\) -> .*getent ahosts version\.invalid.*HTTPS_PROXY/ },
    ],
    [
      "nobody who listens, by https",
      async () => ({ to: `https://localhost:${closedPort}` }),
      "tls",
      { dns: /^ok: localhost is/, tls: /the connection is refused/ },
    ],
    [
      "nobody who listens, by http",
      async () => ({ to: `http://127.0.0.1:${closedPort}` }),
      "channel",
      { channel: /the connection is refused/ },
    ],
    [
      "a certificate of an authority that is not known",
      async () => ({ to: `https://localhost:${await versionServer(versions, here)}`, ports: { systemStores: [ending.file] } }),
      "tls",
      { dns: /^ok/, tls: /authority is not in the store.*"CN=here".* -> .*\/etc\/svc-upgrade\/ca\.pem.*`echo 'ca_file: / },
    ],
    [
      "no certificate store at all",
      async () => ({ to: `https://localhost:${await versionServer(versions, here)}`, ports: { systemStores: [] } }),
      "tls",
      { dns: /^skipped: not tried because tls failed$/, tls: /none was found.* -> .*ca-certificates/ },
    ],
    [
      "a ca_file that is not there",
      async () => ({ to: `https://localhost:${await versionServer(versions, here)}`, caFile: "/proc/nowhere/ca.pem" }),
      "tls",
      { dns: /^ok/, tls: /ca_file \/proc\/nowhere\/ca\.pem does not exist -> put the certificate/ },
    ],
    [
      "a proxy that forbids the server",
      async () => ({ to: "https://version.invalid", proxy: await proxyTo(1, { instead: refusing("403 Forbidden") }) }),
      "proxy",
      {
        proxy:
          /with 403 Forbidden -> let the proxy allow CONNECT to version\.invalid:443.*`echo 'NO_PROXY=version\.invalid' \| sudo tee -a/,
      },
    ],
    [
      "a proxy that is not there",
      async () => ({ to: "https://version.invalid", proxy: { ...(await proxyTo(1)), port: closedPort } }),
      "proxy",
      { proxy: /cannot be reached: the connection is refused/, dns: /^skipped: the proxy resolves version\.invalid$/ },
    ],
    [
      "a server behind a proxy whose certificate is for another host",
      async () => ({ to: "https://version.invalid", proxy: await proxyTo(await versionServer(versions, here)) }),
      "tls",
      { proxy: /^ok/, tls: /for another host.* -> set `endpoint` to a name in the certificate/ },
    ],
    [
      "a channel that is not known",
      async () => ({ to: `https://localhost:${await versionServer(() => ({ status: 404 }), here)}` }),
      "channel",
      { dns: /^ok/, tls: /^ok/, channel: /answers with status 404 -> check `channel`/ },
    ],
    [
      "a page in the place of a version",
      async () => ({ to: `http://127.0.0.1:${await versionServer(() => ({ status: 200, body: "<html>Welcome</html>" }))}` }),
      "answer",
      { channel: /^ok: .* answers with status 200$/, answer: /answers a web page of 20 bytes -> .*`curl -v http/ },
    ],
    [
      "a page that it redirects to",
      async () => {
        const page = await versionServer(() => ({ status: 200, body: "<html>Sign in</html>" }));
        return { to: `http://127.0.0.1:${await versionServer(() => leadingTo(`http://127.0.0.1:${page}/login`))}` };
      },
      "answer",
      {
        channel: /\/version answers with status 302, and http:\/\/127\.0\.0\.1:\d+\/login with 200$/,
        answer: /answers a web page of 20 bytes/,
      },
    ],
    [
      "a proxy that wants user and password for http, too",
      async () => {
        const proxy = await proxyTo(1, { credentials });
        return { to: "http://version.invalid", plain: "allowed", proxy: { ...proxy, credentials: undefined } };
      },
      "proxy",
      { proxy: /answers 407 .*no credentials are set -> set user and password/ },
    ],
    [
      "a redirect to where nobody listens",
      async () => {
        const to = `https://127.0.0.1:${closedPort}/`;
        return { to: `https://localhost:${await versionServer(() => leadingTo(to), here)}` };
      },
      "channel",
      { tls: /^ok/, channel: /https:\/\/127\.0\.0\.1:\d+\/ cannot be reached/ },
    ],
    [
      "plain http that is not allowed",
      async () => ({ to: "http://version.invalid" }),
      "channel",
      { dns: /^skipped: not tried because channel failed$/, channel: /is plain http .* -> .*allow_plain_http/ },
    ],
  ];
  test.each(rows)("%s", async (_title, arrange, broken, expected) => {
    const { checks, answer } = await walk(await arrange());
    const failed = checks.findIndex(({ verdict }) => verdict === "failed");
    expect(checks[failed]?.name).toBe(broken);
    expectLines(checks, expected);
    for (const { verdict, told } of checks.slice(failed + 1)) {
      expect(verdict).toBe("skipped");
      expect(told).toMatch(/^(not tried because \w+ failed|the proxy resolves .*|plain http shows no certificate)$/);
    }
    // What a pass would have been told.
    expect(answer).toMatchObject({ kind: "fault", fault: { message: checks[failed]?.told, hint: checks[failed]?.fix } });
  });

  test("a proxy variable that is none", async () => {
    const routeOf: FakePorts["routeOf"] = () => {
      const proxy = parseProxy("HTTPS_PROXY", "http://fleet:planted-secret@localhost:3128");
      return { kind: "proxy", proxy, rule: "HTTPS_PROXY" };
    };
    const { checks } = await walk({ to: "https://version.invalid", ports: { routeOf } });
    expect(lines(checks)["route"]).toMatch(/^failed: HTTPS_PROXY is not a usable proxy: its host is localhost/);
    expect(checks.slice(1).every(({ verdict, told }) => verdict === "skipped" && told === "not tried because route failed")).toBe(
      true,
    );
  });

  test("an unusable ca_file and a proxy that refuses, both at once", async () => {
    const proxy = await proxyTo(1, { instead: refusing("403 Forbidden") });
    const { checks, answer } = await walk({ to: "https://version.invalid", caFile: "/proc/nowhere/ca.pem", proxy });
    expect(checks.map(({ verdict }) => verdict)).toEqual(["ok", "failed", "skipped", "failed", "skipped", "skipped"]);
    expectLines(checks, { proxy: /403 Forbidden/, tls: /ca_file/ });
    expect(answer).toMatchObject({ kind: "fault", fault: { code: "ca-file-unusable" } });
  });

  test("an https proxy is sent nothing where it cannot be judged", async () => {
    const proxy = await started(startProxy({ names: {}, tls: here }));
    const { checks } = await walk({ to: "https://version.invalid", caFile: "/proc/nowhere/ca.pem", proxy: proxy.proxy });
    expectLines(checks, { proxy: /^failed: ca_file/, tls: /^skipped: not tried because proxy failed$/ });
    expect(proxy.log).toEqual([]);
  });

  test("an unusable ca_file that the server does not need is still one", async () => {
    const port = await versionServer(versions, here);
    const { checks, answer } = await walk({ to: `https://localhost:${port}`, caFile: "/proc/nowhere/ca.pem" });
    expect(checks.map(({ verdict }) => verdict)).toEqual(["ok", "skipped", "ok", "failed", "skipped", "skipped"]);
    expect(answer).toMatchObject({ kind: "fault", fault: { code: "ca-file-unusable" } });
  });
});

test("who waits at a terminal does not wait as long as a pass may", async () => {
  const port = await versionServer(() => ({ status: 503, headers: { "retry-after": "40" } }));
  const waits: number[] = [];
  await walk({ to: `http://127.0.0.1:${port}`, ports: { wait: async (ms) => void waits.push(ms) } });
  expect(waits).toEqual([]);
});

function leadingTo(location: string): ReturnType<Answering> {
  return { status: 302, headers: { location } };
}

test("a channel that answers hosts by their names is asked by this host's, with what is installed, also whether that is critical", async () => {
  const own = "0a".repeat(16) as HostId;
  const asked: (readonly unknown[])[] = [];
  const server = await started(
    serve((path, _nth, { "x-svc-host": host, "x-svc-installed": installed }) => {
      asked.push([path.slice(path.lastIndexOf("/")), host, installed]);
      const headers = { "x-svc-asks-host": "yes", "x-svc-version": "v15.4.5", "x-svc-for-host": host ?? "" };
      return { status: 200, headers, body: path.endsWith("/version") ? "v15.4.5" : "no" };
    }),
  );
  const { answer } = await walk({ to: `http://127.0.0.1:${server.port}`, ports: { ownName: () => Promise.resolve(own) } });
  expect(answer).toMatchObject({ kind: "served", served: { version: "15.4.5" }, askedAs: own });
  expect(asked).toEqual([
    ["/version", undefined, undefined],
    ["/version", own, "15.4.5"],
    ["/critical", own, "15.4.5"],
  ]);
});
