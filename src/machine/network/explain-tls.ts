import type { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import type { Route } from "../../rules/route/route.ts";
import { caPlace, useCaPlace } from "./ca-place.ts";
import { chainOf, describeCertificate } from "./certificate.ts";
import { printServer, type SeenOnWay } from "./hop.ts";
import { namelessCode } from "./identity.ts";
import type { NetworkError, Trouble } from "./trouble.ts";
import { whereSet } from "./what-to-type.ts";

/** The fault if we refused the server's certificate or TLS, or the server refused ours. */
export function explainTls(error: NetworkError, url: URL, shown: Pick<Peer, "stores" | "certificate">): Fault {
  const address = printServer(url);
  const { words, hint } = certificateTrouble(error, { address, setting: "endpoint", route: {}, ...shown });
  return new Fault("tls-untrusted", { message: `${address} is not trusted: ${words}`, hint, cause: error });
}

export function isTlsFailure(error: NetworkError): boolean {
  const { code } = error;
  return (
    code !== undefined &&
    (code in verdicts || /^(?:ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$|CERT_|CRL_|UNABLE_TO_|INVALID_)/.test(code))
  );
}

/** The TLS peer: its host and port, the setting or variable that names it, and its certificate. */
type Peer = Pick<SeenOnWay, "certificate"> & {
  readonly address: string;
  readonly setting: string;
  readonly route: Pick<Route, "setIn">;
  readonly stores: readonly string[];
};

/** Names the certificate, the store and the reason, for https servers and https proxies alike. */
export function certificateTrouble(error: NetworkError, peer: Peer): Trouble {
  const store = peer.stores.join(" and ");
  const code = error.code ?? "";
  const verdict = verdicts[code];
  if (verdict === undefined) return handshakeTrouble(error, peer);
  const guilty = guiltyOf(code, peer.certificate);
  const shown = guilty === undefined ? "" : `; it shows ${describeCertificate(guilty)}`;
  const hint = typeof verdict.hint === "string" ? verdict.hint : verdict.hint(peer);
  return { words: `${verdict.words}${shown} (${code}; store: ${store})`, hint };
}

/** Each host sets its clock differently; doctor's line about the clock says how. */
const clockHint = "set this host's clock right: `sudo svc-upgrade doctor` says how";
const renewalHint = `have the server's certificate renewed; or, if that is what is wrong, ${clockHint}`;
const authorityHint = `if the server's authority is your own, put its certificate into ${caPlace} and type \`${useCaPlace}\`; if not, something in between answers for the server`;

const verdicts: Readonly<Record<string, { readonly words: string; readonly hint: string | ((peer: Peer) => string) }>> = {
  CERT_HAS_EXPIRED: { words: "a certificate has expired", hint: renewalHint },
  CERT_NOT_YET_VALID: { words: "a certificate is not valid yet", hint: clockHint },
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
    hint: ({ setting, route }) =>
      `set \`${setting}\` to a name in the certificate, or have the certificate issued for this name too; ${whereSet(setting, route)}`,
  },
  [namelessCode]: {
    words: "the certificate has no subjectAltName that names a host, and a common name alone is not accepted",
    hint: ({ address }) => {
      const host = address.replace(/:\d+$/, "");
      const kind = isIP(host.replace(/^\[(.*)\]$/, "$1")) === 0 ? "DNS" : "IP";
      return `have the certificate issued again with \`subjectAltName=${kind}:${host}\`; \`openssl s_client -connect ${address} </dev/null | openssl x509 -noout -ext subjectAltName\` shows what it has`;
    },
  },
};

/** Picks the certificate to blame: the first expired one of the chain, otherwise the server's own. */
function guiltyOf(code: string, shown: SeenOnWay["certificate"]): X509Certificate | undefined {
  const chain = chainOf(shown);
  if (code !== "CERT_HAS_EXPIRED" && code !== "CERT_NOT_YET_VALID") return chain[0];
  const now = Date.now();
  return chain.find(({ validFromDate, validToDate }) => validFromDate.getTime() > now || validToDate.getTime() < now) ?? chain[0];
}

function handshakeTrouble(error: NetworkError, { address, setting, route }: Peer): Trouble {
  const reason = handshakeReason(error);
  if (/wrong version number|packet length too long|http request/.test(reason)) {
    return {
      words: `it does not speak TLS (${reason})`,
      hint: `check the port of \`${setting}\`, and whether it should be http; ${whereSet(setting, route)}`,
    };
  }
  if (/unsupported protocol|protocol version/.test(reason)) {
    return {
      words: `it offers no TLS of version 1.2 or later (${reason})`,
      hint: "have TLS 1.2 or 1.3 switched on at the server",
    };
  }
  return {
    words: `the TLS handshake failed (${reason})`,
    hint: `look at the handshake with \`openssl s_client -connect ${address}\``,
  };
}

const longestReason = 120;

/** OpenSSL's own words: Node gives them a field, or buries them in the message of an EPROTO. */
function handshakeReason(error: NetworkError & { readonly reason?: string }): string {
  const buried = /:SSL routines:[^:]*:([^:]+):/.exec(error.message)?.[1];
  return quote(error.reason ?? buried ?? error.message, longestReason);
}
