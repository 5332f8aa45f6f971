import { createHmac } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { saml } from "../../../src/cluster/auth/saml.ts";
import type { Claimed } from "../../../src/cluster/auth/provider.ts";
import { readResource, type ResourceOf } from "../../../src/cluster/resource/resource.ts";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { selfSigned } from "./saml-provider.ts";

/** The part of the signing library that is used here: its own types bring the browser's. */
type SignedXml = new (options: object) => {
  readonly addReference: (reference: object) => void;
  readonly computeSignature: (xml: string, options: object) => void;
  readonly getSignedXml: () => string;
};

const acs = "https://proxy.example.com/v1/webapi/saml/acs";
const issuer = "https://idp.example.com/metadata";
const visit = { state: "a-state", nonce: "a-nonce", verifier: "" };
const id = `_${visit.nonce}`;
const own = selfSigned("rsa:2048");
const other = selfSigned("rsa:2048");
const weak = selfSigned("rsa:1024");

const c14n = "http://www.w3.org/2001/10/xml-exc-c14n#";
const enveloped = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
const sha256 = "http://www.w3.org/2001/04/xmlenc#sha256";
const rsaSha256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
const sha1 = "http://www.w3.org/2000/09/xmldsig#sha1";
const rsaSha1 = "http://www.w3.org/2000/09/xmldsig#rsa-sha1";

let Signer: SignedXml;
beforeAll(async () => {
  // oxlint-disable-next-line no-unnecessary-type-assertion -- leaves the library\'s own types unread
  ({ SignedXml: Signer } = (await import("xml-crypto" as string)) as { SignedXml: SignedXml });
});

const ahead = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

type Written = Partial<
  Record<
    | "name"
    | "format"
    | "audience"
    | "recipient"
    | "answers"
    | "from"
    | "until"
    | "assertionId"
    | "by"
    | "method"
    | "ends"
    | "group",
    string
  >
>;

function assertion(said: Written = {}): string {
  const { name = "anna@example.com", format = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress", group = "ops" } = said;
  const { until = ahead(300), from = ahead(-5), method = "bearer", recipient = acs, answers = id } = said;
  return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${said.assertionId ?? "_assertion"}" Version="2.0" IssueInstant="${ahead(0)}"><saml:Issuer>${said.by ?? issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${format}">${name}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:${method}"><saml:SubjectConfirmationData ${answers === "" ? "" : `InResponseTo="${answers}" `}Recipient="${recipient}"${said.ends === "never" ? "" : ` NotOnOrAfter="${until}"`}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${from}" NotOnOrAfter="${until}"><saml:AudienceRestriction><saml:Audience>${said.audience ?? acs}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${ahead(0)}"/><saml:AttributeStatement><saml:Attribute Name="groups"><saml:AttributeValue>${group}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion>`;
}

function response(inner: string, { answers = id, status = "Success" } = {}): string {
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_response" Version="2.0" IssueInstant="${ahead(0)}" Destination="${acs}"${answers === "" ? "" : ` InResponseTo="${answers}"`}><saml:Issuer>${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status>${inner}</samlp:Response>`;
}

type Signing = {
  readonly of?: "Assertion" | "Response";
  readonly key?: string;
  readonly cert?: string;
  readonly algorithm?: string;
  readonly digest?: string;
  readonly transforms?: readonly string[];
};

function signed(xml: string, { of = "Assertion", key = own.key, cert, algorithm, digest, transforms }: Signing = {}): string {
  const signer = new Signer({
    privateKey: key,
    publicCert: cert,
    signatureAlgorithm: algorithm ?? rsaSha256,
    canonicalizationAlgorithm: c14n,
  });
  const xpath = `//*[local-name(.)='${of}']`;
  signer.addReference({ xpath, transforms: transforms ?? [enveloped, c14n], digestAlgorithm: digest ?? sha256 });
  signer.computeSignature(xml, { location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: "after" } });
  return signer.getSignedXml();
}

