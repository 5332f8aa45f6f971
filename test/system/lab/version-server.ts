import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeAuthority, type Authority } from "./certificate.ts";
import type { Host } from "./host.ts";
import { listen, type LabServer } from "./server.ts";

/** An answer given as text is 200 text/plain. */
export type Answer =
  | string
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Uint8Array;
      readonly delayMs?: number;
      /** "cut": the connection ends without an answer. */
      readonly connection?: "kept" | "cut";
    };

export type Channel = { readonly version: Answer; readonly critical?: Answer };

export type VersionServer = {
  /** http://outer.test:PORT and https://outer.test:PORT, for the setting `endpoint`. */
  readonly httpEndpoint: string;
  readonly httpsEndpoint: string;
  readonly http: LabServer;
  readonly https: LabServer;
  readonly authority: Authority;
  /** A channel's name may hold slashes. A channel that is not served answers 404; `critical` that is not said is "no". */
  readonly serve: (channel: string, answers: Channel) => void;
};

const path = /^\/v1\/webapi\/automaticupgrades\/channel\/(?<channel>.+)\/(?<question>version|critical)(?:\?|$)/;

export type VersionServerOptions = {
  /** With 127.0.0.1 the host cannot reach it but through a proxy that stands on the outer end. */
  readonly address?: string;
  /** "numbered": each change is the cluster's decision, and says so; else it is for the host to wonder about. */
  readonly changes?: "numbered";
};

/** The cluster's two endpoints, by http and by https, on the outer end of the host's network. */
export async function serveVersions(host: Host, at: VersionServerOptions = {}): Promise<VersionServer> {
  const address = at.address ?? host.network.outerAddress;
  const channels = new Map<string, Channel>();
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const asked = path.exec(request.url ?? "")?.groups;
    const channel = channels.get(decodeURIComponent(asked?.["channel"] ?? ""));
    if (channel === undefined) void send(response, { status: 404, body: "no such channel\n" });
    else void send(response, asked?.["question"] === "critical" ? named(channel) : channel.version);
  };
  const authority = await makeAuthority(join(host.directory, "authority"));
  const certificate = await authority.issue("outer.test", ["DNS:outer.test", `IP:${address}`]);
  const http = await listen({ address }, answer);
  const https = await listen({ address, certificate }, answer);
  host.atStop(async () => {
    await http.goDown();
    await https.goDown();
  });
  return {
    httpEndpoint: `http://outer.test:${http.port}`,
    httpsEndpoint: `https://outer.test:${https.port}`,
    http,
    https,
    authority,
    serve: (channel, answers) => void channels.set(channel, at.changes === "numbered" ? numbered(answers) : answers),
  };
}

/** The number of a decision is higher than that of each before it, of whichever server. */
function numbered({ version, ...rest }: Channel): Channel {
  const given = typeof version === "string" ? { body: version } : version;
  return { ...rest, version: { ...given, headers: { "x-svc-decision": `1.${Date.now()}`, ...given.headers } } };
}

/** As svc-proxy does it, the answer says of which version it is. */
function named({ version, critical = "no" }: Channel): Answer {
  const body = typeof version === "string" ? version : version.body;
  const given = typeof critical === "string" ? { body: critical } : critical;
  return typeof body === "string" ? { ...given, headers: { "x-svc-version": body.trim(), ...given.headers } } : given;
}

async function send(response: ServerResponse, answer: Answer): Promise<void> {
  const given = typeof answer === "string" ? { body: answer } : answer;
  if (given.delayMs !== undefined) await sleep(given.delayMs);
  if (given.connection === "cut") response.destroy();
  else response.writeHead(given.status ?? 200, { "content-type": "text/plain", ...given.headers }).end(given.body ?? "");
}
