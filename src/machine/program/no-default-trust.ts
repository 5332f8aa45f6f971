/** The variables of OpenSSL's default store of authorities. */
const names = ["SSL_CERT_FILE", "SSL_CERT_DIR"] as const;

/**
 * Empties OpenSSL's default store, because every connection names its own authorities. Also keeps a pipe that is named as the store's file from
 * blocking the program.
 */
export function noDefaultTrust(environment: Record<string, string | undefined>): void {
  for (const name of names) environment[name] = "/dev/null";
}
