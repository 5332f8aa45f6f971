import { Fault } from "../../rules/fault/fault.ts";
import { isMapping, type Mapping } from "../../rules/shape/reading.ts";
import { quote } from "../../rules/text/quote.ts";
import { printInstant } from "../../rules/window/instant.ts";
import { isSamlCallback } from "../resource/connector.ts";
import { few, rowsForAttributes, tellMissing } from "../resource/map-claims.ts";
import { parseResourceName } from "../resource/name.ts";
import type { ResourceOf } from "../resource/resource.ts";
import {
  newVisit,
  providerFailed,
  type Claimed,
  type Provider,
  type ProviderPorts,
  type Returned,
  type Visit,
} from "./provider.ts";
import { notTaken, refuseUnreadable } from "./saml-answer.ts";
import { samlProvider, type SamlProvider } from "./saml-metadata.ts";

type SamlSpec = ResourceOf<"saml">["spec"];

/** SAML 2.0: a redirect carries the request, and a form carries the answer. Reads only a signed assertion. */
export const saml: Provider<SamlSpec> = {
  isCallback: isSamlCallback,
  state: "RelayState",
  begin: async (spec, ports) => {
    const visit = newVisit(ports);
    const client = await clientFor(spec, await samlProvider(spec, ports), visit);
    try {
      return { url: await client.getAuthorizeUrlAsync(visit.state, undefined, {}), visit };
    } catch (thrown) {
      throw providerFailed("the request cannot be signed with the private_key of signing_key_pair", thrown);
    }
  },
  end: async (spec, ports, returned) => claimedBy(spec, ports, returned),
};

const skewMs = 60_000;

/** The ID of our request. The answer has to name it. */
function requestIdOf({ nonce }: Visit): string {
  return `_${nonce}`;
}

function audienceOf({ audience, acs }: SamlSpec): string {
  return audience ?? acs;
}

/** The part of the library that we use. Its own types need the browser's, which contradict Node's. */
type Library = { readonly SAML: new (options: object) => Client };
type Client = {
  readonly getAuthorizeUrlAsync: (relayState: string, host: undefined, options: object) => Promise<string>;
  readonly validatePostResponseAsync: (form: { readonly SAMLResponse: string }) => Promise<{
    readonly profile: { readonly getAssertion: () => unknown } | null;
  }>;
};

async function clientFor(spec: SamlSpec, idp: SamlProvider, visit: Visit): Promise<Client> {
  // Loaded only if somebody signs in by SAML.
  // oxlint-disable-next-line no-unnecessary-type-assertion -- leaves the library\'s own types unread
  const { SAML } = (await import("@node-saml/node-saml" as string)) as Library;
  const id = requestIdOf(visit);
  const begun = new Date().toISOString();
  return new SAML({
    callbackUrl: spec.acs,
    entryPoint: idp.sso,
    issuer: spec.service_provider_issuer ?? spec.acs,
    idpCert: [...idp.certificates],
    idpIssuer: idp.issuer,
    audience: audienceOf(spec),
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: skewMs,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    signatureAlgorithm: "sha256",
    digestAlgorithm: "sha256",
    ...(spec.signing_key_pair?.private_key === undefined ? {} : { privateKey: spec.signing_key_pair.private_key }),
    generateUniqueId: () => id,
    validateInResponseTo: "always",
    cacheProvider: {
      saveAsync: () => Promise.resolve(null),
      getAsync: (key: string) => Promise.resolve(key === id ? begun : null),
      removeAsync: () => Promise.resolve(null),
    },
  });
}

