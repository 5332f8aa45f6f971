import { constants } from "node:crypto";
import { createSecureContext, type SecureContext, type SecureContextOptions } from "node:tls";
import type { KeyPair } from "./key-pairs.ts";

export type TlsOptions = SecureContextOptions & {
  readonly SNICallback: (name: string, done: (error: Error | null, context?: SecureContext) => void) => void;
};

/** All of TLS 1.3, and from TLS 1.2 only authenticated ciphers with forward secrecy. */
const ciphers = [
  "TLS_AES_128_GCM_SHA256",
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
];

/** Forbids renegotiation, by which a client could make the server compute handshakes without end. */
export function contextOptions({ key, cert }: Pick<KeyPair, "key" | "cert">): SecureContextOptions {
  return { key, cert, minVersion: "TLSv1.2", ciphers: ciphers.join(":"), secureOptions: constants.SSL_OP_NO_RENEGOTIATION };
}

/** The certificates in force. A reload replaces them for later connections. */
export type Certificates = { pairs: readonly [KeyPair, ...KeyPair[]] };

/** Clients that name no host, or a host without a certificate, get the first valid certificate. */
export function tlsOptions(certificates: Certificates): TlsOptions {
  const [first] = certificates.pairs;
  const contexts = new WeakMap<KeyPair, SecureContext>();
  const contextOf = (pair: KeyPair): SecureContext => {
    const known = contexts.get(pair);
    if (known !== undefined) return known;
    const context = createSecureContext(contextOptions(pair));
    contexts.set(pair, context);
    return context;
  };
  return {
    ...contextOptions(first),
    SNICallback: (name, done) => {
      const meant = certificates.pairs.find(({ certificate }) => certificate.checkHost(name) !== undefined);
      done(null, contextOf(meant ?? certificates.pairs[0]));
    },
  };
}
