type Codes = { readonly user: string; readonly cluster: string; readonly secret: string };

/** As apps for one-time codes read it: RFC 6238 with what all of them take for granted. */
export function codeUri({ user, cluster, secret }: Codes): string {
  const label = `${encodeURIComponent(cluster)}:${encodeURIComponent(user)}`;
  return `otpauth://totp/${label}?secret=${encodeURIComponent(secret)}&issuer=${encodeURIComponent(cluster)}&algorithm=SHA1&digits=6&period=30`;
}
