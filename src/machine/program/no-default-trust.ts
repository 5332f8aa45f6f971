/** OpenSSL's default store of authorities. */
const names = ["SSL_CERT_FILE", "SSL_CERT_DIR"] as const;

/**
 * Every connection names its authorities. If the runtime ever reads OpenSSL's default store, this keeps that store empty, and keeps a pipe named as
 * its file from blocking the program.
 */
export function noDefaultTrust(environment: Record<string, string | undefined>): void {
  for (const name of names) environment[name] = "/dev/null";
}
