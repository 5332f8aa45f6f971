import { parsed, type Shape } from "../shape/shape.ts";

/** The server sends `yes` if the channel's answer depends on the host's name. */
export const asksHostHeader = "x-svc-asks-host";
/** Headers in which the asking host names itself and its installed version. */
export const hostHeader = "x-svc-host";
export const installedHeader = "x-svc-installed";
/** The header that names the host of an answer: a cache that ignores `Vary` passes on another host's answer. */
export const forHostHeader = "x-svc-for-host";

declare const hostIdBrand: unique symbol;

/** A host's name for channels. It says nothing about the host, and stays the same. */
export type HostId = string & { readonly [hostIdBrand]: true };

const idPattern = /^[0-9a-f]{32}$/;

/** Undefined for any other text. */
export function parseHostId(found: unknown): HostId | undefined {
  return typeof found === "string" && idPattern.test(found) ? (found as HostId) : undefined;
}

export const hostId: Shape<HostId> = parsed(parseHostId, "32 hexadecimal digits");
