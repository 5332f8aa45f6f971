import type { X509Certificate } from "node:crypto";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { isP256 } from "./key.ts";
import { authServerName, parseSubjectUri, type ClusterId, type Subject } from "./names.ts";
import { pinOf, type Pin } from "./pin.ts";

/** What a certificate that the cluster has signed says about its owner. */
export type Peer = {
  readonly subject: Subject;
  /** The serial number in lower-case hex. */
  readonly serial: string;
  readonly key: Pin;
  readonly from: UnixSeconds;
  readonly until: UnixSeconds;
  readonly authority: Pin;
};

export type PeerRefusal =
  /** No authority of this cluster signed it. It is forged, or another cluster's. */
  | "unknown-authority"
  /** The certificate was made for another purpose. */
  | "not-an-identity"
  | "other-cluster";

export type PeerReading =
  | { readonly kind: "peer"; readonly peer: Peer }
  | { readonly kind: "refused"; readonly why: PeerRefusal };

/** A trusted authority, parsed once. */
export type Trusted = { readonly pin: Pin; readonly certificate: X509Certificate };

/**
 * Checks the certificate itself, and ignores TLS's verdict about the chain, because a resumed session keeps an old verdict. "any": the caller knows
 * only a pin and no cluster id, and accepts the certificate's.
 */
export function readPeer(certificate: X509Certificate, authorities: readonly Trusted[], cluster: ClusterId | "any"): PeerReading {
  const authority = authorities.find((one) => hasSigned(one, certificate));
  if (authority === undefined) return { kind: "refused", why: "unknown-authority" };
  const subject = subjectOf(certificate);
  if (certificate.ca || subject === undefined || !isP256(certificate.publicKey))
    return { kind: "refused", why: "not-an-identity" };
  if (cluster !== "any" && subject.cluster !== cluster) return { kind: "refused", why: "other-cluster" };
  return { kind: "peer", peer: told(certificate, { subject, authority: authority.pin }) };
}

/** Whether this authority itself signed the certificate. No certificate in between counts, because an issued one may issue nothing. */
function hasSigned({ certificate: authority }: Trusted, certificate: X509Certificate): boolean {
  return authority.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

/**
 * The owner in a certificate's alternative name. Only auth's certificate may have further names, those of its server. The whole text must match: node
 * prints names of all types in one line, and no other types or number of names print like this.
 */
function subjectOf({ subjectAltName = "" }: X509Certificate): Subject | undefined {
  const [uri = "", ...others] = subjectAltName.split(", ");
  const subject = uri.startsWith("URI:") ? parseSubjectUri(uri.slice("URI:".length)) : undefined;
  if (subject === undefined) return undefined;
  if (subject.kind !== "auth") return others.length === 0 ? subject : undefined;
  const [own, ...hosts] = others;
  return own === `DNS:${authServerName(subject.cluster)}` && hosts.every((host) => hostPattern.test(host)) ? subject : undefined;
}

/** A host name or address in auth's certificate. */
const hostPattern = /^(?:DNS:[\w.-]+|IP Address:[\da-fA-F.:]+)$/;

function told(certificate: X509Certificate, { subject, authority }: Pick<Peer, "subject" | "authority">): Peer {
  return {
    subject,
    serial: certificate.serialNumber.toLowerCase(),
    key: pinOf(certificate.publicKey),
    from: Math.floor(certificate.validFromDate.getTime() / 1000),
    until: Math.floor(certificate.validToDate.getTime() / 1000),
    authority,
  };
}

export type Standing = "valid" | "not-yet" | "expired";

/** Compares the certificate's dates with `now`, which the caller reads from its own clock. */
export function standingAt({ from, until }: Pick<Peer, "from" | "until">, now: UnixSeconds): Standing {
  if (now < from) return "not-yet";
  return now > until ? "expired" : "valid";
}
