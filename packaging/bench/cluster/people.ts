import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeKeyPair } from "../../../src/cluster/identity/key.ts";
import { parseClusterId, type ClusterId } from "../../../src/cluster/identity/names.ts";
import { makeProof } from "../../../src/cluster/identity/proof.ts";
import { freePorts } from "../../free-ports.ts";
import { runTool } from "../../tool.ts";
import { processorTimeOf } from "../processor-time.ts";
import type { Stage } from "./stage.ts";

/** How many questions and calls each second gets, in even steps. The goal is 200 calls. */
const rates = { channels: 200, calls: 200 };
const seconds = 10;
const longestStartMs = 20_000;
const password = "correct horse battery staple";

/** `refused`: how many calls the proxy refused because it passed on as many as it may at a time. */
type Asked = { readonly milliseconds: readonly number[]; readonly refused: number; readonly wrong: number };
export type Relaying = {
  readonly alone: Asked;
  readonly beside: Asked;
  readonly calls: Asked;
  readonly processorPerCall: number;
};

/** Measures one process with auth and proxy: a signed-in person calls through the proxy while hosts ask it for their version. */
export async function measureRelay({ program, folder }: Pick<Stage, "program" | "folder">): Promise<Relaying> {
  const own = join(folder, "people");
  mkdirSync(own, { mode: 0o700 });
  const [auth = 0, authLook = 0, web = 0, webLook = 0] = await freePorts(4);
  const config = join(own, "svc.yaml");
  writeFileSync(
    config,
    `svc: {data_dir: ${own}/data}
auth_service: {cluster_name: example, listen_addr: 127.0.0.1:${auth}, diag_addr: 127.0.0.1:${authLook}, second_factor: off}
proxy_service: {public_addr: 127.0.0.1:${web}, web_listen_addr: 127.0.0.1:${web}, diag_addr: 127.0.0.1:${webLook}, version: v15.4.6}
`,
  );
  const [file, ...words] = program;
  const child = spawn(file, [...words, "start", "-c", config, "--log-level", "error"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  try {
    await ready(webLook, child);
    const tctl = (...more: readonly string[]): string => runTool([file, ...words, "tctl", ...more, "-c", config]);
    const [, token = ""] = /\/web\/invite\/([0-9a-f]{64})/.exec(tctl("users", "add", "bench", "--roles=editor")) ?? [];
    const person = await signIn(web, token);
    const version = (): Promise<boolean> =>
      ask(web, { path: "/v1/webapi/automaticupgrades/channel/default/version" }).then(({ text }) => text.trim() === "v15.4.6");
    const alone = await evenly(rates.channels, version);
    const before = processorTimeOf(child.pid ?? 0);
    const [beside, calls] = await Promise.all([evenly(rates.channels, version), evenly(rates.calls, person)]);
    const worked = processorTimeOf(child.pid ?? 0) - before;
    return { alone, beside, calls, processorPerCall: worked / calls.milliseconds.length };
  } finally {
    child.kill();
    if (child.exitCode === null) await once(child, "exit");
  }
}

async function ready(port: number, child: ChildProcess): Promise<void> {
  const endMs = performance.now() + longestStartMs;
  while (performance.now() < endMs && child.exitCode === null) {
    if (
      await ask(port, { path: "/readyz" }).then(
        ({ status }) => status === 200,
        () => false,
      )
    )
      return;
    await sleep(10);
  }
  throw new Error("svc was not ready");
}

/** Signs in by an invitation. The returned function calls with the person's key, and tells whether the answer is right. */
async function signIn(port: number, invitation: string): Promise<() => Promise<boolean>> {
  await answered(port, "InvitationService/TakeInvitation", { token: invitation, password, code: "" });
  const { clusterId = "" } = (await answered(port, "SessionService/Greet", {})) as { readonly clusterId?: string };
  const cluster = parseClusterId(clusterId);
  if (cluster === undefined) throw new Error("the cluster has no id");
  const { privateKey } = await makeKeyPair();
  const proving = { cluster, privateKey };
  const { token } = (await answered(port, "SessionService/SignIn", { user: "bench", password }, proving)) as {
    readonly token: string;
  };
  return async () => {
    const found = (await answered(port, "SessionService/GetSession", {}, { ...proving, token })) as {
      readonly session?: { readonly user: string };
    };
    return found.session?.user === "bench";
  };
}

class Refused extends Error {}

type Proving = { readonly cluster: ClusterId; readonly privateKey: string; readonly token?: string };

async function answered(port: number, method: string, body: object, proving?: Proving): Promise<unknown> {
  const path = `/svc.v1.${method}`;
  const text = JSON.stringify(body);
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (proving !== undefined) {
    const { cluster, privateKey, token } = proving;
    const now = Math.floor(Date.now() / 1000);
    headers["dpop"] = await makeProof(privateKey, { cluster, path, body: Buffer.from(text), token, now });
    if (token !== undefined) headers["authorization"] = `DPoP ${token}`;
  }
  const answer = await ask(port, { path, body: text, headers });
  if (answer.status === 503 && answer.text.includes("as many calls as it may")) throw new Refused();
  if (answer.status !== 200) throw new Error(`${method} was answered with ${answer.status}: ${answer.text}`);
  return JSON.parse(answer.text);
}

type Question = { readonly path: string; readonly body?: string; readonly headers?: Readonly<Record<string, string>> };

const agent = new Agent({ keepAlive: true });

function ask(port: number, { path, body, headers }: Question): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const method = body === undefined ? "GET" : "POST";
    const asking = request({ host: "127.0.0.1", port, path, method, agent, headers: { ...headers, ...length } }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => (text += piece));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    asking.on("error", reject);
    asking.end(body);
  });
}

/** Begins each question at its time, even if earlier ones were not answered yet. */
async function evenly(perSecond: number, one: () => Promise<boolean>): Promise<Asked> {
  const milliseconds: number[] = [];
  let [refused, wrong] = [0, 0];
  const began = performance.now();
  const all: Promise<void>[] = [];
  for (let count = 0; count < perSecond * seconds; count += 1) {
    const due = began + (count * 1000) / perSecond;
    if (due > performance.now()) await sleep(due - performance.now());
    all.push(
      (async () => {
        const startedMs = performance.now();
        const isRight = await one().catch((thrown: unknown) => {
          if (!(thrown instanceof Refused)) return false;
          refused += 1;
          return true;
        });
        milliseconds.push(performance.now() - startedMs);
        if (!isRight) wrong += 1;
      })(),
    );
  }
  await Promise.all(all);
  return { milliseconds, refused, wrong };
}

export function printRelay({ alone, beside, calls, processorPerCall }: Relaying): string {
  const row = (name: string, { milliseconds, refused, wrong }: Asked): string => {
    const sorted = milliseconds.toSorted((one, other) => one - other);
    const at = (share: number): string =>
      (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
    return `| ${name} | ${(milliseconds.length / seconds).toFixed(0)} | ${wrong} | ${refused} | ${at(0.5)} | ${at(0.99)} |`;
  };
  return [
    "| asked of one process with auth and proxy | in a second | lost or wrong | refused | median, ms | 99 of 100, ms |",
    "| --- | --- | --- | --- | --- | --- |",
    row("a channel, by itself", alone),
    row("a channel, beside calls", beside),
    row("calls of somebody signed in, handed on", calls),
    "",
    `A call that is handed on, with its proof, costs proxy and auth together ${(processorPerCall / 1000).toFixed(1)} ms of processor time, a channel's answer with it.`,
  ].join("\n");
}
