import { optional, readFields, type Field } from "../../rules/settings/read-fields.ts";
import { readOneOf } from "../../rules/settings/read-text.ts";
import { accepted, readEach, refused, refusedAs } from "../../rules/settings/reading.ts";
import { subdomain } from "./fields.ts";

/** What of a registry's answer decides anything. */
export type LookupRules = {
  /** "prefer": a registry that cannot tell holds nothing up. */
  readonly lookup: "prefer" | "require";
  readonly pin: "digest" | "none";
};

export type RegistrySettings = {
  readonly lookup: LookupRules["lookup"] | "never";
  readonly pin: LookupRules["pin"];
  /** Secrets of the object's namespace. */
  readonly pullSecrets: readonly string[];
  /** Whether a registry on this host is asked without TLS. */
  readonly plainHttp: "never" | "loopback";
};

export const usualRegistry: RegistrySettings = { lookup: "prefer", pin: "none", pullSecrets: [], plainHttp: "never" };

type Keys = {
  readonly lookup: RegistrySettings["lookup"] | undefined;
  readonly pin: RegistrySettings["pin"] | undefined;
  readonly pull_secrets: readonly string[] | undefined;
  readonly plain_http: RegistrySettings["plainHttp"] | undefined;
};

const mostSecrets = 20;

const fields: { readonly [Key in keyof Keys]: Field<Keys[Key]> } = {
  lookup: optional({ read: readOneOf(["prefer", "require", "never"]), allowed: "prefer, require or never" }),
  pin: optional({ read: readOneOf(["digest", "none"]), allowed: "digest or none" }),
  pull_secrets: optional({
    read: (raw) => (Array.isArray(raw) && raw.length <= mostSecrets ? readEach(raw, subdomain.read) : refused(raw)),
    allowed: `a list of at most ${mostSecrets} names of Secrets`,
  }),
  plain_http: optional({ read: readOneOf(["never", "loopback"]), allowed: "never or loopback" }),
};

export const registryField: Field<RegistrySettings> = {
  read: (raw) => {
    const reading = readFields<Keys>(raw, fields);
    if (reading.kind === "refused") return reading;
    const { lookup = "prefer", pin = "none", pull_secrets: pullSecrets = [], plain_http: plainHttp = "never" } = reading.value;
    if (pin === "digest" && lookup === "never") {
      return refusedAs([
        { at: ".pin", found: '"digest" beside `lookup: never`', allowed: "none: only a registry tells a digest" },
      ]);
    }
    return accepted({ lookup, pin, pullSecrets, plainHttp });
  },
  allowed: "a mapping of lookup, pin, pull_secrets and plain_http",
};
