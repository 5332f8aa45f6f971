import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, onTestFinished, test, vi } from "vitest";
import { main } from "../../../src/cluster/tctl/main.ts";
import { startRunning, type Running } from "../auth/running.ts";

export type Said = { readonly status: number; readonly out: string; readonly error: string };

export type Tctl = Running & {
  /** A real auth answers, over its real socket. */
  readonly tctl: (...argv: readonly string[]) => Promise<Said>;
  /** Writes a file of that name and says where it is. */
  readonly file: (name: string, text: string) => string;
};

/** The program as it is called, without auth: for what it says by itself. */
export async function said(
  argv: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  isTerminal = false,
): Promise<Said> {
  let [out, error] = ["", ""];
  const status = await main({
    argv,
    environment,
    out: (text) => void (out += text),
    error: (text) => void (error += text),
    isTerminal,
    stopping: new AbortController().signal,
  });
  return { status, out, error };
}

export async function startTctl(environment: Readonly<Record<string, string>> = {}): Promise<Tctl> {
  const running = await startRunning();
  const config = join(running.directory, "svc.yaml");
  writeFileSync(config, `svc: {data_dir: ${running.directory}}\nauth_service: {public_addr: auth.example.com}\n`);
  const file = (name: string, text: string): string => {
    const path = join(running.directory, name);
    writeFileSync(path, text);
    return path;
  };
  return { ...running, file, tctl: (...argv) => said([...argv, "-c", config], environment) };
}

/** What differs from run to run, by what it is. */
export function timeless({ out, error }: Said, { directory }: Pick<Tctl, "directory">): string {
  return `${out}${error}`
    .replaceAll(directory, "DIR")
    .replaceAll(/sha256:[0-9a-f]{64}/g, "sha256:PIN")
    .replaceAll(/SHA256:[A-Za-z0-9+/]{43}/g, "SHA256:FINGERPRINT")
    .replaceAll(/\b[0-9a-f]{64}\b/g, "SECRET")
    .replaceAll(/\b[0-9a-f]{16}\b/g, "DIGEST-BEGINNING")
    .replaceAll(/\b[0-9a-f]{32}\b/g, "SERIAL")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "ID");
}

export const role = `kind: role
version: v7
metadata:
  name: maintenance-manager
spec:
  allow:
    rules:
      - resources: [cluster_maintenance_config]
        verbs: [create, read, update, delete]
`;

export const maintenance = `kind: cluster_maintenance_config
spec:
  agent_upgrades:
    utc_start_hour: 2
    weekdays: [Tue, Thursday]
`;

/** For all tests of a file. */
export function beInBerlin(): void {
  beforeAll(() => void vi.stubEnv("TZ", "Europe/Berlin"));
  afterAll(() => void vi.unstubAllEnvs());
}

/** Tests of which each has auth for itself, and the program beside it. */
export const testTctl = test.extend("on", async () => {
  const on = await startTctl();
  onTestFinished(() => on[Symbol.asyncDispose]());
  return on;
});
