import { createPrivateKey, X509Certificate } from "node:crypto";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { providerFailed, type ProviderPorts } from "./provider.ts";
import { fetchOver } from "./provider-fetch.ts";

/** The identity provider, as a connector or its metadata names it. */
export type SamlProvider = {
  readonly issuer: string;
  /** The URL that the browser is sent to. */
  readonly sso: string;
  /** The provider may sign with any of these keys. */
  readonly certificates: readonly string[];
};

type Described = {
  readonly issuer: string | undefined;
  readonly sso: string | undefined;
  readonly cert: string | undefined;
  readonly entity_descriptor: string | undefined;
  readonly entity_descriptor_url: string | undefined;
};

const metadata = "urn:oasis:names:tc:SAML:2.0:metadata";
const signatures = "http://www.w3.org/2000/09/xmldsig#";
const redirect = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect";
const leastBits = 2048;

/** The connector's own settings win over the metadata. */
export async function samlProvider(spec: Described, ports: ProviderPorts): Promise<SamlProvider> {
  const { issuer, sso, cert, entity_descriptor: xml, entity_descriptor_url: url } = spec;
  const isWhole = issuer !== undefined && sso !== undefined && cert !== undefined;
  const read = isWhole ? { issuer, sso, certificates: [] } : await readMetadata(xml ?? (await fetchMetadata(url ?? "", ports)));
  const given = cert === undefined ? read.certificates : blocksIn(cert);
  requireCertificates(given);
  return { issuer: issuer ?? read.issuer, sso: sso ?? read.sso, certificates: given };
}

function requireCertificates(given: readonly string[]): void {
  if (given.length === 0) throw providerFailed("the connector has no certificate of the identity provider");
  for (const certificate of given) refuseWeak(certificate);
}

type Keyed = Pick<Described, "cert"> & {
  readonly signing_key_pair: { readonly private_key: string | undefined } | undefined;
};

/** What of a connector's own keys would refuse every sign-in. It is told only: connectors from elsewhere are kept as they are. */
export function samlRemarks({
  cert,
  signing_key_pair: { private_key: key } = { private_key: undefined },
}: Keyed): readonly string[] {
  return [
    ...told("cert", () => cert !== undefined && requireCertificates(blocksIn(cert))),
    ...told("signing_key_pair.private_key", () => key !== undefined && createPrivateKey(key)),
  ];
}

function told(what: string, read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (thrown) {
    const why = thrown instanceof Fault ? thrown.message : "it is no private key in PEM";
    return [`${what}: ${why}; nobody can sign in by it yet`];
  }
}

async function fetchMetadata(url: string, { ways }: ProviderPorts): Promise<string> {
  let answer: Response;
  try {
    answer = await fetchOver(ways)(url, { method: "GET", headers: { accept: "application/samlmetadata+xml, application/xml" } });
  } catch (thrown) {
    throw providerFailed(`the metadata at ${quote(url, 200)} cannot be read`, thrown);
  }
  if (!answer.ok) throw providerFailed(`${quote(url, 200)} answers ${answer.status} to a question for its metadata`);
  return await answer.text();
}

/** The part of the library that we use. Its own types need the browser's, which contradict Node's. */
type Dom = {
  readonly DOMParser: new (options: { readonly errorHandler: (level: string, message: string) => void }) => {
    readonly parseFromString: (text: string, type: string) => { readonly documentElement: XmlElement | null };
  };
};
type XmlElement = {
  readonly localName: string | null;
  readonly namespaceURI: string | null;
  readonly textContent: string | null;
  readonly getAttribute: (name: string) => string | null;
  readonly getElementsByTagNameNS: (namespace: string, name: string) => ArrayLike<XmlElement>;
};

async function readMetadata(xml: string): Promise<SamlProvider> {
  if (/<!(?!--)/.test(xml)) throw providerFailed("the identity provider's metadata has a document type, which is not read");
  // oxlint-disable-next-line no-unnecessary-type-assertion -- leaves the library\'s own types unread
  const { DOMParser } = (await import("@xmldom/xmldom" as string)) as Dom;
  const wrong = (why: string): Error => providerFailed(`the identity provider's metadata is not taken: ${why}`);
  const errorHandler = (level: string, message: string): void => {
    if (level !== "warning") throw wrong(quote(message, 200));
  };
  const root = new DOMParser({ errorHandler }).parseFromString(xml, "text/xml").documentElement;
  if (root?.localName !== "EntityDescriptor" || root.namespaceURI !== metadata)
    throw wrong("it is no EntityDescriptor of one provider");
  const [idp] = Array.from(root.getElementsByTagNameNS(metadata, "IDPSSODescriptor"));
  if (idp === undefined) throw wrong("it has no IDPSSODescriptor");
  const services = Array.from(idp.getElementsByTagNameNS(metadata, "SingleSignOnService"));
  const sso = services.find((service) => service.getAttribute("Binding") === redirect)?.getAttribute("Location") ?? "";
  if (URL.parse(sso)?.protocol !== "https:") throw wrong("it has no SingleSignOnService for HTTP-Redirect at https://");
  const keys = Array.from(idp.getElementsByTagNameNS(metadata, "KeyDescriptor"));
  const certificates = keys
    .filter((key) => key.getAttribute("use") !== "encryption")
    .flatMap((key) => Array.from(key.getElementsByTagNameNS(signatures, "X509Certificate")))
    .map(({ textContent }) => inPem(textContent ?? ""));
  return { issuer: root.getAttribute("entityID") ?? "", sso, certificates };
}

function inPem(base64: string): string {
  const lines = base64.replaceAll(/\s/g, "").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

function blocksIn(pem: string): readonly string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}

/** Refuses keys that are too weak. Ignores the certificate's dates: only its key counts, and providers use expired ones for years. */
function refuseWeak(pem: string): void {
  let read: X509Certificate;
  try {
    read = new X509Certificate(pem);
  } catch (thrown) {
    throw providerFailed("a certificate of the identity provider cannot be read", thrown);
  }
  const { asymmetricKeyType: kind, asymmetricKeyDetails: { modulusLength = 0 } = {} } = read.publicKey;
  if (kind === "rsa" && modulusLength >= leastBits) return;
  const found = kind === "rsa" ? `an RSA key of ${modulusLength} bits` : `a key of the kind ${kind}`;
  throw providerFailed(`the identity provider signs with ${found}, and only RSA with at least ${leastBits} bits is taken`);
}
