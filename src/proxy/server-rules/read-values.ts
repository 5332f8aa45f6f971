import { parseVersion, type Version } from "../../rules/version/version.ts";
import { accepted, describe, readEach, refused, refusedAs, type SettingReading } from "../../rules/settings/reading.ts";
import { isUnspecified, parseAddress, type Address } from "../../rules/route/host-port.ts";
import type { Field } from "./read-mapping.ts";

const addressRule = "an IP address or a DNS name with an optional port, for example proxy.example.com:443";

/** yes and no are words to YAML 1.2, and true and false are what 1.1 made of them. */
export const yesOrNo: Field<"yes" | "no"> = {
  read: (raw) => {
    if (raw === "yes" || raw === "true" || raw === true) return accepted("yes");
    return raw === "no" || raw === "false" || raw === false ? accepted("no") : refused(raw);
  },
  allowed: "yes or no",
};

export const listenAddress: Field<Address> = {
  read: readAddress,
  allowed: "an IP address or a DNS name of this host with an optional port, for example 0.0.0.0:3080",
};

/** One address: clients of several may be led to the first one alone. */
export const onePublicAddress: Field<Address> = {
  read: (raw) => {
    if (!Array.isArray(raw) || raw.length === 1) return readPublic(Array.isArray(raw) ? raw[0] : raw);
    return refusedAs([{ at: "", found: `a list of ${raw.length}`, allowed: `exactly one: ${addressRule}` }]);
  },
  allowed: addressRule,
};

/** A service may have several. */
export const publicAddresses: Field<readonly [Address, ...Address[]]> = {
  read: (raw) => {
    if (Array.isArray(raw)) return readList(raw);
    const reading = readPublic(raw);
    return reading.kind === "value" ? accepted([reading.value]) : reading;
  },
  allowed: `${addressRule}, or a list of such`,
};

/** The first is the one that clients are told. */
export const servicePublicAddress: Field<Address> = {
  read: (raw) => {
    const reading = publicAddresses.read(raw);
    return reading.kind === "value" ? accepted(reading.value[0]) : reading;
  },
  allowed: publicAddresses.allowed,
};

export const version: Field<Version> = {
  read: (raw) => {
    const parsed = typeof raw === "string" ? parseVersion(raw) : undefined;
    return parsed === undefined ? refused(raw) : accepted(parsed);
  },
  allowed: "a version, for example v15.4.6",
};

function readAddress(raw: unknown): SettingReading<Address> {
  const address = typeof raw === "string" ? parseAddress(raw) : undefined;
  return address === undefined ? refused(raw) : accepted(address);
}

function readPublic(raw: unknown): SettingReading<Address> {
  const reading = readAddress(raw);
  if (reading.kind === "refused" || !isUnspecified(reading.value.host)) return reading;
  return refusedAs([{ at: "", found: `${describe(raw)}, which nobody can connect to` }]);
}

function readList(items: readonly unknown[]): SettingReading<readonly [Address, ...Address[]]> {
  const readings = readEach(items, readPublic);
  if (readings.kind === "refused") return readings;
  const [first, ...others] = readings.value;
  return first === undefined ? refusedAs([{ at: "", found: "an empty list" }]) : accepted([first, ...others]);
}
