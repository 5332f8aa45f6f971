import { parseVersion, type Version } from "../../rules/version/version.ts";
import { accepted, describe, refused, refusedAs, type SettingReading } from "../../rules/shape/reading.ts";
import { check } from "../../rules/shape/check.ts";
import { own, parsed, refined, someOf, type Shape } from "../../rules/shape/shape.ts";
import { isUnspecified, parseAddress, type Address } from "../../rules/route/host-port.ts";

const addressRule = "an IP address or a DNS name with an optional port, for example proxy.example.com:443";

/** YAML 1.2 reads yes and no as words; 1.1 made them true and false. */
export const yesOrNo: Shape<"yes" | "no"> = own((raw) => {
  if (raw === "yes" || raw === "true" || raw === true) return accepted("yes");
  return raw === "no" || raw === "false" || raw === false ? accepted("no") : refused(raw);
}, "yes or no");

export const listenAddress: Shape<Address> = parsed(
  parseAddress,
  "an IP address or a DNS name of this host with an optional port, for example 0.0.0.0:3080",
);

const publicAddress: Shape<Address> = own(readPublic, addressRule);

/** Accepts one address only: of several, clients might use the first alone. */
export const onePublicAddress: Shape<Address> = own((raw) => {
  if (!Array.isArray(raw) || raw.length === 1) return readPublic(Array.isArray(raw) ? raw[0] : raw);
  return refusedAs([{ at: "", found: `a list of ${raw.length}`, allowed: `exactly one: ${addressRule}` }]);
}, addressRule);

/** More than the proxies of any cluster. */
const mostAddresses = 64;

/** The public addresses of a service, which may have several. */
export const publicAddresses: Shape<readonly [Address, ...Address[]]> = own((raw) => {
  if (Array.isArray(raw)) return check(someOf(publicAddress, mostAddresses), raw);
  const reading = readPublic(raw);
  return reading.kind === "value" ? accepted([reading.value]) : reading;
}, `${addressRule}, or a list of such`);

/** The first of a service's public addresses, which clients are told. */
export const servicePublicAddress: Shape<Address> = refined(publicAddresses, ([first]) => accepted(first));

export const version: Shape<Version> = parsed(parseVersion, "a version, for example v15.4.6");

function readPublic(raw: unknown): SettingReading<Address> {
  const address = typeof raw === "string" ? parseAddress(raw) : undefined;
  if (address === undefined) return refused(raw);
  if (!isUnspecified(address.host)) return accepted(address);
  return refusedAs([{ at: "", found: `${describe(raw)}, which nobody can connect to` }]);
}
