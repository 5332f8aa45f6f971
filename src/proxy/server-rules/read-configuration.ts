import { nearest } from "../../rules/text/nearest.ts";
import { readLevel, unknownKey, type Level } from "../../rules/shape/check.ts";
import { describe, isMapping, type Mapping, type Refusal } from "../../rules/shape/reading.ts";
import type { Origin, SettingFault } from "../../rules/settings/settings.ts";
import type { Version } from "../../rules/version/version.ts";
import { assemble, defaultServes } from "./assemble.ts";
import type { Configuration } from "./configuration.ts";
import { authFields, proxyFields, resembling } from "./fields.ts";
import type { Keys } from "../../rules/shape/shape.ts";
import { remarksOn, type ServingProgram } from "./remarks.ts";

export type ReadConfiguration =
  | { readonly kind: "configuration"; readonly configuration: Configuration; readonly remarks: readonly string[] }
  | { readonly kind: "faults"; readonly faults: readonly SettingFault[]; readonly remarks: readonly string[] };

export type Source = {
  readonly origin: Origin;
  /** The version of `default`, if nothing else is configured. */
  readonly ownVersion: Version;
  /** The name of this host, for a proxy that names no address. */
  readonly ownHost?: string | undefined;
  readonly program: ServingProgram;
};

/**
 * Reads the Proxy Service's part of the platform's configuration. Ignores other services' keys, but refuses keys that look like ours with a typing
 * mistake. Reports all faults at once.
 */
export function readConfiguration(raw: unknown, { origin, ownVersion, ownHost, program }: Source): ReadConfiguration {
  const top = raw ?? {};
  if (!isMapping(top)) {
    return { kind: "faults", faults: [{ origin, key: "", found: describe(raw), allowed: "a mapping" }], remarks: [] };
  }
  const auth = readSection(top, "auth_service", authFields);
  const proxy = readSection(top, "proxy_service", proxyFields);
  const missing = top["proxy_service"] === undefined ? [missingSection(top)] : [];
  const remarks = proxy.passedOver.map((name) => `proxy_service.${name} is not ${program}'s, and is passed over`);
  const isSection = missing.length === 0 && isMapping(top["proxy_service"] ?? {});
  const built = !isSection
    ? undefined
    : assemble(proxy.values, auth.values.proxy_listener_mode ?? "multiplex", { ownVersion, ownHost });
  const isRefused = (key: string): boolean => proxy.refusals.some(({ at }) => at.startsWith(key));
  // Does not report a refused value again as missing.
  const crossed = built?.kind === "refused" ? built.refusals.filter(({ at }) => !isRefused(at)) : [];
  const refusals = [...auth.refusals, ...missing, ...proxy.refusals, ...crossed];
  if (built?.kind === "value" && refusals.length === 0) {
    const more = remarksOn(built.value, { serves: defaultServes(proxy.values), program });
    const isByName = proxy.values.public_addr === undefined && built.value.publicAddress.host === ownHost;
    const named = isByName ? [`proxy_service.public_addr is not set: clients are told this host's name, ${ownHost}`] : [];
    return { kind: "configuration", configuration: built.value, remarks: [...remarks, ...named, ...more] };
  }
  const faults = refusals.map(({ at, found, allowed }) => ({ origin, key: at, found, allowed }));
  return { kind: "faults", faults, remarks };
}

function readSection<Fields extends Keys>(top: Mapping, name: string, fields: Fields): Level<Fields> {
  const raw = top[name] ?? {};
  const level = readLevel(isMapping(raw) ? raw : {}, fields, { kind: "others", known: resembling });
  const refusals = level.refusals.map((refusal) => ({ ...refusal, at: `${name}${refusal.at}` }));
  const kind: readonly Refusal[] = isMapping(raw) ? [] : [{ at: name, found: describe(raw), allowed: "a mapping" }];
  return { ...level, refusals: [...kind, ...refusals] };
}

function missingSection(top: Mapping): Refusal {
  const meant = nearest("proxy_service", Object.keys(top));
  const found = meant === undefined ? "nothing" : `nothing, but ${describe(meant)}: ${unknownKey("proxy_service")}`;
  return { at: "proxy_service", found, allowed: "a mapping with at least public_addr" };
}
