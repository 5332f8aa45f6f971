/** What OpenSSL takes for the authorities of whoever names none. */
const names = ["SSL_CERT_FILE", "SSL_CERT_DIR"] as const;

/**
 * Every connection names whom it trusts. Should the runtime ever look into OpenSSL's own store, this keeps that store empty, and a pipe
 * that is named as its file from holding up the program.
 */
export function noDefaultTrust(environment: Record<string, string | undefined>): void {
  for (const name of names) environment[name] = "/dev/null";
}
