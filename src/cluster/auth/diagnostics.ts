import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Fault } from "../../rules/fault/fault.ts";
import { admit } from "../../machine/listening/admit.ts";
import { Connections, type ConnectionsPorts } from "../../machine/listening/connections.ts";
import { whyNotListening } from "../../machine/listening/not-listening.ts";
import { answerPages, type Pages } from "../../machine/listening/pages.ts";
import type { Log } from "../../machine/logging/log.ts";
import type { HostPort } from "../../rules/route/host-port.ts";
import type { AuthLimits } from "./limits.ts";

export type Diagnostics = { readonly port: number; readonly stop: () => Promise<void> };

/** Enough for the few machines that scrape metrics. */
const mostConnections = { connections: 100, mostConnections: 200 };

type DiagnosticsPorts = {
  readonly at: HostPort;
  readonly limits: AuthLimits;
  readonly told: ConnectionsPorts["told"];
  readonly log: Log;
};

export async function listenForDiagnostics(pages: Pages, { at, limits, told, log }: DiagnosticsPorts): Promise<Diagnostics> {
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.lookForSlowMs,
    },
    answerPages(pages, (thrown) => log("warning", "the metrics could not be told", { why: String(thrown) })),
  );
  const connections = new Connections({ limits: mostConnections, told });
  admit(server, { connections, begin: () => undefined });
  server.maxConnections = mostConnections.mostConnections;
  server.timeout = limits.idleMs;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => {
      reject(
        new Fault(
          "configuration-invalid",
          whyNotListening(error, { at, setting: "auth_service.diag_addr", unit: "svc.service" }),
        ),
      );
    });
    server.listen({ port: at.port, host: at.host }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
