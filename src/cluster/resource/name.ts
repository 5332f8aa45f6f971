import { matching, named, parsed, type Shape } from "../../rules/shape/shape.ts";

declare const resourceNameBrand: unique symbol;

/** A resource's name. Terminals, logs and URLs show it unchanged, because no character in it is special to them. */
export type ResourceName = string & { readonly [resourceNameBrand]: true };

const pattern = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}$/;

export function parseResourceName(text: string): ResourceName | undefined {
  return pattern.test(text) ? (text as ResourceName) : undefined;
}

export const nameRule = "letters, digits and . _ @ + -, at most 128, beginning with a letter or digit";

export const resourceName: Shape<ResourceName> = parsed(parseResourceName, nameRule);

/** Where a session came from: KIND/NAME of a connector, whose name may have up to 128 letters. Empty for a password. */
export const connectorPath: Shape<string> = matching(
  /^(?:[a-z]{1,16}\/[\w.@+-]{1,128})?$/,
  "KIND/NAME of a connector, or nothing",
);

/** A text that terminals and logs show unchanged, so it allows only harmless characters. */
export const plainText: Shape<string> = matching(
  /^[\w.@:/ +~-]{0,128}$/,
  "at most 128 letters, digits, blanks and . _ @ : / + ~ -",
);

const labelName = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

/** Limited, because every list of hosts shows them. */
const mostLabels = 64;

export const labels: Shape<Readonly<Record<string, string>>> = named(plainText, {
  isName: (name) => labelName.test(name),
  name: "letters, digits and . _ -, at most 63, without host/",
  most: mostLabels,
});
