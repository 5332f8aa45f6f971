import { constants } from "node:crypto";
import type { TlsOptions } from "node:tls";
import type { Authorities } from "./cluster.ts";
import type { OwnCertificate } from "./own-certificate.ts";
import type { TicketKeys } from "./ticket-keys.ts";

/** A host reports every ten minutes, and an auth that stretches them asks for hours at most. */
const sessionSeconds = 86_400;

type Shown = {
  readonly own: Pick<OwnCertificate, "certificate" | "privateKey">;
  readonly authorities: Authorities;
  readonly ticketKeys: TicketKeys;
};

/** Demands no certificate, because who joins has none: the gate judges, at every call. */
export function tlsOptions({ own, authorities, ticketKeys }: Shown): TlsOptions {
  return {
    cert: own.certificate,
    key: own.privateKey,
    ca: authorities.trusted.map(({ certificate }) => certificate.toString()),
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: "TLSv1.2",
    // One connection is one client: with TLS 1.2 it could show another certificate half-way.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    sessionTimeout: sessionSeconds,
    // Node would take another one for each command line, and a session is to be resumed at every auth of the cluster.
    sessionIdContext: "svc-auth",
    ticketKeys,
  };
}
