import fc from "fast-check";
import { expect, test } from "vitest";
import { keepingSecrets, withoutSecrets } from "../../../src/cluster/resource/secrets.ts";

const saml = {
  kind: "saml",
  spec: {
    issuer: "https://id.example.com",
    signing_key_pair: { private_key: "-----BEGIN", cert: "c" },
    client_secret: "s",
    attributes_to_roles: [{ name: "groups", value: "secret", roles: ["editor"] }],
  },
};

test("what is secret is left out, wherever it lies, and nothing else", () => {
  expect(withoutSecrets(saml)).toEqual({
    kind: "saml",
    spec: {
      issuer: "https://id.example.com",
      signing_key_pair: { cert: "c" },
      attributes_to_roles: saml.spec.attributes_to_roles,
    },
  });
});

test.each([["client_secret"], ["password"], ["smtp_password"], ["private_key"], ["signing_key"], ["passphrase"]])(
  "%s is secret",
  (name) => {
    expect(withoutSecrets({ [name]: "x", a: 1 })).toEqual({ a: 1 });
  },
);

test("whatever a secret is made of, all of it is left out", () => {
  expect(withoutSecrets({ client_secret: ["a", { b: 1 }], password: { current: "x" }, list: [{ password: "p", a: 1 }] })).toEqual(
    {
      list: [{ a: 1 }],
    },
  );
});

test.each([["secretary"], ["key"], ["public_key"], ["client_id"]])("%s is not secret", (name) => {
  expect(withoutSecrets({ [name]: "x" })).toEqual({ [name]: "x" });
});

test("what was shown without its secrets, is changed and written back keeps them", () => {
  const shown = withoutSecrets(saml) as { spec: object };
  const changed = { ...shown, spec: { ...shown.spec, issuer: "https://other.example.com" } };
  expect(keepingSecrets(changed, saml)).toEqual({ ...saml, spec: { ...saml.spec, issuer: "https://other.example.com" } });
});

test("a new secret takes the place of the old one, and what was not there stays away", () => {
  expect(keepingSecrets({ client_secret: "new" }, { client_secret: "old", password: "p", other: 1 })).toEqual({
    client_secret: "new",
    password: "p",
  });
  expect(keepingSecrets({ constructor: { a: 1 } }, {})).toEqual({ constructor: { a: 1 } });
  expect(keepingSecrets("text", { password: "p" })).toBe("text");
});

test("showing without secrets and writing back is no change", () => {
  const mappings = fc.dictionary(
    fc.constantFrom("a", "client_secret", "password", "b"),
    fc.oneof(fc.string(), fc.dictionary(fc.constantFrom("private_key", "c"), fc.string())),
  );
  fc.assert(
    fc.property(mappings, (one) => {
      expect(keepingSecrets(withoutSecrets(one), one)).toEqual(one);
    }),
  );
});
