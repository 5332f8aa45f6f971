import type { X509Certificate } from "node:crypto";
import { quote } from "../../rules/text/quote.ts";
import type { SeenOnWay } from "./hop.ts";

/** The server's certificates: its own first, then each issuer. */
export function chainOf(shown: SeenOnWay["certificate"]): readonly X509Certificate[] {
  const { X509Certificate: Certificate } = process.getBuiltinModule("node:crypto");
  const chain: X509Certificate[] = [];
  // Node gives an empty object if the server showed no certificate.
  for (let next = shown; next?.raw !== undefined && chain.length < longestChain; next = next.issuerCertificate) {
    chain.push(new Certificate(next.raw));
  }
  return chain;
}

/** A root is its own issuer, so without this limit the walk would not end. */
const longestChain = 8;

export function describeCertificate(certificate: X509Certificate): string {
  const from = certificate.validFromDate.toISOString().slice(0, 10);
  const to = certificate.validToDate.toISOString().slice(0, 10);
  const names = certificate.subjectAltName === undefined ? "" : ` for ${quote(certificate.subjectAltName, longestName)}`;
  return `"${nameOf(certificate.subject)}"${names}, issued by "${nameOf(certificate.issuer)}", valid ${from} to ${to}`;
}

const longestName = 120;

function nameOf(name: string): string {
  return quote(name.replaceAll("\n", ", "), longestName);
}