const right = (said: Written = {}): string => signed(response(assertion(said)));
const doubled = (one: string): string => one + one;
/** Signed after something in the assertion was replaced. */
const edited = (from: RegExp, to: string | typeof doubled): string =>
  signed(response(assertion().replace(from, to as typeof doubled)));
const signedBy = (signing: Signing): string => signed(response(assertion()), signing);
/** Of somebody else, and unsigned. */
const evil = (assertionId = "_evil"): string => assertion({ name: "root@example.com", assertionId });
const assertionIn = (xml: string): string => /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)?.[0] ?? "";
const signatureIn = (xml: string): string => /<Signature .*?<\/Signature>/s.exec(xml)?.[0] ?? "";
/** Puts the signature behind the first issuer of an element. */
const withSignature = (xml: string, signature: string): string => xml.replace("</saml:Issuer>", `</saml:Issuer>${signature}`);

async function end(form: Record<string, string> | URLSearchParams | string, changes: object = {}): Promise<Claimed> {
  const spec = {
    acs,
    issuer,
    sso: "https://idp.example.com/sso",
    cert: own.cert,
    attributes_to_roles: [{ name: "groups", value: "ops", roles: ["editor"] }],
    ...changes,
  };
  const read = readResource({ kind: "saml", version: "v2", metadata: { name: "idp" }, spec });
  if (read.kind !== "value") throw new Error(JSON.stringify(read.refusals));
  const fields = typeof form === "string" ? { SAMLResponse: Buffer.from(form).toString("base64"), RelayState: "a-state" } : form;
  const ports = { ways: { routeOf: () => ({ kind: "direct" }) as never, trust: () => undefined }, log: () => undefined };
  return saml.end((read.value as ResourceOf<"saml">).spec, ports, { query: new URLSearchParams(fields).toString(), visit });
}

test("what the provider signed is taken", async () => {
  const claimed = await end(right());
  expect(claimed).toMatchObject({
    issuer,
    subject: '["anna@example.com","",""]',
    name: { kind: "named", name: "anna@example.com" },
    claims: { NameID: "anna@example.com", groups: ["ops"] },
    rows: [{ fits: true }],
  });
  expect(await end(signed(right(), { of: "Response" }))).toMatchObject({ rows: [{ fits: true }] });
});

test("an attribute that is repeated has all its values", async () => {
  const twice = assertion().replace(
    "</saml:Attribute>",
    '</saml:Attribute><saml:Attribute Name="groups"><saml:AttributeValue>dev</saml:AttributeValue></saml:Attribute>',
  );
  expect((await end(signed(response(twice)))).claims).toEqual({ NameID: "anna@example.com", groups: ["ops", "dev"] });
});

