import { majorOf, parseVersion } from "./version.ts";

/** How an instance's version does not fit auth's. Empty means that it fits. */
export type Misfit = "newer" | "older" | "";

/** An instance may be at most one major version older than auth, and no major version newer. */
export function misfitOf(own: string, auth: string): Misfit {
  // Most hosts have auth's version, and need no parsing.
  if (own === auth) return "";
  const [one, other] = [parseVersion(own), parseVersion(auth)];
  if (one === undefined || other === undefined) return "";
  const ahead = majorOf(one) - majorOf(other);
  return ahead > 0 ? "newer" : ahead < -1 ? "older" : "";
}

/** A sentence for the host's administrators; undefined if the versions fit. */
export function tellMisfit(own: string, auth: string): string | undefined {
  switch (misfitOf(own, auth)) {
    case "newer":
      return `svc ${own} of this host is newer than auth's ${auth} by a major version: update the auth service first`;
    case "older":
      return `svc ${own} of this host is more than one major version older than auth's ${auth}: bring this host up to date`;
    case "":
      return undefined;
  }
}
