import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { pathsBelow, type Paths } from "../../../src/machine/files/paths.ts";
import { layProxies, proxiesToGoBy, proxiesToSee, type ProxyPlaces } from "../../../src/updater/sources/proxies.ts";
import { usualAgentPaths } from "../../agent-paths.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

const folder = scratchFolder();
let roots = 0;

function host(): Paths {
  const paths = pathsBelow(`${folder}/${(roots += 1)}`);
  for (const made of [dirname(usualAgentPaths(paths).environment), paths.stateDirectory]) mkdirSync(made, { recursive: true });
  return paths;
}

function seen(paths: Paths): readonly [object, readonly string[]] {
  const said: string[] = [];
  return [
    proxiesToSee({ paths, agentPaths: usualAgentPaths(paths) }, (level, sentence) => said.push(`${level}: ${sentence}`)),
    said,
  ];
}

function goneBy(paths: Paths): readonly [object, readonly string[]] {
  const said: string[] = [];
  return [
    proxiesToGoBy({ paths, agentPaths: usualAgentPaths(paths) }, paths.passProxies, (level, sentence) =>
      said.push(`${level}: ${sentence}`),
    ),
    said,
  ];
}

const text =
  '# a comment\nHTTPS_PROXY="http://a:s3cret@proxy.test:3128"\nno_proxy=.lan\nSECRET=x\nexport HTTP_PROXY=http://no.test\n';
const inText = { HTTPS_PROXY: "http://a:s3cret@proxy.test:3128", no_proxy: ".lan" };
const lastCount = "warning: the agent's environment file cannot be read; the proxies that it last held count";

const isRoot = process.getuid?.() === 0;

type InTheWay = readonly [title: string, put: (path: string) => void];

/** What keeps a file from being read, without any waiting. */
const inTheWay: readonly InTheWay[] = [
  ["is a named pipe", (path) => void execFileSync("mkfifo", [path])],
  ["is a directory", (path) => mkdirSync(path)],
  ["is too large", (path) => writeFileSync(path, `HTTPS_PROXY=${"x".repeat(70_000)}\n`)],
  ...(isRoot ? [] : [closed()]),
];

function closed(): InTheWay {
  return ["may not be read", (path) => (writeFileSync(path, text), chmodSync(path, 0))];
}

describe("an environment file of another name", () => {
  const acme = (paths: Paths): ProxyPlaces => ({ paths, agentPaths: { environment: `${paths.root}/etc/acme` } });
  const quiet = (): void => undefined;

  test("is told with what stands in it, in its absence too", () => {
    const paths = host();
    const setIn = `${paths.root}/etc/acme`;
    expect(proxiesToGoBy(acme(paths), paths.passProxies, quiet)).toEqual({ setIn });
    writeFileSync(setIn, text);
    expect(proxiesToGoBy(acme(paths), paths.passProxies, quiet)).toEqual({ ...inText, setIn });
    expect(proxiesToSee(acme(paths), quiet)).toEqual({ ...inText, setIn });
    rmSync(setIn);
    mkdirSync(setIn);
    expect(proxiesToGoBy(acme(paths), paths.passProxies, quiet)).toEqual({ ...inText, setIn });
  });
});

