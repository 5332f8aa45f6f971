import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createAuthority } from "../../machine/network/fixture/authority.ts";
import { freePort } from "../../machine/network/fixture/free-port.ts";

export type Scheme = "http" | "https";

export type DrivenServer = {
  readonly endpoint: string;
  readonly processId: number;
  /** Where it tells of itself. */
  readonly lookUrl: string;
  /** Put other channels into its configuration; a SIGHUP lets it read them. */
  readonly configure: (channels: string) => void;
  /** Of the authority that signed its certificate. */
  readonly caFile: string;
  readonly stop: () => Promise<void>;
};

const shipped = resolve(import.meta.dirname, "../../../src/svc-proxy.ts");
const longestStartMs = 60_000;

/** A process of its own, as a self-hoster would start it: one channel with a version of its own. */
export async function startDriven(scheme: Scheme, program: string = shipped): Promise<DrivenServer> {
  const folder = mkdtempSync(join(tmpdir(), "svc-driven-"));
  const authority = createAuthority("driven");
  const { cert, key } = authority.issue({ name: "localhost", altName: "DNS:localhost,IP:127.0.0.1" });
  writeFileSync(join(folder, "cert.pem"), cert);
  writeFileSync(join(folder, "key.pem"), key, { mode: 0o600 });
  const [port, lookPort] = [await freePort(), await freePort()];
  const pairs = scheme === "https" ? `\n  https_keypairs: [{key_file: ${folder}/key.pem, cert_file: ${folder}/cert.pem}]` : "";
  const configure = (channels: string): void =>
    writeFileSync(
      join(folder, "svc.yaml"),
      `proxy_service:
  public_addr: localhost
  web_listen_addr: "127.0.0.1:${port}"
  diag_addr: "127.0.0.1:${lookPort}"${pairs}
  automatic_upgrades_channels: ${channels}
`,
    );
  configure("{default: {static_version: v15.4.6}}");
  const child = spawn(process.execPath, [program, "serve", "--config", join(folder, "svc.yaml")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const gone = new Promise<void>((end) => child.once("exit", () => end()));
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await gone;
    rmSync(folder, { recursive: true, force: true });
    authority.remove();
  };
  try {
    await heard(child.stderr, /^serving /m);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    endpoint: `${scheme}://127.0.0.1:${port}`,
    lookUrl: `http://127.0.0.1:${lookPort}`,
    processId: child.pid!,
    caFile: authority.file,
    configure,
    stop,
  };
}

function heard(stream: NodeJS.ReadableStream, expected: RegExp): Promise<void> {
  return new Promise((found, reject) => {
    let text = "";
    const timer = setTimeout(() => reject(new Error(`svc-proxy did not begin to serve: ${text}`)), longestStartMs);
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (!expected.test(text)) return;
      clearTimeout(timer);
      found();
    });
    stream.on("end", () => reject(new Error(`svc-proxy ended: ${text}`)));
  });
}
