import type { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { providerFailed, refusalOf } from "./provider.ts";

const longestAnswer = 256 * 1024;
/** The library's time grows with the square of these, and anybody may send answers. An answer about 1,900 groups still fits. */
const most = { elements: 2000, attributes: 8000, depth: 32, tagLength: 4096 } as const;

/** Checks a form's SAMLResponse before any parser reads it: refuses XML that no answer needs but attacks use. */
export function refuseUnreadable(answer: string, acs: string): void {
  const xml = decoded(answer);
  if (xml.includes("<!")) throw notTaken("it has a document type, a comment or a CDATA section");
  const elements = elementsIn(xml);
  if (elements.some(({ name }) => /^Encrypted(?:Assertion|ID|Attribute)$/.test(name)))
    throw notTaken("it is encrypted in part: have the provider only sign it");
  for (const { attributes } of elements) {
    for (const [name, value] of attributes)
      if (/(?:^|:)Algorithm$/.test(name) && !algorithms.has(value))
        throw notTaken(`it uses the algorithm ${quote(value, 200)}; have the provider sign with RSA and SHA-256`);
  }
  const [root] = elements;
  if (root?.name !== "Response") throw notTaken("it is no SAML response");
  const destination = new Map(root.attributes).get("Destination");
  if (destination !== undefined && destination !== acs)
    throw notTaken(`its response is for ${quote(destination, 200)}, not for ${quote(acs, 200)}`);
  refuseFailure(elements);
  for (const only of ["Response", "Assertion", "Conditions"]) {
    const count = elements.filter(({ name }) => name === only).length;
    if (count !== 1) throw notTaken(`it has ${count === 0 ? "no" : "more than one"} ${only}`);
  }
}

export function notTaken(why: string): Fault {
  return providerFailed(`the provider's answer is not taken: ${why}`);
}

function decoded(answer: string): string {
  if (answer.length > (longestAnswer * 4) / 3) throw notTaken(`it is longer than ${longestAnswer} bytes`);
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(answer)) throw notTaken("it is not in base64");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(answer, "base64"));
  } catch {
    throw notTaken("it is not text");
  }
}

const algorithms: ReadonlySet<string> = new Set([
  "http://www.w3.org/2001/10/xml-exc-c14n#",
  "http://www.w3.org/2000/09/xmldsig#enveloped-signature",
  "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
  "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
  "http://www.w3.org/2001/04/xmlenc#sha256",
  "http://www.w3.org/2001/04/xmlenc#sha512",
]);

/** `name` comes without the prefix of its namespace. */
type Element = { readonly name: string; readonly attributes: readonly (readonly [name: string, value: string])[] };

const qualified = String.raw`[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?`;
const space = String.raw`[ \t\r\n]`;
const quoted = `(?:"[^"<]*"|'[^'<]*')`;
/** Matches text and then one tag. No text and no attribute has a bare `<`, so a parser finds no other tags. */
const piece = new RegExp(`[^<]*<(/?)(${qualified})((?:${space}+${qualified}${space}*=${space}*${quoted})*)${space}*(/?)>`, "gy");
const attribute = /([\w.:-]+)[ \t\r\n]*=[ \t\r\n]*(?:"([^"]*)"|'([^']*)')/g;

export function elementsIn(xml: string): readonly Element[] {
  const body = xml.replace(/^\s*<\?xml\s[^<>]*\?>/, "").trim();
  if (body.includes("<?")) throw notTaken("it has a processing instruction");
  const found: Element[] = [];
  const open: string[] = [];
  let end = 0;
  let all = 0;
  for (const [whole, closing, tag = "", attributes = "", empty] of body.matchAll(piece)) {
    end += whole.length;
    if (closing === "/") {
      if (open.pop() !== tag || attributes !== "" || empty === "/") throw malformed();
      continue;
    }
    // A document has one root element, and nothing before it.
    if (open.length === 0 && (found.length > 0 || !whole.startsWith("<"))) throw malformed();
    if (attributes.length > most.tagLength) throw notTaken(`it has a tag with more than ${most.tagLength} characters`);
    const entries = [...attributes.matchAll(attribute)].map(([, name = "", one, other]) => [name, one ?? other ?? ""] as const);
    found.push({ name: tag.slice(tag.indexOf(":") + 1), attributes: entries });
    all += entries.length;
    if (found.length > most.elements || all > most.attributes)
      throw notTaken(
        `it has more than ${most.elements} elements or ${most.attributes} attributes: have the provider send fewer groups`,
      );
    if (empty !== "/") open.push(tag);
    if (open.length > most.depth) throw notTaken(`its elements lie more than ${most.depth} deep in each other`);
  }
  if (found.length === 0 || end !== body.length || open.length > 0) throw malformed();
  return found;
}

function malformed(): Fault {
  return notTaken("its XML is not well-formed");
}

/** Refuses the answer if its status is a failure. The status is not signed, so it can refuse a sign-in but never allow one. */
function refuseFailure(elements: readonly Element[]): void {
  const codes = elements
    .filter(({ name }) => name === "StatusCode")
    .map(({ attributes }) => new Map(attributes).get("Value") ?? "")
    .map((code) => code.slice(code.lastIndexOf(":") + 1));
  const [word = ""] = codes;
  if (word === "Success") return;
  const isDenied = codes.some((code) => ["AuthnFailed", "RequestDenied", "NoPassive"].includes(code));
  throw refusalOf(isDenied ? "access_denied" : word === "" ? "without a status" : word, undefined);
}