const forgeries: Readonly<Record<string, readonly [says: RegExp, forge: () => string]>> = {
  "an answer without a signature": [/Invalid signature/, () => response(assertion())],
  "an answer whose response alone is signed": [/Invalid signature/, () => signedBy({ of: "Response" })],
  "a name changed after the signature": [/Invalid signature/, () => right().replace(">anna@", ">root@")],
  "a group changed after the signature": [/Invalid signature/, () => right({ group: "dev" }).replace(">dev<", ">ops<")],
  "a signature of another key": [/Invalid signature/, () => signedBy({ key: other.key })],
  "a signature of another key, with its certificate in it": [
    /Invalid signature/,
    () =>
      signedBy({ key: other.key }).replace(
        "</Signature>",
        `<KeyInfo><X509Data><X509Certificate>${other.cert.replaceAll(/-----[^-]+-----|\s/g, "")}</X509Certificate></X509Data></KeyInfo></Signature>`,
      ),
  ],
  "a signature of another key, which states its own certificate": [
    /Invalid signature/,
    () => signedBy({ key: other.key, cert: other.cert }),
  ],
  "a signature with a short key": [/Invalid signature/, () => signedBy({ key: weak.key })],
  "an empty signature": [
    /CanonicalizationMethod/,
    () => withSignature(response(assertion()), '<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"/>'),
  ],
  "a signature without a value": [
    /Invalid signature/,
    () => right().replace(/<SignatureValue>.*<\/SignatureValue>/s, "<SignatureValue/>"),
  ],
  "a signature without a reference": [/Invalid signature|reference/i, () => right().replace(/<Reference .*<\/Reference>/s, "")],
  "a signature with two references": [
    /Invalid signature|too many transforms/,
    () => right().replace(/<Reference .*<\/Reference>/s, doubled),
  ],
  "a reference to the whole document": [/Invalid signature|reference/i, () => right().replace('URI="#_assertion"', 'URI=""')],
  "a reference with a quote in it": [
    /quote|Invalid signature/i,
    () => right().replace('URI="#_assertion"', `URI="#_assertion' or '1'='1"`),
  ],
  "two signatures": [/Too many signatures|Invalid signature/, () => withSignature(right(), signatureIn(right()))],
  "a transform by XPath": [
    /algorithm/,
    () =>
      signed(response(assertion())).replace(
        `Transform Algorithm="${enveloped}"`,
        'Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"',
      ),
  ],
  "a transform by XSLT": [
    /algorithm/,
    () =>
      right().replace(`Transform Algorithm="${enveloped}"`, 'Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"'),
  ],
  "more transforms than SAML has": [
    /too many transforms|Invalid signature/,
    () => signedBy({ transforms: [enveloped, c14n, c14n] }),
  ],
  "a signature with SHA-1": [/algorithm/, () => signedBy({ algorithm: rsaSha1 })],
  "a digest with SHA-1": [/algorithm/, () => signedBy({ digest: sha1 })],
  "a keyed hash with the public key as its secret": [
    /algorithm/,
    () => {
      const xml = right().replace(rsaSha256, "http://www.w3.org/2000/09/xmldsig#hmac-sha1");
      const value = createHmac("sha1", own.cert).update(xml).digest("base64");
      return xml.replace(/<SignatureValue>.*<\/SignatureValue>/s, `<SignatureValue>${value}</SignatureValue>`);
    },
  ],
  "an algorithm in other letters": [/algorithm/, () => right().replace(rsaSha256, rsaSha256.replace("#", "&#35;"))],

  "wrapped: another response around the signed one": [
    /more than one Response/,
    () =>
      response(evil()).replace(
        "</samlp:Response>",
        `<samlp:Extensions>${right().replace("_response", "_inner")}</samlp:Extensions></samlp:Response>`,
      ),
  ],
  "wrapped: the signed response inside the signature of another": [
    /more than one Response/,
    () =>
      withSignature(
        response(evil()),
        signatureIn(right()).replace("</Signature>", `<Object>${right().replace("_response", "_inner")}</Object></Signature>`),
      ),
  ],
  "wrapped: another assertion before the signed one": [
    /more than one Assertion/,
    () => right().replace("<saml:Assertion ", `${evil()}<saml:Assertion `),
  ],
  "wrapped: another assertion behind the signed one": [
    /more than one Assertion/,
    () => right().replace("</samlp:Response>", `${evil()}</samlp:Response>`),
  ],
  "wrapped: the signed assertion inside another": [
    /more than one Assertion/,
    () => response(evil().replace("</saml:Assertion>", `${assertionIn(right())}</saml:Assertion>`)),
  ],
  "wrapped: another assertion with the signature, the signed one inside it": [
    /more than one Assertion/,
    () =>
      response(
        withSignature(
          evil(),
          signatureIn(right()).replace(
            "</Signature>",
            `<Object>${assertionIn(right()).replace(signatureIn(right()), "")}</Object></Signature>`,
          ),
        ),
      ),
  ],
  "wrapped: another assertion of the same ID, the signed one in the extensions": [
    /more than one Assertion/,
    () =>
      response(
        `<samlp:Extensions>${assertionIn(right()).replace(signatureIn(right()), "")}</samlp:Extensions>${withSignature(evil("_assertion"), signatureIn(right()))}`,
      ),
  ],
  "wrapped: another assertion in the extensions of the signed response": [
    /more than one Assertion/,
    () => response(`<samlp:Extensions>${assertionIn(right())}</samlp:Extensions>${evil()}`),
  ],
  "wrapped: the signed assertion as another answer's evidence": [
    /more than one Assertion/,
    () =>
      response(
        evil().replace(
          "<saml:AttributeStatement>",
          `<saml:Advice>${assertionIn(right())}</saml:Advice><saml:AttributeStatement>`,
        ),
      ),
  ],

  "a comment in the name": [
    /comment/,
    () => right({ name: "root@example.com.evil.com" }).replace("example.com.evil", "example.com<!-- -->.evil"),
  ],
  "a comment in a group": [/comment/, () => right({ group: "opsdev" }).replace("opsdev", "ops<!-- -->dev")],
  "a CDATA section": [/CDATA/, () => right().replace("anna@example.com", "<![CDATA[anna@example.com]]>")],
  "a document type": [/document type/, () => `<!DOCTYPE Response [<!ENTITY name "root">]>${right()}`],
  "entities that grow": [/document type/, () => `<!DOCTYPE a [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>${right()}`],
  "a processing instruction": [/processing instruction/, () => right().replace("anna@", "<?x?>anna@")],
  "an ID that is there twice": [
    /more than one element|multiple assertions/,
    () => right().replace("</samlp:Response>", '<samlp:Extensions ID="_assertion"/></samlp:Response>'),
  ],
  "two assertions that are both signed": [
    /more than one Assertion/,
    () => right().replace("</samlp:Response>", `${assertionIn(right({ assertionId: "_second" }))}</samlp:Response>`),
  ],

  "an answer that is over": [/it is over, or not good yet/, () => right({ until: ahead(-120), from: ahead(-300) })],
  "an answer of the future": [/it is over, or not good yet/, () => right({ from: ahead(180), until: ahead(300) })],
  "an answer without an end": [/not a valid date/, () => right({ ends: "never" })],
  "an answer for another audience": [/audience mismatch/, () => right({ audience: "https://other.example.com" })],
  "an answer for two audiences": [
    /more than one AudienceRestriction/,
    () => edited(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, doubled),
  ],
  "an answer for no audience": [
    /no AudienceRestriction/i,
    () => edited(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, ""),
  ],
  "an answer without conditions": [/no Conditions/, () => edited(/<saml:Conditions .*<\/saml:Conditions>/, "")],
  "an answer for another recipient": [/is for https:\/\/other/, () => right({ recipient: "https://other.example.com/acs" })],
  "an answer of another issuer": [/not of the issuer/, () => right({ by: "https://other.example.com" })],
  "an answer to another request": [
    /InResponseTo/,
    () => signed(response(assertion({ answers: "_other" }), { answers: "_other" })),
  ],
  "an answer whose response alone names the request": [/InResponseTo|no request/, () => right({ answers: "_other" })],
  "an answer to no request": [/InResponseTo/, () => signed(response(assertion({ answers: "" }), { answers: "" }))],
  "an assertion to no request": [/no request of this sign-in/, () => right({ answers: "" })],
  "a confirmation of another method": [/method bearer/, () => right({ method: "holder-of-key" })],
  "two confirmations": [
    /more than one SubjectConfirmation/,
    () => edited(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/, doubled),
  ],
  "an answer without a subject": [/no Subject/, () => edited(/<saml:Subject>.*<\/saml:Subject>/, "")],
  "an answer without a name": [/no NameID/, () => edited(/<saml:NameID .*<\/saml:NameID>/, "")],
  "an empty name": [/NameID is empty/, () => right({ name: "" })],
  "a name for one sign-in alone": [/transient/, () => right({ format: "urn:oasis:names:tc:SAML:2.0:nameid-format:transient" })],
  "an answer that does not say that somebody signed in": [/no AuthnStatement/, () => edited(/<saml:AuthnStatement [^>]*>/, "")],
  "an answer without success": [/answers Responder/, () => signed(response(assertion(), { status: "Responder" }))],
  "an answer without a status": [/without a status/, () => right().replace(/<samlp:Status>.*<\/samlp:Status>/, "")],
  "an encrypted assertion": [/encrypted/, () => response("<saml:EncryptedAssertion/>")],
  "no assertion": [/no Assertion/, () => response("")],
  "another message": [/no SAML response/, () => right().replaceAll("samlp:Response", "samlp:LogoutResponse")],
  "no XML": [/not well-formed/, () => "plain text"],
  // Its bytes are drawn by the signature: some look like a mark that is refused first.
  "packed XML": [/not well-formed|it has a/, () => deflateRawSync(right()).toString("latin1")],
  "an answer for another destination": [
    /its response is for https:\/\/other/,
    () => right().replace(`Destination="${acs}"`, 'Destination="https://other.example.com/acs"'),
  ],
  "an encrypted name": [/encrypted in part/, () => signed(response(assertion().replaceAll("saml:NameID", "saml:EncryptedID")))],
  "an encrypted attribute": [/encrypted in part/, () => right({ group: "<saml:EncryptedAttribute/>" })],
  "more elements than any answer has": [/more than 2000 elements/, () => right({ group: "<a/>".repeat(2000) })],
  "more attributes than any answer has": [
    /or 8000 attributes/,
    () => right({ group: `<a ${Array.from({ length: 300 }, (_, at) => `b${at}="c"`).join(" ")}/>`.repeat(30) }),
  ],
  "elements that lie too deep": [/more than 32 deep/, () => right({ group: `${"<a>".repeat(40)}${"</a>".repeat(40)}` })],
  "a tag that is too long": [/more than 4096 characters/, () => right({ group: `<a b="${"c".repeat(5000)}"/>` })],
  "a tag without an end": [/not well-formed/, () => right().replace("</samlp:Response>", "")],
  "tags that end in the wrong order": [/not well-formed/, () => right().replace("</saml:Subject>", "</saml:Conditions>")],
  "an end with an attribute": [/not well-formed/, () => right().replace("</saml:Subject>", '</saml:Subject a="b">')],
  "an attribute without quotes": [/not well-formed/, () => right().replace('Version="2.0"', "Version=2.0")],
  "an attribute with a bracket": [/not well-formed/, () => right().replace('Version="2.0"', 'Version="<"')],
  "two responses": [/not well-formed/, () => `${right()}${right()}`],
  "a second root": [/not well-formed/, () => `${right()}<a/>`],
  "something before the response": [/not well-formed/, () => `text${right()}`],
  "something behind the response": [/not well-formed/, () => `${right()}text`],
  "much too much": [/longer than/, () => `${right()}${" ".repeat(300_000)}`],
};