async function claimedBy(spec: SamlSpec, ports: ProviderPorts, { query, visit }: Returned): Promise<Claimed> {
  const [answer, ...others] = new URLSearchParams(query).getAll("SAMLResponse");
  if (answer === undefined || others.length > 0) throw notTaken("the form has no SAMLResponse, or several");
  refuseUnreadable(answer, spec.acs);
  const idp = await samlProvider(spec, ports);
  const client = await clientFor(spec, idp, visit);
  let assertion: Mapping;
  try {
    const { profile } = await client.validatePostResponseAsync({ SAMLResponse: answer });
    assertion = onlyIn(profile?.getAssertion(), "Assertion");
  } catch (thrown) {
    if (thrown instanceof Fault) throw thrown;
    if (thrown instanceof Error && /No valid subject confirmation|expired|not yet valid/.test(thrown.message)) throw untimely();
    throw providerFailed("the provider's answer is not taken", thrown);
  }
  const nameId = confirmed(assertion, { spec, issuer: idp.issuer, requestId: requestIdOf(visit) });
  const subject = textOf(nameId);
  const attributes = attributesIn(assertion);
  const claims = { NameID: subject, ...attributes };
  const rows = rowsForAttributes(spec, attributes);
  const name = parseResourceName(subject);
  const { NameQualifier: qualifier = "", SPNameQualifier: ofService = "" } = attributesOf(nameId);
  return {
    issuer: idp.issuer,
    subject: JSON.stringify([subject, qualifier, ofService]),
    name:
      name === undefined
        ? {
            kind: "refused",
            why: `the NameID ${quote(subject)} cannot be a user's name here`,
            hint: "have the identity provider send a plain name or an e-mail address as NameID",
          }
        : { kind: "named", name },
    claims,
    rows,
    missing: {
      why: tellMissing(rows, attributes, "attributes_to_roles"),
      hint: `the provider sent ${few(Object.keys(claims).map((key) => quote(key))).join(", ")}: have its administrator send one that a row asks for, or the cluster's add a row to attributes_to_roles`,
    },
  };
}

type Expected = { readonly spec: SamlSpec; readonly issuer: string; readonly requestId: string };

/** Makes the checks that the library leaves out: the signed assertion has each of these exactly once. Returns the NameID. */
function confirmed(assertion: Mapping, { spec, issuer, requestId }: Expected): unknown {
  if (textOf(only(assertion, "Issuer")) !== issuer) throw notTaken(`its assertion is not of the issuer ${quote(issuer, 200)}`);
  const subject = only(assertion, "Subject");
  const nameId = only(subject, "NameID");
  const { Format: format = "" } = attributesOf(nameId);
  if (textOf(nameId) === "") throw notTaken("its NameID is empty");
  if (format.endsWith(":transient"))
    throw notTaken("its NameID is transient and names nobody twice: have the provider send a lasting one");
  const confirmation = only(subject, "SubjectConfirmation");
  if (attributesOf(confirmation)["Method"] !== "urn:oasis:names:tc:SAML:2.0:cm:bearer")
    throw notTaken("its SubjectConfirmation is not of the method bearer");
  const { Recipient: recipient = "", InResponseTo: answered } = attributesOf(only(confirmation, "SubjectConfirmationData"));
  if (recipient !== spec.acs) throw notTaken(`its assertion is for ${quote(recipient, 200)}, not for ${quote(spec.acs, 200)}`);
  if (answered !== requestId) throw notTaken("its assertion answers no request of this sign-in");
  only(only(only(assertion, "Conditions"), "AudienceRestriction"), "Audience");
  only(assertion, "AuthnStatement");
  return nameId;
}

/** The only element of that name. The library's parser returns a list for each name. */
function only(within: unknown, name: string): unknown {
  const found = isMapping(within) ? within[name] : undefined;
  const [one, ...others] = Array.isArray(found) ? (found as readonly unknown[]) : [];
  if (one === undefined || others.length > 0) throw notTaken(`it has ${one === undefined ? "no" : "more than one"} ${name}`);
  return one;
}

function onlyIn(parsed: unknown, name: string): Mapping {
  const found = isMapping(parsed) ? parsed[name] : undefined;
  if (!isMapping(found)) throw notTaken(`it has no ${name}`);
  return found;
}

function textOf(element: unknown): string {
  const text = isMapping(element) ? element["_"] : element;
  return typeof text === "string" ? text.trim() : "";
}

function attributesOf(element: unknown): Readonly<Record<string, string>> {
  const found = isMapping(element) ? element["$"] : undefined;
  return isMapping(found) ? (found as Readonly<Record<string, string>>) : {};
}

/** Some providers repeat an attribute for each of its values. */
function attributesIn(assertion: Mapping): Mapping {
  const found = new Map<string, string[]>();
  for (const statement of listIn(assertion, "AttributeStatement"))
    for (const attribute of listIn(statement, "Attribute")) {
      const { Name: name = "" } = attributesOf(attribute);
      const values = listIn(attribute, "AttributeValue").map(textOf);
      found.set(name, [...(found.get(name) ?? []), ...values]);
    }
  return Object.fromEntries(found);
}

function listIn(within: unknown, name: string): readonly unknown[] {
  const found = isMapping(within) ? within[name] : undefined;
  return Array.isArray(found) ? found : [];
}

function untimely(): Fault {
  const now = printInstant(Math.floor(Date.now() / 1000));
  return notTaken(`it is over, or not good yet, by auth's clock, which says ${now}; does the provider's clock agree?`);
}
