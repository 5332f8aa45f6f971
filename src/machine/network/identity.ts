import { isIP } from "node:net";
import type { PeerCertificate } from "node:tls";

/** The code of a certificate that names no host in a way that counts. */
export const namelessCode = "ERR_TLS_CERT_WITHOUT_ALTNAME";

/**
 * Whether a certificate is a host's own: by its subjectAltName alone (RFC 9525). Node looks at the common name where there is none, which
 * authorities check less, and which anybody may fill with what looks like a host.
 */
export function checkIdentity(host: string, certificate: PeerCertificate): Error | undefined {
  const kinds = kindsOf(certificate.subjectaltname ?? "");
  if (kinds.length === 0)
    return refused(namelessCode, `the certificate that answers for ${host} has no subjectAltName with a host`);
  if (isIP(host) === 0 && !kinds.includes("DNS")) {
    return refused("ERR_TLS_CERT_ALTNAME_INVALID", `the certificate that answers for ${host} is for addresses alone`);
  }
  return process.getBuiltinModule("node:tls").checkServerIdentity(host, certificate);
}

/** What stands between quotes is one value, whatever it looks like. */
function kindsOf(altName: string): readonly string[] {
  const bare = altName.replaceAll(/"(?:[^"\\]|\\.)*"/g, "");
  return Array.from(bare.matchAll(/(?:^|, )(DNS|IP Address):/g), ([, kind = ""]) => kind);
}

function refused(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
