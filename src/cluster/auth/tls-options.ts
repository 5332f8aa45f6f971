import { constants } from "node:crypto";
import type { TlsOptions } from "node:tls";
import type { Authorities } from "./cluster.ts";
import type { OwnCertificate } from "./own-certificate.ts";
import type { TicketKeys } from "./ticket-keys.ts";

/** A host reports every ten minutes; a busy auth asks for hours at most. */
const sessionSeconds = 86_400;

type Shown = {
  readonly own: Pick<OwnCertificate, "certificate" | "privateKey">;
  readonly authorities: Authorities;
  readonly ticketKeys: TicketKeys;
};

/** Demands no certificate, because a joining host has none. The gate checks at every call. */
export function tlsOptions({ own, authorities, ticketKeys }: Shown): TlsOptions {
  return {
    cert: own.certificate,
    key: own.privateKey,
    ca: authorities.trusted.map(({ certificate }) => certificate.toString()),
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: "TLSv1.2",
    // With TLS 1.2 a client could show another certificate on the same connection.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    sessionTimeout: sessionSeconds,
    // Node's default depends on the command line, but sessions must resume at every auth of the cluster.
    sessionIdContext: "svc-auth",
    ticketKeys,
  };
}
