import type { X509Certificate } from "node:crypto";
import { Fault } from "../fault/fault.ts";
import { quote } from "../fault/quote.ts";
import { printServer, type Failed, type Seen } from "./hop.ts";
import type { NetworkError } from "./trouble.ts";

/** The server's certificate, or its way of speaking TLS, was refused by us, or ours by it. */
export function explainTls(error: NetworkError, { hop, seen }: Failed): Fault {
  const { words, hint } = certificateTrouble(error, { stores: hop.trust?.stores ?? [], certificate: seen.certificate });
  return new Fault("tls-untrusted", { message: `${printServer(hop.url)} is not trusted: ${words}`, hint, cause: error });
}

export function isTlsFailure(error: NetworkError): boolean {
  const { code } = error;
  return (
    code !== undefined &&
    (code in verdicts || /^(?:ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$|CERT_|CRL_|UNABLE_TO_|INVALID_)/.test(code))
  );
}

type Shown = Pick<Seen, "certificate"> & { readonly stores: readonly string[] };

/** Which certificate, which store, and why, for an https server and for an https proxy alike. */
export function certificateTrouble(error: NetworkError, { stores, certificate }: Shown): { words: string; hint: string } {
  const store = stores.join(" and ");
  const code = error.code ?? "";
  const verdict = verdicts[code];
  if (verdict === undefined) return handshakeTrouble(error);
  const guilty = guiltyOf(code, certificate);
  const shown = guilty === undefined ? "" : `; it shows ${describe(guilty)}`;
  return { words: `${verdict.words}${shown} (${code}; store: ${store})`, hint: verdict.hint };
}

const clockHint = "have the server's certificate renewed, or set this host's clock right if it is wrong (`timedatectl`)";
const authorityHint =
  "if the server's authority is your own, set `ca_file` to its certificate; if not, somebody in between answers for the server";

const verdicts: Readonly<Record<string, { readonly words: string; readonly hint: string }>> = {
  CERT_HAS_EXPIRED: { words: "a certificate has expired", hint: clockHint },
  CERT_NOT_YET_VALID: { words: "a certificate is not valid yet", hint: "set this host's clock right (`timedatectl`)" },
  DEPTH_ZERO_SELF_SIGNED_CERT: { words: "the certificate is signed by itself and not in the store", hint: authorityHint },
  SELF_SIGNED_CERT_IN_CHAIN: { words: "the certificate's authority is not in the store", hint: authorityHint },
  UNABLE_TO_GET_ISSUER_CERT: { words: "the certificate's authority is not in the store", hint: authorityHint },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { words: "the certificate's authority is not in the store", hint: authorityHint },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    words: "the certificate's authority is not in the store, or the server does not send the certificates in between",
    hint: authorityHint,
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    words: "the certificate is for another host",
    hint: "set `endpoint` to a name in the certificate, or have the certificate issued for this name too",
  },
};

/** The certificate to blame: of a chain that ran out, the first that did; otherwise the server's own. */
function guiltyOf(code: string, shown: Seen["certificate"]): X509Certificate | undefined {
  const chain = chainOf(shown);
  if (code !== "CERT_HAS_EXPIRED" && code !== "CERT_NOT_YET_VALID") return chain[0];
  const now = Date.now();
  return chain.find(({ validFromDate, validToDate }) => validFromDate.getTime() > now || validToDate.getTime() < now) ?? chain[0];
}

function chainOf(shown: Seen["certificate"]): readonly X509Certificate[] {
  const { X509Certificate: Certificate } = process.getBuiltinModule("node:crypto");
  const chain: X509Certificate[] = [];
  // Node gives an empty object where the server showed nothing.
  for (let next = shown; next?.raw !== undefined && chain.length < longestChain; next = next.issuerCertificate) {
    chain.push(new Certificate(next.raw));
  }
  return chain;
}

/** A root is its own issuer: without a bound the walk would not end. */
const longestChain = 8;

function describe(certificate: X509Certificate): string {
  const from = certificate.validFromDate.toISOString().slice(0, 10);
  const to = certificate.validToDate.toISOString().slice(0, 10);
  const names = certificate.subjectAltName === undefined ? "" : ` for ${quote(certificate.subjectAltName, longestName)}`;
  return `"${nameOf(certificate.subject)}"${names}, issued by "${nameOf(certificate.issuer)}", valid ${from} to ${to}`;
}

const longestName = 120;

function nameOf(name: string): string {
  return quote(name.replaceAll("\n", ", "), longestName);
}

function handshakeTrouble(error: NetworkError): { readonly words: string; readonly hint: string } {
  const reason = handshakeReason(error);
  if (/wrong version number|packet length too long|http request/.test(reason)) {
    return { words: `it does not speak TLS (${reason})`, hint: "check the port of `endpoint`, and whether it should be http" };
  }
  if (/unsupported protocol|protocol version/.test(reason)) {
    return {
      words: `it offers no TLS of version 1.2 or later (${reason})`,
      hint: "have TLS 1.2 or 1.3 switched on at the server",
    };
  }
  return {
    words: `the TLS handshake failed (${reason})`,
    hint: "look at the handshake with `openssl s_client -connect host:port`",
  };
}

/** OpenSSL's own words: Node gives them a field of their own, or buries them in the message of an EPROTO. */
function handshakeReason(error: NetworkError & { readonly reason?: string }): string {
  const buried = /:SSL routines:[^:]*:([^:]+):/.exec(error.message)?.[1];
  return quote(error.reason ?? buried ?? error.message, longestName);
}
