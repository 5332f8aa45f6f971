import { majorOf, parseVersion } from "./version.ts";

/** Empty: the two go together. */
export type Misfit = "newer" | "older" | "";

/** An instance must not be newer than auth by a major, nor two majors older. */
export function misfitOf(own: string, auth: string): Misfit {
  // Fast for most hosts in a list of thousands.
  if (own === auth) return "";
  const [one, other] = [parseVersion(own), parseVersion(auth)];
  if (one === undefined || other === undefined) return "";
  const ahead = majorOf(one) - majorOf(other);
  return ahead > 0 ? "newer" : ahead < -1 ? "older" : "";
}

/** For people of the host; undefined if the two go together. */
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
