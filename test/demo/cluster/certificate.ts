import { randomBytes } from "node:crypto";
import { makeKeyPair } from "../../../src/cluster/identity/key.ts";
import { webKeyPair } from "../../../src/cluster/identity/authority.ts";
import { loadX509, signing } from "../../../src/cluster/identity/x509.ts";

const dayMs = 86_400_000;

/** What a proxy shows to people, signed by itself: whoever is to believe it has to be told so. In PEM. */
export async function certificateFor(address: string): Promise<{ readonly certificate: string; readonly privateKey: string }> {
  const x509 = await loadX509();
  const { privateKey } = await makeKeyPair();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: randomBytes(8).toString("hex").replace(/^./, "1"),
    name: `CN=${address}`,
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + 90 * dayMs),
    signingAlgorithm: signing,
    keys: webKeyPair(privateKey),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.SubjectAlternativeNameExtension([{ type: "ip", value: address }]),
    ],
  });
  return { certificate: `${certificate.toString("pem")}\n`, privateKey };
}
