import { accepted, refusedAs } from "../../rules/shape/reading.ts";
import { allowing, listOf, maybe, oneOf, record, refined, type Shape } from "../../rules/shape/shape.ts";
import { subdomain } from "./fields.ts";

/** How a registry's answer affects a move. */
export type LookupRules = {
  /** "prefer" means that a move does not wait for a registry that does not answer. */
  readonly lookup: "prefer" | "require";
  readonly pin: "digest" | "none";
};

export type RegistrySettings = {
  readonly lookup: LookupRules["lookup"] | "never";
  readonly pin: LookupRules["pin"];
  /** Names of Secrets in the object's namespace. */
  readonly pullSecrets: readonly string[];
  /** Whether to ask a registry on this host without TLS. */
  readonly plainHttp: "never" | "loopback";
};

export const usualRegistry: RegistrySettings = { lookup: "prefer", pin: "none", pullSecrets: [], plainHttp: "never" };

const mostSecrets = 20;

const keys = record({
  lookup: maybe(oneOf(["prefer", "require", "never"])),
  pin: maybe(oneOf(["digest", "none"])),
  pull_secrets: maybe(allowing(`a list of at most ${mostSecrets} names of Secrets`, listOf(subdomain, mostSecrets))),
  plain_http: maybe(oneOf(["never", "loopback"])),
});

export const registry: Shape<RegistrySettings> = refined(
  keys,
  ({ lookup = "prefer", pin = "none", pull_secrets: pullSecrets = [], plain_http: plainHttp = "never" }) => {
    if (pin !== "digest" || lookup !== "never") return accepted({ lookup, pin, pullSecrets, plainHttp });
    return refusedAs([{ at: ".pin", found: '"digest" beside `lookup: never`', allowed: "none: only a registry tells a digest" }]);
  },
);
