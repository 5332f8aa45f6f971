import { isIP } from "node:net";
import type { PeerCertificate } from "node:tls";

/** The code of a certificate that names no host in a valid way. */
export const namelessCode = "ERR_TLS_CERT_WITHOUT_ALTNAME";

/**
 * Checks that a certificate is a host's, only by its subjectAltName (RFC 9525). Without one, Node looks at the common name, which authorities check
 * less and anybody can fill with a host's name.
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

/** A quoted part is one value, whatever it contains. */
function kindsOf(altName: string): readonly string[] {
  const bare = altName.replaceAll(/"(?:[^"\\]|\\.)*"/g, "");
  return Array.from(bare.matchAll(/(?:^|, )(DNS|IP Address):/g), ([, kind = ""]) => kind);
}

function refused(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