test.each(Object.entries(forgeries))("%s gets nobody in", async (_what, [says, forge]) => {
  const thrown: unknown = await end(forge()).then(
    (claimed) => claimed,
    (fault: unknown) => fault,
  );
  expect(thrown).toBeInstanceOf(Fault);
  const { code, message } = thrown as Fault;
  expect(code).toMatch(/^(?:provider-failed|sign-in-refused)$/);
  expect(message).toMatch(says);
});

test("a form that is no answer gets nobody in", async () => {
  await expect(end({ RelayState: "a-state" })).rejects.toThrow(/no SAMLResponse, or several/);
  const twice = `${new URLSearchParams({ SAMLResponse: Buffer.from(right()).toString("base64") }).toString()}&SAMLResponse=PHg+`;
  await expect(end(new URLSearchParams(twice))).rejects.toThrow(/no SAMLResponse, or several/);
  await expect(end({ SAMLResponse: "<xml>", RelayState: "a-state" })).rejects.toThrow(/base64/);
  await expect(end({ SAMLResponse: Buffer.from([0xff, 0xfe]).toString("base64") })).rejects.toThrow(/not text/);
});

test("a person who cancels at the provider is told so", async () => {
  const denied = response("", { status: "Responder" }).replace(
    "/></samlp:Status>",
    '><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:AuthnFailed"/></samlp:StatusCode></samlp:Status>',
  );
  await expect(end(denied)).rejects.toThrow(/cancelled, or the provider does not let this person in/);
});

test("the file may name another audience", async () => {
  const audience = "urn:svc:cluster";
  expect(await end(right({ audience }), { audience })).toMatchObject({ subject: expect.stringContaining("anna") });
});
