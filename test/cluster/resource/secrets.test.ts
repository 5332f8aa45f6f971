import fc from "fast-check";
import { expect, test } from "vitest";
import { keepingSecrets, redirectsSecret, withoutSecrets } from "../../../src/cluster/resource/secrets.ts";

const saml = {
  kind: "saml",
  metadata: { name: "ours" },
  spec: {
    issuer: "https://id.example.com",
    signing_key_pair: { private_key: "-----BEGIN", cert: "c" },
    client_secret: "s",
    attributes_to_roles: [{ name: "groups", value: "secret", roles: ["editor"] }],
  },
};

function of(spec: object): { readonly kind: string; readonly spec: object } {
  return { kind: "oidc", spec };
}

test("what is secret is left out, wherever it lies, and nothing else", () => {
  const { issuer, attributes_to_roles } = saml.spec;
  const spec = { issuer, signing_key_pair: { cert: "c" }, attributes_to_roles };
  expect(withoutSecrets(saml)).toEqual({ ...saml, spec });
});

test.each([
  ["client_secret"],
  ["clientSecret"],
  ["api_key"],
  ["smtp_password"],
  ["PRIVATE-KEY"],
  ["google_service_account"],
  ["notes"],
])("%s is secret: no key of a connector is shown that is not known", (name) => {
  expect(withoutSecrets(of({ [name]: "x", client_id: "c" }))).toEqual(of({ client_id: "c" }));
  expect(withoutSecrets(of({ signing_key_pair: { [name]: ["x"], cert: "c" } }))).toEqual(of({ signing_key_pair: { cert: "c" } }));
  expect(withoutSecrets(of({ scope: ["openid", { [name]: "x" }] }))).toEqual(of({}));
});

test("of what is no connector nothing is secret", () => {
  const later = { kind: "role", metadata: { name: "a" }, spec: { allow: {}, password: "of a later release" } };
  expect(withoutSecrets(later)).toEqual(later);
  expect(keepingSecrets({ kind: "role" }, later)).toEqual({ kind: "role" });
});

test("what was shown without its secrets, is changed and written back keeps them", () => {
  const shown = withoutSecrets(saml) as typeof saml;
  const changed = { ...shown, spec: { ...shown.spec, issuer: "https://other.example.com" } };
  expect(keepingSecrets(changed, saml)).toEqual({ ...saml, spec: { ...saml.spec, issuer: "https://other.example.com" } });
});

test("a new secret takes the place of the old one, null takes it away, and what was not there stays away", () => {
  const stored = of({ client_secret: "old", apiKey: "k", token: "t", display: "d" });
  expect(keepingSecrets(of({ client_secret: "new", apiKey: null }), stored)).toEqual(
    of({ client_secret: "new", apiKey: null, token: "t" }),
  );
  expect(keepingSecrets(of({ constructor: { a: 1 } }), of({}))).toEqual(of({ constructor: { a: 1 } }));
  expect(keepingSecrets("text", stored)).toBe("text");
});

test("showing without secrets and writing back is no change", () => {
  const scalar = fc.oneof(fc.string(), fc.constant(null));
  const names = fc.constantFrom("a", "client_secret", "scope", "cert", "signing_key_pair", "claims_to_roles");
  const nested = fc.oneof(scalar, fc.dictionary(names, scalar), fc.array(fc.dictionary(names, scalar)));
  fc.assert(
    fc.property(fc.dictionary(names, nested), (spec) => {
      expect(keepingSecrets(withoutSecrets(of(spec)), of(spec))).toEqual(of(spec));
    }),
  );
});

test.each([
  ["the same issuer", of({ issuer_url: "a" }), of({ issuer_url: "a", client_secret: "s" }), undefined],
  ["another issuer", of({ issuer_url: "b" }), of({ issuer_url: "a", client_secret: "s" }), "issuer_url"],
  ["no address any more", of({}), of({ api_endpoint_url: "a", client_secret: "s" }), "api_endpoint_url"],
  [
    "another issuer, with its secret",
    of({ issuer_url: "b", client_secret: "t" }),
    of({ issuer_url: "a", client_secret: "s" }),
    undefined,
  ],
  ["another issuer where nothing is secret", of({ issuer_url: "b" }), of({ issuer_url: "a" }), undefined],
  [
    "another kind of resource",
    { kind: "role", spec: {} },
    { kind: "role", spec: { issuer_url: "a", client_secret: "s" } },
    undefined,
  ],
  ["what is no resource", "text", of({ issuer_url: "a", client_secret: "s" }), "issuer_url"],
  ["a spec that is no mapping", { kind: "oidc", spec: 7 }, of({ issuer_url: "a", client_secret: "s" }), "issuer_url"],
])("a stored secret that would go to another address is found: %s", (_what, written, stored, destination) => {
  expect(redirectsSecret(written, stored)).toBe(destination);
});
