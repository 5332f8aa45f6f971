import { parsed, type Shape } from "../shape/shape.ts";

/** Set to `yes` by a channel that answers each host by its name. */
export const asksHostHeader = "x-svc-asks-host";
/** How the host that asks names itself, and what it has installed. */
export const hostHeader = "x-svc-host";
export const installedHeader = "x-svc-installed";
/** For which host an answer was made. A cache that ignores `Vary` hands on another host's. */
export const forHostHeader = "x-svc-for-host";

declare const hostIdBrand: unique symbol;

/** A host's name for channels. It tells nothing of the host, and stays the same. */
export type HostId = string & { readonly [hostIdBrand]: true };

const idPattern = /^[0-9a-f]{32}$/;

/** Undefined for anything else. */
export function parseHostId(found: unknown): HostId | undefined {
  return typeof found === "string" && idPattern.test(found) ? (found as HostId) : undefined;
}

export const hostId: Shape<HostId> = parsed(parseHostId, "32 hexadecimal digits");
