import { createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import { recordedClock } from "../../rules/decide/clock-verdict.ts";
import { parseClusterId, parseInstanceId, type InstanceKind } from "../identity/names.ts";
import { readPeer, type Peer, type Trusted } from "../identity/peer.ts";
import { pinOf } from "../identity/pin.ts";
import { parseAddress } from "../../rules/route/host-port.ts";
import { count, listOf, optional, parsed, record, text, truth, words, type Of } from "../../rules/shape/shape.ts";

/** Four times the length of a certificate with P-256. */
const longestPem = 4096;
const longestName = 256;
/** Enough: during a rotation there are two. */
const mostAuthorities = 8;
export const mostAddresses = 8;

const pem = text(longestPem);
const kinds: Readonly<Record<InstanceKind, true>> = { node: true, proxy: true, auth: true };

const address = parsed((found) => (parseAddress(found)?.port === undefined ? undefined : found), "HOST:PORT");

/** An instance's identity as it is stored. All releases of one major can read it, because fields are only added. */
export const storedIdentity = record(
  {
    cluster: record({ name: text(longestName), id: parsed(parseClusterId, "the id of a cluster") }),
    kind: words(kinds),
    instance: parsed(parseInstanceId, "the id of an instance"),
    /** The addresses of auth, tried in order. */
    authServers: listOf(address, mostAddresses),
    certificate: pem,
    privateKey: pem,
    /** The certificates in PEM, one after the other. */
    authorities: text(mostAuthorities * longestPem),
    /** When auth gave the certificate, by this host's clocks. */
    received: recordedClock,
    /** The seconds from `received` until the renewal, as auth said. */
    renewAfterSeconds: count,
    /** The number of certificates that this instance has got. */
    generation: count,
    /** True if the release that joined knows rollouts: the proxy then serves nothing until auth has sent its words. */
    awaitsWords: optional(truth),
  },
  { schema: 1 },
);
export type StoredIdentity = Of<typeof storedIdentity>;

export type AboutItself = { readonly hostname: string; readonly services: readonly string[]; readonly version: string };

/** An identity whose parts were checked to belong together. */
export type Identity = {
  readonly stored: StoredIdentity;
  /** The content of its own certificate. */
  readonly peer: Peer;
  readonly trusted: readonly Trusted[];
};

export type IdentityReading =
  | { readonly kind: "identity"; readonly identity: Identity }
  | { readonly kind: "refused"; readonly why: string };

/** Checks a stored identity, but not its dates, because an expired one is renewed. */
export function checkIdentity(stored: StoredIdentity): IdentityReading {
  if (stored.authServers.length === 0) return refused("it names no auth service");
  const trusted = authoritiesIn(stored.authorities);
  if (trusted === undefined) return refused("its authorities are no certificates");
  const certificate = certificateIn(stored.certificate);
  if (certificate === undefined) return refused("its certificate cannot be read");
  const reading = readPeer(certificate, trusted, stored.cluster.id);
  if (reading.kind === "refused") return refused(`its certificate is ${meanings[reading.why]}`);
  const { peer } = reading;
  if (peer.subject.kind !== stored.kind || peer.subject.id !== stored.instance)
    return refused("its certificate is another instance's");
  if (publicPin(stored.privateKey) !== peer.key) return refused("its key is not the one of its certificate");
  return { kind: "identity", identity: { stored, peer, trusted } };
}

const meanings = {
  "unknown-authority": "not signed by any of its authorities",
  "not-an-identity": "not one of a cluster's instance",
  "other-cluster": "one of another cluster",
} as const;

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\s*/g;

function authoritiesIn(found: string): readonly Trusted[] | undefined {
  const blocks = found.match(block) ?? [];
  if (blocks.length === 0 || blocks.length > mostAuthorities || blocks.join("") !== found.trimStart()) return undefined;
  const read = blocks.map(certificateIn).filter((one) => one !== undefined);
  return read.length < blocks.length
    ? undefined
    : read.map((certificate) => ({ pin: pinOf(certificate.publicKey), certificate }));
}

function certificateIn(found: string): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(found);
    // OpenSSL parses the key only when it is used.
    return certificate.publicKey.type === "public" ? certificate : undefined;
  } catch {
    // OpenSSL throws all kinds of errors for an invalid certificate.
    return undefined;
  }
}

/** The pin of a private key's public half; undefined if the text is no private key. */
export function publicPin(privateKey: string): string | undefined {
  try {
    return pinOf(createPublicKey(createPrivateKey(privateKey)));
  } catch {
    // OpenSSL throws all kinds of errors for an invalid key, and their texts may quote it.
    return undefined;
  }
}

function refused(why: string): IdentityReading {
  return { kind: "refused", why };
}
