/** How a registry wants its clients to sign in. */
export type Challenge =
  | { readonly kind: "bearer"; readonly realm: string; readonly service: string | undefined }
  | { readonly kind: "basic" };

/** Reads a WWW-Authenticate header, which may hold several challenges; undefined if we support none of them. */
export function challengeIn(header: string | undefined): Challenge | undefined {
  const text = (header ?? "").slice(0, longestHeader);
  const bearer = /(?:^|,)\s*bearer\s+(.*)$/i.exec(text)?.[1];
  if (bearer !== undefined) {
    const realm = parameterIn(bearer, "realm");
    return realm === undefined ? undefined : { kind: "bearer", realm, service: parameterIn(bearer, "service") };
  }
  return /(?:^|,)\s*basic(?:\s|$)/i.test(text) ? { kind: "basic" } : undefined;
}

const longestHeader = 4096;

function parameterIn(text: string, name: string): string | undefined {
  return new RegExp(`(?:^|[\\s,])${name}="([^"\\\\]*)"`, "i").exec(text)?.[1];
}
