import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { encodeState } from "../../src/updater/record/encode-state.ts";
import { emptyState, type PassRecord } from "../../src/updater/record/state.ts";
import { distFolder } from "../project.ts";
import { runTool } from "../tool.ts";

export type Stage = { readonly httpsEndpoint: string; readonly stop: () => void };

const version = "15.4.5";

/**
 * Lays a host that has nothing to do over this machine's own places. Only processes of this mount namespace see it. Its package database has one
 * package, so that the children cost little and hide nothing.
 */
export async function setStage(): Promise<Stage> {
  const scratch = resolve(distFolder, "work", "bench");
  mkdirSync(scratch, { recursive: true });
  runTool(["mount", "-t", "tmpfs", "tmpfs", scratch]);
  layOver("/etc", scratch);
  layOver("/var/lib", scratch);
  runTool(["mount", "-t", "tmpfs", "tmpfs", "/usr/local/bin"]);
  runTool(["mount", "-t", "tmpfs", "tmpfs", "/var/lib/dpkg"]);
  const { certificate, stop, http, https } = await startServer(scratch);
  write("/var/lib/dpkg/status", installedAgent);
  mkdirSync("/var/lib/dpkg/info");
  mkdirSync("/var/lib/dpkg/updates");
  write("/usr/local/bin/svc", `#!/bin/sh\necho "svc v${version} git:deadbeef"\n`);
  chmodSync("/usr/local/bin/svc", 0o755);
  write(
    "/etc/svc-upgrade/50-bench.yaml",
    `endpoint: http://127.0.0.1:${http}\nallow_plain_http: true\nca_file: ${certificate}\n`,
  );
  write(
    "/etc/svc.yaml",
    "version: v3\nsvc:\n  nodename: bench\n  proxy_server: proxy.example.com:443\nssh_service:\n  enabled: yes\n",
  );
  write(
    "/etc/default/svc",
    "# The agent's environment.\nHTTPS_PROXY=http://proxy.example.com:3128\nNO_PROXY=127.0.0.1,.example.com\n",
  );
  const hour = Math.floor(Date.now() / 3_600_000) * 3600;
  write("/etc/svc-upgrade.d/schedule", `# the agent's\n${hour + 86_400} ${hour + 90_000}\n`);
  write("/var/lib/svc-upgrade-decide/state.json", encodeState({ ...emptyState, passes: Array.from({ length: 10 }, quietPass) }));
  return { httpsEndpoint: `https://127.0.0.1:${https}`, stop };
}

const installedAgent = [
  "Package: svc-ent",
  "Status: install ok installed",
  "Priority: optional",
  "Section: net",
  "Maintainer: The agent's makers <agent@packages.example.com>",
  "Architecture: all",
  `Version: ${version}`,
  "Description: the agent",
  "",
  "",
].join("\n");

function quietPass(_: unknown, index: number): PassRecord {
  return {
    id: `bench-${index}`,
    startedAt: 1_790_000_000 - index * 600,
    seconds: 1,
    installed: version,
    served: version,
    decision: {
      kind: "stay",
      why: "current",
      told: `${version} is the version served`,
      lift: "the cluster serves another version",
    },
    channel: "default",
    outcome: { kind: "stayed" },
    steps: [],
    recovered: undefined,
  };
}

function layOver(folder: string, scratch: string): void {
  const upper = resolve(scratch, `${folder.replaceAll("/", "-")}-upper`);
  const work = resolve(scratch, `${folder.replaceAll("/", "-")}-work`);
  mkdirSync(upper);
  mkdirSync(work);
  runTool(["mount", "-t", "overlay", "overlay", "-o", `lowerdir=${folder},upperdir=${upper},workdir=${work}`, folder]);
}

type Server = { readonly certificate: string; readonly http: string; readonly https: string; readonly stop: () => void };

async function startServer(scratch: string): Promise<Server> {
  const [key, certificate] = [resolve(scratch, "server.key"), resolve(scratch, "server.pem")];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-days", "2"];
  const subject = ["-subj", "/CN=bench", "-addext", "subjectAltName=IP:127.0.0.1"];
  runTool(["openssl", "req", "-x509", ...kind, ...subject, "-keyout", key, "-out", certificate]);
  const child = spawn(process.execPath, [resolve(import.meta.dirname, "server.ts"), key, certificate, version], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const [http, https] = line.toString("utf8").trim().split(" ");
  return { certificate, http: http!, https: https!, stop: () => child.kill() };
}

function write(path: string, text: string): void {
  mkdirSync(resolve(path, ".."), { recursive: true });
  writeFileSync(path, text, { mode: 0o644 });
}
