import { chownSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { main } from "../../../src/proxy/server/main.ts";
import { freePorts, serving, type Serving } from "./process.ts";
import { channelPath } from "./running.ts";

const folders: string[] = [];
const children: Serving[] = [];
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.stop()));
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "svc-proxy-main-"));
  folders.push(path);
  return path;
}

function configFile(text: string): string {
  const path = join(folder(), "svc.yaml");
  writeFileSync(path, text);
  return path;
}

type Ended = { readonly status: number; readonly stdout: string; readonly stderr: string };

async function program(argv: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
  let [stdout, stderr] = ["", ""];
  const status = await main({
    argv,
    environment,
    processId: 1,
    out: (text) => (stdout += text),
    error: (text) => (stderr += text),
    stderrIs: "other",
    stopping: AbortSignal.abort(),
    onHangUp: () => undefined,
  });
  return { status, stdout, stderr };
}

const good = `
proxy_service:
  public_addr: proxy.example.com
  version: v15.4.6
  acme: {}
  automatic_upgrades_channels:
    stable/cloud: {forward_url: "https://updates.example.com/v1"}
    urgent: {static_version: v15.4.7, critical: yes}
    paused: {static_version: none}
`;

describe("the command line", () => {
  test.each([
    [[], 0, /^Usage: svc-proxy <command>[^]*config digest {2}what all instances/],
    [["config", "digest", "--help"], 0, /^Usage: svc-proxy config digest/],
    [["version"], 0, /^svc-proxy \d+\.\d+\.\d+/],
    [["--version"], 0, /^svc-proxy \d+\.\d+\.\d+/],
    [["version", "--json"], 0, /^\{"schema":1,"version":"\d/],
    [["--json", "--log-level=debug", "version"], 0, /^\{"schema":1,"version":"\d/],
    [["--log-format", "json", "config", "digest", "--help"], 0, /^Usage: svc-proxy config digest/],
  ])("%j ends with %i", async (argv, status, stdout) => {
    expect(await program(argv)).toEqual({ status, stdout: expect.stringMatching(stdout), stderr: "" });
  });

  test.each([
    [["chek"], /unknown command 'chek'; Did you mean check\?/],
    [["config"], /"svc-proxy config" is only half of a command: next comes digest; svc-proxy config --help shows what each does/],
    [["--config", "x", "version"], /unknown option '--config'; svc-proxy version --help shows what it takes/],
    [["export"], /missing required argument 'dir'; svc-proxy export --help shows what it takes/],
  ])("%j ends with 64", async (argv, stderr) => {
    expect(await program(argv)).toEqual({ status: 64, stdout: "", stderr: expect.stringMatching(stderr) });
  });
});

describe("check", () => {
  test("says what is served, and warns of what may be a slip", async () => {
    const config = configFile(good);
    const ended = await program(["check", "--config", config]);
    expect(ended.status).toBe(0);
    expect(ended.stdout).toBe(
      `${config} is right: proxy.example.com, 4 channels
  default       v15.4.6
  stable/cloud  from https://updates.example.com/v1
  urgent        v15.4.7, critical
  paused        none
`,
    );
    expect(ended.stderr).toBe(
      "proxy_service.acme is not svc-proxy's, and is passed over\n" +
        "there are no https_keypairs, so 0.0.0.0:3080 is plain http: something before it must speak TLS\n" +
        ended.stderr.slice(ended.stderr.indexOf("it was not looked at")),
    );
    expect(ended.stderr).toMatch(
      /^it was not looked at whether svc-proxy\.service may read these files, nor at its proxies: .+\n$/m,
    );
  });

  test("warns of entries in NO_PROXY that have no effect, if a channel is forwarded", async () => {
    const { status, stderr } = await program(["check", "--config", configFile(good)], { NO_PROXY: "localhost,a b" });
    expect([status, stderr]).toEqual([0, expect.stringMatching(/^NO_PROXY holds "a b", which means nothing/m)]);
  });

  test("says the same in JSON", async () => {
    const { stdout } = await program(["check", "--json", "--config", configFile(good)]);
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 1,
      listen: "0.0.0.0:3080",
      tls: false,
      public_addr: "proxy.example.com:443",
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      as_unit: false,
      channels: [
        { name: "default", static_version: "v15.4.6", critical: false },
        { name: "stable/cloud", forward_url: "https://updates.example.com/v1" },
        { name: "urgent", static_version: "v15.4.7", critical: true },
        { name: "paused", static_version: "none", critical: false },
      ],
    });
  });

  test("tells every fault in a line of its own: file, key, found, allowed", async () => {
    const config = configFile("proxy_service: {public_addr: [a, b], version: 15, static_versoin: 1}");
    const ended = await program(["check", "--config", config]);
    expect([ended.status, ended.stdout]).toEqual([78, ""]);
    expect(ended.stderr.split("\n")).toEqual([
      `the configuration is wrong in 2 places; correct that, then see what holds: \`sudo svc-proxy check --config ${config}\` fault=settings-invalid`,
      expect.stringMatching(/^\S+\/svc\.yaml: proxy_service\.public_addr: a list of 2 \(allowed: exactly one/),
      expect.stringMatching(/^\S+\/svc\.yaml: proxy_service\.version: 15 \(allowed: a version/),
      "",
    ]);
    const { stdout } = await program(["check", "--json", "--config", config]);
    expect(JSON.parse(stdout)).toMatchObject({ schema: 1, fault: { code: "settings-invalid" } });
  });

  test.each([
    ["a file that is not there", "/proc/nowhere/svc.yaml", 78, /there is no file \/proc\/nowhere\/svc\.yaml/],
    ["a folder", "/", 78, /\/ cannot be read: it is a directory/],
  ])("refuses %s", async (_title, config, status, stderr) => {
    expect(await program(["check", "--config", config])).toMatchObject({ status, stderr: expect.stringMatching(stderr) });
  });

  test.each([
    ["no YAML", "proxy_service: {", {}, /no YAML: .*line 1/],
    [
      "a proxy variable that cannot be used",
      good,
      { HTTPS_PROXY: "localhost:3128" },
      /HTTPS_PROXY is not a usable proxy: its host is localhost/,
    ],
    [
      "certificates to trust that are none",
      `${good}  automatic_upgrades_forwarding: {ca_file: /proc/nowhere/ca.pem}\n`,
      {},
      /automatic_upgrades_forwarding\.ca_file: ca_file \/proc\/nowhere\/ca\.pem does not exist/,
    ],
  ])("refuses %s", async (_title, text, environment, stderr) => {
    expect(await program(["check", "--config", configFile(text)], environment)).toMatchObject({
      status: 78,
      stderr: expect.stringMatching(stderr),
    });
  });
});

test("config digest prints one word, the same for the same channels", async () => {
  const digest = async (text: string): Promise<string> =>
    (await program(["config", "digest", "--config", configFile(text)])).stdout;
  const one = await digest("proxy_service: {public_addr: a.example, version: v1.2.3}");
  expect(one).toMatch(/^[0-9a-f]{64}\n$/);
  expect(
    await digest("proxy_service: {public_addr: b.example, automatic_upgrades_channels: {default: {static_version: 1.2.3}}}"),
  ).toBe(one);
  expect(await digest("proxy_service: {public_addr: a.example, version: v1.2.4}")).not.toBe(one);
  // The digest is the channels' alone: a certificate that is wrong must not hide it.
  const pair = "https_keypairs: [{key_file: /proc/nowhere/key, cert_file: /proc/nowhere/cert}]";
  expect(await digest(`proxy_service: {public_addr: a.example, version: v1.2.3, ${pair}}`)).toBe(one);
  const { stdout } = await program(["config", "digest", "--json", "--config", configFile(good)]);
  expect(JSON.parse(stdout)).toMatchObject({ schema: 1, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn("SKIPPED: an export into a directory of another user: only root can give one away");

describe("export", () => {
  test("writes every answer that needs no upstream, and the same files a second time", async () => {
    const directory = join(folder(), "www");
    const argv = ["export", directory, "--config", configFile(good)];
    const first = await program(argv);
    expect(await program(argv)).toEqual(first);
    expect(first.status).toBe(0);
    expect(first.stderr).toBe("a forwarded channel cannot be a file, and was left out channel=stable/cloud\n");
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.map(({ parentPath, name }) => join(parentPath, name)).toSorted()).toEqual(
      first.stdout.trim().split("\n").toSorted(),
    );
    const text = (path: string): string => readFileSync(join(directory, path), "utf8");
    expect([text(channelPath("default")), text(channelPath("urgent", "critical")), text(channelPath("paused").slice(3))]).toEqual(
      ["v15.4.6\n", "yes\n", "none\n"],
    );
    expect(JSON.parse(text("/webapi/ping"))).toMatchObject({ proxy: { tls_routing_enabled: true } });
  });

  test.each([
    ["a/version", "a"],
    ["a/critical/b", "a"],
  ])("refuses the channel %s beside %s: one name cannot be a file and a folder", async (below, above) => {
    const text = `proxy_service: {public_addr: a.example, automatic_upgrades_channels: {${above}: {static_version: 1.2.3}, ${below}: {static_version: 1.2.3}}}`;
    const directory = join(folder(), "www");
    expect(await program(["export", directory, "--config", configFile(text)])).toMatchObject({
      status: 74,
      stderr: expect.stringMatching(`the channel ${below} cannot be a file`),
    });
  });

  test.runIf(isRoot)("follows no link of another user's to a place of the machine", async () => {
    const [directory, elsewhere] = [join(folder(), "www"), folder()];
    mkdirSync(directory);
    symlinkSync(elsewhere, join(directory, "webapi"));
    symlinkSync(elsewhere, join(directory, "v1"));
    chownSync(directory, 12_002, 12_002);
    expect(await program(["export", directory, "--config", configFile(good)])).toMatchObject({
      status: 78,
      stderr: expect.stringMatching(/is a symbolic link that another user could have put there.* fault=path-untrusted/),
    });
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test("says where it may not write", async () => {
    const config = configFile(good);
    expect(await program(["export", `${config}/below`, "--config", config])).toMatchObject({
      status: 74,
      stderr: expect.stringMatching(/could not be made: not a directory \(ENOTDIR\)/),
    });
  });
});

function started(config: string, env: Readonly<Record<string, string>>): Serving {
  const child = serving(config, env);
  children.push(child);
  return child;
}

describe("serve, as a shell starts it", () => {
  test("serves, reads again at SIGHUP all or nothing, tells systemd, and ends with 0 at SIGTERM", async () => {
    const [port, lookPort] = await freePorts();
    const text = (channels: string): string =>
      `proxy_service: {public_addr: a.example, web_listen_addr: "127.0.0.1:${port}", diag_addr: "127.0.0.1:${lookPort}", automatic_upgrades_channels: {default: ${channels}}}`;
    const config = configFile(text("{static_version: v1.1.1}"));
    const told = join(folder(), "told");
    const bin = folder();
    writeFileSync(join(bin, "systemd-notify"), `#!/bin/sh\necho "$NOTIFY_SOCKET $1" >> ${told}\n`, { mode: 0o755 });
    const child = started(config, { PATH: `${bin}:/usr/bin:/bin`, NOTIFY_SOCKET: "/run/none", WATCHDOG_USEC: "200000" });
    const served = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}${channelPath("default")}`)).text();
    await expect.poll(child.log).toMatch(/^serving address=127\.0\.0\.1:\d+ tls=false channels=default digest=/);
    expect(await served()).toBe("v1.1.1\n");

    writeFileSync(config, text("{static_version: v2.2.2}"));
    child.kill("SIGHUP");
    await expect.poll(child.log).toMatch(/were read again/);
    expect(await served()).toBe("v2.2.2\n");

    writeFileSync(config, text("{static_version: latest}"));
    child.kill("SIGHUP");
    await expect.poll(child.log).toMatch(/nothing was changed: the configuration is wrong: .*default\.static_version/);
    expect(await served()).toBe("v2.2.2\n");

    await expect.poll(() => readFileSync(told, "utf8")).toMatch(/WATCHDOG=1/);
    child.kill("SIGTERM");
    expect(await child.ended).toEqual([0, null]);
    const states = readFileSync(told, "utf8")
      .split("\n")
      .filter((line) => !line.includes("WATCHDOG"));
    expect(states.map((line) => line.replace("/run/none ", "")).filter((line) => line !== "")).toEqual([
      "READY=1",
      ...Array.from({ length: 2 }, () => ["RELOADING=1", "READY=1"]).flat(),
      "STOPPING=1",
    ]);
  });

  test("tells its unit what came of a reload, and goes on where it refuses one", async () => {
    const [[port, lookPort], [otherPort]] = [await freePorts(), await freePorts()];
    const text = (channels: string, diagnostics = lookPort): string =>
      `proxy_service: {public_addr: a.example, web_listen_addr: "127.0.0.1:${port}", diag_addr: "127.0.0.1:${diagnostics}", automatic_upgrades_channels: {default: ${channels}}}`;
    const config = configFile(text("{static_version: v1.1.1}, more: {static_version: v1.1.1}"));
    const child = started(config, {});
    await child.listening();
    const reloaded = (): Promise<Ended> => program(["reload", String(child.pid)]);
    const served = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}${channelPath("default")}`)).text();

    writeFileSync(config, text("{static_version: v2.2.2}, more: {static_version: v1.1.1}"));
    expect(await reloaded()).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(await served()).toBe("v2.2.2\n");

    const refused =
      /^the reload was refused, and the server goes on with the configuration before; the journal says why: `journalctl -u svc-proxy`/;
    writeFileSync(config, text("{static_version: latest}"));
    expect(await reloaded()).toMatchObject({ status: 78, stderr: expect.stringMatching(refused) });
    await expect.poll(child.log).toMatch(/nothing was changed: the configuration is wrong/);
    // What only the server knows: which channels it serves, and where it listens.
    writeFileSync(config, text("{static_version: v3.3.3}"));
    expect(await reloaded()).toMatchObject({ status: 78, stderr: expect.stringMatching(refused) });
    writeFileSync(config, text("{static_version: v3.3.3}, more: {static_version: v1.1.1}", otherPort));
    expect(await reloaded()).toMatchObject({ status: 71, stderr: expect.stringMatching(/a changed diag_addr takes a restart/) });
    await expect.poll(child.log).toMatch(/a reload cannot change diag_addr/);
    expect(await served()).toBe("v2.2.2\n");
  });
});
