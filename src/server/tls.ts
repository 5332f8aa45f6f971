import { createSecureContext, type SecureContext } from "node:tls";
import type { KeyPair } from "./key-pairs.ts";

export type TlsOptions = {
  readonly key: string;
  readonly cert: string;
  readonly minVersion: "TLSv1.2";
  readonly SNICallback: (name: string, done: (error: Error | null, context?: SecureContext) => void) => void;
};

/** The certificates in force. A reload puts others in, for every connection that comes after it. */
export type Certificates = { pairs: readonly [KeyPair, ...KeyPair[]] };

/** The first certificate is for whoever names no host, or one that no certificate is for. */
export function tlsOptions(certificates: Certificates): TlsOptions {
  const [first] = certificates.pairs;
  const contexts = new WeakMap<KeyPair, SecureContext>();
  const contextOf = (pair: KeyPair): SecureContext => {
    const known = contexts.get(pair);
    if (known !== undefined) return known;
    const context = createSecureContext({ key: pair.key, cert: pair.cert, minVersion: "TLSv1.2" });
    contexts.set(pair, context);
    return context;
  };
  return {
    key: first.key,
    cert: first.cert,
    minVersion: "TLSv1.2",
    SNICallback: (name, done) => {
      const meant = certificates.pairs.find(({ certificate }) => certificate.checkHost(name) !== undefined);
      done(null, contextOf(meant ?? certificates.pairs[0]));
    },
  };
}
