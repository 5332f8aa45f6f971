import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect } from "vitest";
import { isInPath } from "../../../packaging/tool.ts";
import { joinCluster } from "../../../src/cluster/presence/join-cluster.ts";
import type { Ways } from "../../../src/cluster/presence/mutual-tls.ts";
import { makeToken } from "../auth/over-tls.ts";
import { freePort } from "../svc/process.ts";
import { joiningTo, testHost as test } from "./host.ts";
import { directWays } from "./ways.ts";

const credentials = { user: "fleet", password: "right-one" };

type Conf = { readonly directory: string; readonly port: number };
type RealProxy = {
  readonly program: string;
  readonly argv: (conf: Conf) => readonly string[];
  readonly write: (conf: Conf) => string;
};

const tinyproxy: RealProxy = {
  program: "tinyproxy",
  argv: ({ directory }) => ["tinyproxy", "-d", "-c", join(directory, "conf")],
  write: ({ directory, port }) => `Port ${port}
Listen 127.0.0.1
Timeout 60
MaxClients 20
LogFile "${join(directory, "log")}"
LogLevel Connect
BasicAuth ${credentials.user} ${credentials.password}
`,
};

const squid: RealProxy = {
  program: "squid",
  argv: ({ directory }) => ["squid", "-N", "-f", join(directory, "conf")],
  write: ({ directory, port }) => {
    const hash = execFileSync("openssl", ["passwd", "-apr1", "-stdin"], { input: `${credentials.password}\n`, encoding: "utf8" });
    writeFileSync(join(directory, "users"), `${credentials.user}:${hash}`);
    return `http_port 127.0.0.1:${port}
auth_param basic program /usr/lib/squid/basic_ncsa_auth ${join(directory, "users")}
auth_param basic realm test
acl known proxy_auth REQUIRED
http_access allow known
http_access deny all
logformat short %rm %ru %>Hs
access_log stdio:${join(directory, "log")} short
cache_log ${join(directory, "cache.log")}
cache deny all
pid_filename none
coredump_dir ${directory}
shutdown_lifetime 0 seconds
visible_hostname test
pinger_enable off
`;
  },
};

const lacks = (program: string): boolean => {
  const isMissing =
    !isInPath(program) || (program === "squid" && (!existsSync("/usr/lib/squid/basic_ncsa_auth") || !isInPath("openssl")));
  if (isMissing) console.warn(`SKIPPED: joining through ${program}: it is not installed`);
  return isMissing;
};

async function running(proxy: RealProxy, work: (port: number, log: () => string) => Promise<void>): Promise<void> {
  // Squid gives its rights away, and writes its log as somebody else.
  const directory = mkdtempSync(join(tmpdir(), "real-proxy-"));
  execFileSync("chmod", ["0777", directory]);
  const conf = { directory, port: await freePort() };
  writeFileSync(join(directory, "conf"), proxy.write(conf));
  const [program = "", ...argv] = proxy.argv(conf);
  const child = spawn(program, argv, { stdio: "ignore" });
  const ended = once(child, "exit");
  try {
    while (!(await answers(conf.port))) {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
      await sleep(20);
    }
    await work(conf.port, () => readFileSync(join(directory, "log"), "utf8"));
  } finally {
    child.kill("SIGKILL");
    await ended;
    rmSync(directory, { recursive: true, force: true });
  }
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

describe.each([tinyproxy, squid])("through $program with a password", (proxy) => {
  test.skipIf(lacks(proxy.program))("a host joins, and with another password is told so", async ({ auth, host }) => {
    await running(proxy, async (port, log) => {
      const through = (password: string): Ways => ({
        ...directWays,
        routeOf: () => ({
          kind: "proxy",
          proxy: { scheme: "http", host: "127.0.0.1", port, credentials: { user: credentials.user, password } },
          rule: "HTTPS_PROXY",
        }),
      });
      const joining = joiningTo(auth, { tokenFile: host.tokenFile(await makeToken(auth)) });
      const refused: unknown = await joinCluster(joining, { ...host.ports, ways: through("wrong-one") }).catch(
        (fault: unknown) => fault,
      );
      expect(refused).toMatchObject({ code: "proxy-refused" });
      const { message, hint } = refused as { readonly message: string; readonly hint: string };
      expect(`${message} ${hint}`).not.toContain("wrong-one");
      expect(await joinCluster(joining, { ...host.ports, ways: through(credentials.password) })).toMatchObject({
        kind: "joined",
      });
      expect(log()).toContain(`CONNECT 127.0.0.1:${auth.port}`);
    });
  });
});
