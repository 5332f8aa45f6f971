import type { X509Certificate } from "node:crypto";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { isP256 } from "./key.ts";
import { authServerName, parseSubjectUri, type ClusterId, type Subject } from "./names.ts";
import { pinOf, type Pin } from "./pin.ts";

/** The content of a peer's certificate that an authority of the cluster has signed. */
export type Peer = {
  readonly subject: Subject;
  /** In lower-case hex. */
  readonly serial: string;
  readonly key: Pin;
  readonly from: UnixSeconds;
  readonly until: UnixSeconds;
  readonly authority: Pin;
};

export type PeerRefusal =
  /** No authority of this cluster signed it: forged, or of another cluster. */
  | "unknown-authority"
  /** The certificate was made for something else. */
  | "not-an-identity"
  | "other-cluster";

export type PeerReading =
  | { readonly kind: "peer"; readonly peer: Peer }
  | { readonly kind: "refused"; readonly why: PeerRefusal };

/** A trusted authority, parsed once. */
export type Trusted = { readonly pin: Pin; readonly certificate: X509Certificate };

/**
 * Checks the certificate alone and ignores TLS's verdict about the chain, since a resumed session keeps an old one. A caller with only a pin does
 * not know the cluster's id yet: "any" accepts the certificate's.
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

/** Whether this authority signed the certificate directly: an issued certificate issues nothing. */
function hasSigned({ certificate: authority }: Trusted, certificate: X509Certificate): boolean {
  return authority.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

/**
 * The one alternative name; auth's certificate also has its names as a server. The whole text has to be exactly that: node prints names of all types
 * in one line, and no other type or number of them prints as this does.
 */
function subjectOf({ subjectAltName = "" }: X509Certificate): Subject | undefined {
  const [uri = "", ...others] = subjectAltName.split(", ");
  const subject = uri.startsWith("URI:") ? parseSubjectUri(uri.slice("URI:".length)) : undefined;
  if (subject === undefined) return undefined;
  if (subject.kind !== "auth") return others.length === 0 ? subject : undefined;
  const [own, ...hosts] = others;
  return own === `DNS:${authServerName(subject.cluster)}` && hosts.every((host) => hostPattern.test(host)) ? subject : undefined;
}

/** A name of auth's public_addr. */
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

/** Compares the certificate's dates with `now`, which the calling function reads from its own clock. */
export function standingAt({ from, until }: Pick<Peer, "from" | "until">, now: UnixSeconds): Standing {
  if (now < from) return "not-yet";
  return now > until ? "expired" : "valid";
}
