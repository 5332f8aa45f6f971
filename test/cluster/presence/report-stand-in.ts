import { createPublicKey, type X509Certificate } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { TLSSocket } from "node:tls";
import type { ReportRequestJson, ReportResponseJson } from "../../../src/cluster/api/generated/svc/v1/inventory_pb.ts";
import { issue } from "../../../src/cluster/identity/authority.ts";
import { makeKeyPair } from "../../../src/cluster/identity/key.ts";
import { readIdentity, writeIdentity, type IdentityPlace } from "../../../src/cluster/presence/identity-file.ts";
import type { OverTls } from "../auth/over-tls.ts";
import { instance } from "../identity/made.ts";

export type Heard = ReportRequestJson & { readonly from: string };

/** Stands for auth's handler of reports until that is there: the same certificates, the same TLS, and the contract's own words. */
export type ReportStandIn = AsyncDisposable & {
  readonly port: number;
  readonly reports: readonly Heard[];
  /** What it answers from now on. */
  answer: ReportResponseJson;
  /** Whether it closes every connection that is opened to it. */
  isAway: boolean;
  /** From now on the host asks here, and not where it has joined. */
  readonly takeOver: (place: IdentityPlace) => void;
  /** Waits for the report of that number, counted from 1. */
  readonly heard: (count: number) => Promise<Heard>;
};

const mostWaitMs = 15_000;

export async function startReportStandIn(auth: Pick<OverTls, "authorities" | "cluster" | "clock">): Promise<ReportStandIn> {
  const { signing } = auth.authorities;
  const pair = await makeKeyPair();
  const own = await issue(signing, {
    subject: { cluster: auth.cluster, kind: "auth", id: instance },
    publicKey: createPublicKey(pair.publicKey),
    validity: { from: auth.clock.now - 86_400, until: auth.clock.now + 30 * 86_400 },
  });
  const reports: Heard[] = [];
  const server = createServer(
    {
      cert: `${own.certificate}${signing.certificate}`,
      key: pair.privateKey,
      ca: signing.certificate,
      requestCert: true,
      rejectUnauthorized: true,
      sessionIdContext: "reports",
    },
    (request, response) => void answerReport(request, response),
  );
  const standIn: ReportStandIn = {
    get port() {
      return (server.address() as AddressInfo).port;
    },
    reports,
    answer: { reportAfterSeconds: 600 },
    isAway: false,
    takeOver: (place) => {
      const { stored } = readIdentity(place)!;
      writeIdentity(place, { ...stored, authServers: [`127.0.0.1:${standIn.port}`] });
    },
    heard: async (count) => {
      const end = Date.now() + mostWaitMs;
      while (reports.length < count) {
        if (Date.now() > end) throw new Error(`report ${count} never came: ${JSON.stringify(reports)}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return reports[count - 1]!;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  async function answerReport(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (request.url !== "/svc.v1.InventoryService/Report" || request.method !== "POST") {
      response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify({ code: "unimplemented" }));
      return;
    }
    const shown = (request.socket as TLSSocket).getPeerX509Certificate();
    reports.push({ ...(JSON.parse(body) as ReportRequestJson), from: nameIn(shown) });
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(standIn.answer));
  }
  server.on("connection", (socket) => {
    if (standIn.isAway) socket.destroy();
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return standIn;
}

/** A resumed connection shows no certificate to node. */
function nameIn(shown: X509Certificate | undefined): string {
  return shown?.subjectAltName ?? "resumed";
}
