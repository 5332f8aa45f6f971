import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Pair } from "../../machine/network/fixture/authority.ts";
import { startHttps } from "./https-server.ts";

/** The part of the library that is used here: its own types bring the browser's. */
type Samlify = {
  readonly setSchemaValidator: (validator: { readonly validate: () => Promise<string> }) => void;
  readonly IdentityProvider: (options: object) => Idp;
  readonly ServiceProvider: (options: object) => object;
  readonly SamlLib: { readonly replaceTagsByValue: (template: string, values: Readonly<Record<string, unknown>>) => string };
};
type Idp = {
  readonly getMetadata: () => string;
  readonly parseLoginRequest: (
    sp: object,
    binding: string,
    request: { readonly query: Readonly<Record<string, string>> },
  ) => Promise<{ readonly extract: { readonly request: { readonly id: string; readonly assertionConsumerServiceUrl: string } } }>;
  readonly createLoginResponse: (
    sp: object,
    request: object,
    binding: "post",
    user: object,
    tags: (template: string) => { readonly id: string; readonly context: string },
  ) => Promise<{ readonly context: string }>;
};

export type SamlProvider = AsyncDisposable & {
  readonly origin: string;
  readonly entityId: string;
  /** Of its pages. */
  readonly pageCertificate: string;
  /** It signs with this one. */
  readonly certificate: string;
  readonly privateKey: string;
  readonly metadata: string;
  readonly caFile: string;
  /** By login: the groups that it sends. The password of each is `right`. */
  readonly people: Map<string, readonly string[]>;
};

const form = `<form method="post"><input name="login"><input name="password" type="password"><button>Sign in</button></form>`;
const bindings = "urn:oasis:names:tc:SAML:2.0:bindings";

/** A certificate and its key, as identity providers sign with. */
export function selfSigned(kind: string): Pair {
  const directory = mkdtempSync(join(tmpdir(), "signing-"));
  try {
    const [cert, key] = [join(directory, "cert"), join(directory, "key")];
    const made = ["-newkey", kind, "-nodes", "-keyout", key, "-out", cert, "-days", "3650", "-subj", "/CN=signing"];
    const curve = kind === "ec" ? ["-pkeyopt", "ec_paramgen_curve:P-256"] : [];
    execFileSync("openssl", ["req", "-x509", ...made, ...curve], { stdio: "pipe" });
    return { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A real identity provider behind a page that asks for a password. */
export async function startSamlProvider(acs: string, host = "localhost"): Promise<SamlProvider> {
  // oxlint-disable-next-line no-unnecessary-type-assertion -- leaves the library\'s own types unread
  const samlify = (await import("samlify" as string)) as Samlify;
  samlify.setSchemaValidator({ validate: () => Promise.resolve("not validated") });
  const signing = selfSigned("rsa:2048");
  const people = new Map<string, readonly string[]>();
  const names = { authority: "authority of the identity provider", name: "idp", altName: `DNS:${host}` };
  const { authority, cert, port, stop } = await startHttps(names, answer);
  const origin = `https://${host}:${port}`;
  const entityId = `${origin}/metadata`;
  const idp = samlify.IdentityProvider({
    entityID: entityId,
    privateKey: signing.key,
    signingCert: signing.cert,
    isAssertionEncrypted: false,
    nameIDFormat: ["urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"],
    singleSignOnService: [{ Binding: `${bindings}:HTTP-Redirect`, Location: `${origin}/sso?tenant=1` }],
  });
  const sp = samlify.ServiceProvider({
    entityID: acs,
    wantAssertionsSigned: true,
    assertionConsumerService: [{ Binding: `${bindings}:HTTP-POST`, Location: acs }],
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", origin);
    if (url.pathname === "/metadata") {
      response.writeHead(200, { "content-type": "application/samlmetadata+xml" }).end(idp.getMetadata());
      return;
    }
    const page = (shown: string): void => void response.writeHead(200, { "content-type": "text/html" }).end(shown);
    if (request.method !== "POST") return page(form);
    const typed = new URLSearchParams(await text(request));
    const login = typed.get("login") ?? "";
    const groups = people.get(login);
    if (groups === undefined || typed.get("password") !== "right") return page(`<p>That is not right.</p>${form}`);
    const query = { SAMLRequest: url.searchParams.get("SAMLRequest") ?? "" };
    const { extract } = await idp.parseLoginRequest(sp, "redirect", { query });
    const { context } = await idp.createLoginResponse(sp, { extract }, "post", { email: login }, (template) => {
      const now = new Date();
      const soon = new Date(now.getTime() + 300_000).toISOString();
      const values = groups.map((group) => `<saml:AttributeValue>${group}</saml:AttributeValue>`).join("");
      const tags = {
        ID: "_response",
        AssertionID: "_assertion",
        Destination: acs,
        Audience: acs,
        EntityID: acs,
        SubjectRecipient: acs,
        AssertionConsumerServiceURL: acs,
        Issuer: entityId,
        IssueInstant: now.toISOString(),
        ConditionsNotBefore: now.toISOString(),
        ConditionsNotOnOrAfter: soon,
        SubjectConfirmationDataNotOnOrAfter: soon,
        NameIDFormat: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
        NameID: login,
        InResponseTo: extract.request.id,
        StatusCode: "urn:oasis:names:tc:SAML:2.0:status:Success",
      };
      const statements = `<saml:AuthnStatement AuthnInstant="${now.toISOString()}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement><saml:Attribute Name="groups">${values}</saml:Attribute></saml:AttributeStatement>`;
      const filled = samlify.SamlLib.replaceTagsByValue(template, tags);
      return {
        id: "_response",
        context: filled.replace("{AuthnStatement}", statements).replace(/\{AttributeStatement\}/, ""),
      };
    });
    const relay = url.searchParams.get("RelayState") ?? "";
    page(
      `<form method="post" action="${acs}"><input type="hidden" name="SAMLResponse" value="${context}"><input type="hidden" name="RelayState" value="${relay}"><button>Continue</button></form>`,
    );
  }

  return {
    origin,
    entityId,
    pageCertificate: cert,
    certificate: signing.cert,
    privateKey: signing.key,
    metadata: idp.getMetadata(),
    caFile: authority.file,
    people,
    [Symbol.asyncDispose]: stop,
  };
}
