import { connect } from "node:net";
import { readYaml } from "../../../src/machine/yaml/read-yaml.ts";
import type { Log, LogFields, LogLevel } from "../../../src/machine/logging/log.ts";
import { limits, type Limits } from "../../../src/proxy/server/limits.ts";
import type { LoadedConfiguration } from "../../../src/proxy/server/load.ts";
import type { Auth } from "../../../src/proxy/server/pass-on.ts";
import type { Relay } from "../../../src/proxy/server/relay.ts";
import { startServer, type RunningServer } from "../../../src/proxy/server/server.ts";
import type { Words } from "../../../src/proxy/server-rules/decided.ts";
import { readConfiguration } from "../../../src/proxy/server-rules/read-configuration.ts";
import { parseVersion } from "../../../src/rules/version/version.ts";

export type Line = { readonly level: LogLevel; readonly sentence: string; readonly fields: LogFields | undefined };

export function keptLog(): { readonly log: Log; readonly lines: Line[] } {
  const lines: Line[] = [];
  return { lines, log: (level, sentence, fields) => void lines.push({ level, sentence, fields }) };
}

/** A configuration on ports of the system's choosing. */
export async function loaded(channels: string, changes: Partial<LoadedConfiguration> = {}): Promise<LoadedConfiguration> {
  const yaml = await readYaml(
    `proxy_service: {public_addr: proxy.example.com, web_listen_addr: 127.0.0.1, version: v15.4.6, automatic_upgrades_channels: ${channels}}`,
  );
  const value = yaml.kind === "value" ? yaml.value : undefined;
  const read = readConfiguration(value, {
    origin: { kind: "built-in" },
    ownVersion: parseVersion("0.1.0")!,
    program: "svc-proxy",
  });
  if (read.kind === "faults") throw new Error(JSON.stringify(read.faults));
  const here = { host: "127.0.0.1", port: 0 };
  const configuration = { ...read.configuration, listen: here, diagnostics: here };
  return { configuration, keyPairs: [], trust: undefined, remarks: [], ...changes };
}

export type Started = RunningServer & {
  readonly reload: (loaded: LoadedConfiguration) => void;
  readonly lines: readonly Line[];
  readonly url: string;
  readonly lookUrl: string;
};

type OfCluster = {
  readonly relay?: Relay;
  readonly auth?: Auth;
  readonly words?: Words;
  readonly isUnconfirmed?: () => boolean;
  readonly isWaiting?: () => boolean;
};

export async function running(
  of: LoadedConfiguration,
  changes: Partial<Limits> = {},
  { relay, auth, words, isUnconfirmed, isWaiting }: OfCluster = {},
): Promise<Started> {
  const { log, lines } = keptLog();
  const server = await startServer(of, {
    limits: { ...limits, graceMs: 0, drainMs: 1000, lastWordMs: 50, ...changes },
    proxies: {},
    log,
    program: "svc-proxy",
    relay,
    auth,
    words,
    isUnconfirmed,
    isWaiting,
  });
  const scheme = of.keyPairs.length > 0 ? "https" : "http";
  return {
    ...server,
    reload: (next) => server.prepareReload(next)(),
    lines,
    url: `${scheme}://127.0.0.1:${server.port}`,
    lookUrl: `http://127.0.0.1:${server.diagnosticsPort}`,
  };
}

/** Sends bytes as they are; what came back once the server has closed, or once there were so many answers. */
export function raw(port: number, bytes: string, answers: number = Number.POSITIVE_INFINITY): Promise<string> {
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes, "latin1"));
    socket.on("data", (chunk) => {
      heard += chunk.toString("latin1");
      if ((heard.match(/^HTTP\/1\.1 \d/gm)?.length ?? 0) >= answers) socket.destroy();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(heard));
  });
}

export const channelPath = (name: string, question = "version"): string =>
  `/v1/webapi/automaticupgrades/channel/${name}/${question}`;
