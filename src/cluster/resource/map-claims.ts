import { quote } from "../../rules/text/quote.ts";
import type { Mapping } from "../../rules/shape/reading.ts";
import { parseResourceName, type ResourceName } from "./name.ts";
import type { ResourceOf } from "./resource.ts";

export type OidcSpec = ResourceOf<"oidc">["spec"];

/** The most values to look at, because a provider may send a whole directory. */
const mostValues = 10_000;
const mostTold = 10;

/** A row of the mapping, and whether it fits. */
export type MappedRow = {
  readonly name: string;
  readonly value: string;
  readonly roles: readonly string[];
  readonly fits: boolean;
};

export function rowsFor({ claims_to_roles: rows }: Pick<OidcSpec, "claims_to_roles">, claims: Mapping): readonly MappedRow[] {
  return rows.map(({ name, claim, value, roles }) => {
    const key = name ?? claim ?? "";
    return { name: key, value, roles, fits: valuesOf(claims, key).includes(value) };
  });
}

/** Maps the attributes of SAML to rows. */
export function rowsForAttributes(
  { attributes_to_roles: rows }: Pick<ResourceOf<"saml">["spec"], "attributes_to_roles">,
  attributes: Mapping,
): readonly MappedRow[] {
  return rowsFor({ claims_to_roles: rows.map((row) => ({ ...row, claim: undefined })) }, attributes);
}

/** The roles in the order of the rows, each once. */
export function rolesFor(rows: readonly MappedRow[]): readonly string[] {
  return [...new Set(rows.filter(({ fits }) => fits).flatMap(({ roles }) => roles))];
}

/** Tells a person who gets no role which values the provider sent, and which ones the rows ask for. */
export function tellMissing(rows: readonly MappedRow[], claims: Mapping, key = "claims_to_roles"): string {
  const names = [...new Set(rows.map(({ name }) => name))];
  const came = names.map((name) => `${quote(name)} is ${tellClaim(claims, name)}`);
  const asked = rows.map(({ name, value }) => `${quote(name)} = "${quote(value)}"`);
  if (rows.length === 0) return `${key} has no row`;
  return `${few(came).join("; ")}; ${key} asks for ${few(asked).join(" or ")}`;
}

export type Naming = Pick<OidcSpec, "username_claim" | "allow_unverified_email">;
export type NamedAs =
  | { readonly kind: "named"; readonly name: ResourceName }
  | { readonly kind: "refused"; readonly why: string; readonly hint: string };

/** The user's name: the value of username_claim, or the e-mail address if the provider has verified it. */
export function nameFrom(
  claims: Mapping,
  { username_claim: claim = "email", allow_unverified_email: anyEmail }: Naming,
): NamedAs {
  const value = claims[claim];
  if (typeof value !== "string" || value === "") {
    return {
      kind: "refused",
      why: `the provider sent no text in the claim ${quote(claim)}, which names the user: it is ${tellClaim(claims, claim)}`,
      hint: `have the provider send it (a scope may be missing), or name another one in username_claim; it sent ${few(Object.keys(claims).map((name) => quote(name))).join(", ")}`,
    };
  }
  if (claim === "email" && !anyEmail && claims["email_verified"] !== true) {
    return {
      kind: "refused",
      why: `the provider does not say that it has verified the address ${quote(value)}: email_verified is ${tellClaim(claims, "email_verified")}`,
      hint: "have it verified there; or set username_claim to another claim, or allow_unverified_email: true if nobody can choose an address there",
    };
  }
  const name = parseResourceName(value);
  if (name !== undefined) return { kind: "named", name };
  return {
    kind: "refused",
    why: `${quote(value)} cannot be a user's name here`,
    hint: "set username_claim to a claim with a plain name or an e-mail address",
  };
}

/** A claim's values as texts, also those that can be written as one. */
function valuesOf(claims: Mapping, name: string): readonly string[] {
  const found: unknown = Object.hasOwn(claims, name) ? claims[name] : undefined;
  const all: readonly unknown[] = Array.isArray(found) ? found.slice(0, mostValues) : [found];
  return all.flatMap((one) =>
    typeof one === "string" || typeof one === "number" || typeof one === "boolean" ? [String(one)] : [],
  );
}

function tellClaim(claims: Mapping, name: string): string {
  const values = valuesOf(claims, name);
  if (values.length > 0) return few(values.map((value) => `"${quote(value)}"`)).join(", ");
  return Object.hasOwn(claims, name) ? "neither a text nor a list of texts" : "missing";
}

export function few(texts: readonly string[]): readonly string[] {
  return texts.length <= mostTold ? texts : [...texts.slice(0, mostTold), `${texts.length - mostTold} more`];
}
