import { accepted, refused } from "../../rules/settings/reading.ts";
import { plain, type Form } from "./form.ts";

declare const resourceNameBrand: unique symbol;

/** Goes to terminals, logs and URLs as it is: nothing in it means anything to any of them. */
export type ResourceName = string & { readonly [resourceNameBrand]: true };

const pattern = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}$/;

export function parseResourceName(text: string): ResourceName | undefined {
  return pattern.test(text) ? (text as ResourceName) : undefined;
}

export const nameRule = "letters, digits and . _ @ + -, at most 128, beginning with a letter or digit";

export const resourceName: Form<ResourceName> = plain((raw) => {
  const name = typeof raw === "string" ? parseResourceName(raw) : undefined;
  return name === undefined ? refused(raw) : accepted(name);
}, nameRule);