describe("the proxies of the agent's environment file", () => {
  test("are told by these names, and the large spelling stands beside the small one", () => {
    const paths = host();
    const all = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"];
    writeFileSync(usualAgentPaths(paths).environment, all.map((name) => `${name}=http://${name}.test:3128\n`).join(""));
    expect(seen(paths)).toEqual([Object.fromEntries(all.map((name) => [name, `http://${name}.test:3128`])), []]);
  });

  test("are none where there is no file", () => {
    expect(seen(host())).toEqual([{}, []]);
    expect(goneBy(host())).toEqual([{}, []]);
  });

  test.each(inTheWay)("are those of the last time where the file %s", (_title, put) => {
    const paths = host();
    writeFileSync(usualAgentPaths(paths).environment, text);
    goneBy(paths);
    rmSync(usualAgentPaths(paths).environment);
    put(usualAgentPaths(paths).environment);
    expect(goneBy(paths)).toEqual([inText, [lastCount]]);
    expect(seen(paths)).toEqual([inText, [lastCount]]);
  });

  test("are those of the last time while somebody holds a lease on the file, and is not waited for", async () => {
    const paths = host();
    writeFileSync(usualAgentPaths(paths).environment, text);
    goneBy(paths);
    // F_SETLEASE, F_WRLCK: whoever opens the file waits until it is given up, or the kernel takes it away after 45 seconds.
    const lease = `$SIG{IO} = "IGNORE"; $| = 1; open my $f, "+<", $ARGV[0] or die; fcntl $f, 1024, 1 or die; print "held\\n"; sleep 60`;
    const holder = spawn("perl", ["-e", lease, usualAgentPaths(paths).environment], { stdio: ["ignore", "pipe", "inherit"] });
    await once(holder.stdout, "data");
    expect(goneBy(paths)).toEqual([inText, [lastCount]]);
    holder.kill("SIGKILL");
    await once(holder, "exit");
    expect(goneBy(paths)).toEqual([inText, []]);
  });

  test.each(inTheWay)("were none at the last time, and that counts too, where the file %s", (_title, put) => {
    const paths = host();
    goneBy(paths);
    put(usualAgentPaths(paths).environment);
    expect(goneBy(paths)).toEqual([{}, [lastCount]]);
  });

  test.each(inTheWay)("are not known where the file %s from the beginning: nobody goes past them", (_title, put) => {
    const paths = host();
    put(usualAgentPaths(paths).environment);
    expect(() => goneBy(paths)).toThrow(
      expect.objectContaining({
        code: "proxies-unread",
        message: expect.stringContaining(
          `${usualAgentPaths(paths).environment} cannot be read, and which proxies it last held is not known: `,
        ),
      }),
    );
    expect(seen(paths)[0]).toEqual({});
  });

  test("are noted where nobody else may read them, and only when they change", () => {
    const paths = host();
    writeFileSync(usualAgentPaths(paths).environment, text);
    goneBy(paths);
    const first = statSync(paths.passProxies);
    expect(first.mode & 0o777).toBe(0o600);
    goneBy(paths);
    expect(statSync(paths.passProxies).ino).toBe(first.ino);
    // Somebody has opened it to all.
    chmodSync(paths.passProxies, 0o644);
    goneBy(paths);
    expect(statSync(paths.passProxies).mode & 0o777).toBe(0o600);
  });

  test("hold nothing up where they cannot be noted, and what was noted badly is nothing", () => {
    const paths = host();
    writeFileSync(usualAgentPaths(paths).environment, text);
    rmSync(paths.stateDirectory, { recursive: true });
    expect(goneBy(paths)).toEqual([
      inText,
      ["warning: the proxies could not be noted, for the day when their file cannot be read"],
    ]);
    mkdirSync(paths.stateDirectory);
    writeFileSync(paths.passProxies, '{"HTTPS_PROXY": 1}');
    rmSync(usualAgentPaths(paths).environment);
    mkdirSync(usualAgentPaths(paths).environment);
    expect(() => goneBy(paths)).toThrow("which proxies it last held is not known");
    expect(readFileSync(paths.passProxies, "utf8")).toBe('{"HTTPS_PROXY": 1}');
  });

  test("are told to be unknown to whoever only looks", () => {
    const paths = host();
    mkdirSync(usualAgentPaths(paths).environment);
    expect(seen(paths)).toEqual([{}, ["warning: the agent's environment file is not used"]]);
  });

  test.skipIf(isRoot)("are told to be unknown to whoever may not read them", () => {
    const paths = host();
    writeFileSync(usualAgentPaths(paths).environment, text);
    chmodSync(usualAgentPaths(paths).environment, 0);
    expect(seen(paths)).toEqual([{}, ["warning: proxies may be set in a file that this user may not read"]]);
  });
});

test.each([
  [{ HTTPS_PROXY: "a", NO_PROXY: "x" }, { HTTPS_PROXY: "b" }, { HTTPS_PROXY: "b", NO_PROXY: "x" }],
  [{ https_proxy: "a" }, { HTTPS_PROXY: "" }, { HTTPS_PROXY: "" }],
])("over %j in the file, %j in the environment is %j", (file, environment, both) => {
  expect(layProxies(file, environment)).toEqual(both);
});
