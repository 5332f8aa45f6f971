type Codes = { readonly user: string; readonly cluster: string; readonly secret: string };

/** The URI that sets up an app for one-time codes (RFC 6238, with the usual defaults). */
export function codeUri({ user, cluster, secret }: Codes): string {
  const label = `${encodeURIComponent(cluster)}:${encodeURIComponent(user)}`;
  return `otpauth://totp/${label}?secret=${encodeURIComponent(secret)}&issuer=${encodeURIComponent(cluster)}&algorithm=SHA1&digits=6&period=30`;
}
