import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, get } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { isInPath } from "../../../packaging/tool.ts";
import { createAuthority, type Authority } from "../../machine/network/fixture/authority.ts";
import { freePort } from "../../machine/network/fixture/free-port.ts";
import { excerpt } from "../../documents.ts";
import { configured } from "../server-rules/configured.ts";
import { channelPath, loaded, running, type Started } from "./running.ts";

const runFile = promisify(execFile);

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function started(): Promise<Started> {
  const server = await running(await loaded("{default: {static_version: v15.4.6}}"));
  open.push(server.stop);
  return server;
}

const lacks = (programs: readonly string[]): boolean => {
  const missing = programs.filter((program) => !isInPath(program));
  if (missing.length > 0) console.warn(`SKIPPED: what docs/server.md says of svc-proxy: ${missing.join(" and ")} not installed`);
  return missing.length > 0;
};

test("the documented configuration is right, and serves what it says", async () => {
  const { channels, publicAddress } = await configured(excerpt("example"));
  expect([publicAddress, [...channels.keys()]]).toEqual([
    { host: "proxy.example.com", port: 443 },
    ["default", "urgent", "stable/cloud"],
  ]);
});

test("the recipe for canaries serves two channels", async () => {
  const { channels } = await configured(excerpt("canaries"));
  expect([...channels.keys()].toSorted()).toEqual(["canary", "default"]);
});

test.skipIf(lacks(["curl", "jq"]))("the documented one-liners say what they are for", async () => {
  const server = await started();
  const said: string[] = [];
  for (const line of excerpt("one-liners").split("\n")) {
    const { stdout } = await runFile("sh", ["-c", line.replaceAll("https://proxy.example.com", server.url)]);
    said.push(stdout.trim());
  }
  expect(said).toEqual(["15.4.6", "proxy.example.com:443", "true", `x-svc-channels: ${server.live.serving.answers.digest}`]);
});

type Nginx = { readonly port: number; readonly authority: Authority; readonly accessLog: () => string };

/** The documented site, with other addresses and places. */
async function startNginx(ports: readonly [number, number]): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), "svc-proxy-nginx-"));
  const authority = createAuthority("nginx");
  open.push(() => rmSync(folder, { recursive: true }), authority.remove);
  const { cert, key } = authority.issue({ name: "proxy.example.com", altName: "DNS:proxy.example.com" });
  writeFileSync(join(folder, "proxy.pem"), cert);
  writeFileSync(join(folder, "proxy.key"), key);
  const port = await freePort();
  const site = excerpt("nginx")
    .replace("192.0.2.11:3080", `127.0.0.1:${ports[0]}`)
    .replace("192.0.2.12:3080", `127.0.0.1:${ports[1]}`)
    .replace("listen 443 ", `listen 127.0.0.1:${port} `)
    .replaceAll("/etc/ssl/", `${folder}/`)
    .replace("/var/log/nginx/", `${folder}/`)
    .replace("flush=5s", "flush=1s");
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${folder}/${kind};`);
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off; master_process off; pid ${folder}/pid; events { worker_connections 512; }\nhttp {\n${places.join("\n")}\n${site}\n}\n`,
  );
  const child = spawn("nginx", ["-p", folder, "-e", `${folder}/errors`, "-c", `${folder}/nginx.conf`], { stdio: "ignore" });
  open.push(() => ended(child));
  return { port, authority, accessLog: () => readFileSync(join(folder, "svc-proxy.log"), "utf8") };
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = new Promise((end) => child.once("exit", end));
  if (child.exitCode !== null || !child.kill("SIGKILL")) return;
  await gone;
}

test.skipIf(lacks(["nginx"]))(
  "the documented nginx speaks TLS for two instances, does without one, limits an address and keeps a log",
  async () => {
    const [first, second] = [await started(), await started()];
    const { port, authority, accessLog } = await startNginx([first.port, second.port]);
    const agent = new Agent({ keepAlive: true, maxSockets: 16, ca: authority.pem, servername: "proxy.example.com" });
    open.push(() => agent.destroy());
    const ask = (): Promise<string> =>
      new Promise((resolve, reject) => {
        const options = { agent, host: "127.0.0.1", port, path: channelPath("default") };
        get(options, (response) => {
          let body = "";
          response.setEncoding("utf8").on("data", (text: string) => (body += text));
          response.on("end", () => resolve(`${response.statusCode} ${body}`));
        }).on("error", reject);
      });
    await expect.poll(() => ask().catch(String)).toBe("200 v15.4.6\n");
    const asked = async (times: number): Promise<readonly string[]> => [
      ...new Set(await Promise.all(Array.from({ length: times }, ask))),
    ];
    expect(await asked(40)).toEqual(["200 v15.4.6\n"]);
    expect([first, second].map(({ live }) => live.serving.meter.latencyCount > 0)).toEqual([true, true]);
    await first.stop();
    expect(await asked(40)).toEqual(["200 v15.4.6\n"]);
    // A crowd behind one address, as fast as it can; once more where this machine is too slow to be one.
    await expect.poll(async () => (await asked(1500)).some((answer) => answer.startsWith("429 "))).toBe(true);
    await expect.poll(accessLog).toMatch(/^127\.0\.0\.1 - - .*\/channel\/default\/version HTTP\/1\.1" 200 /m);
  },
);
