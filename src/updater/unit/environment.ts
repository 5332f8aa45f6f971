/** The environment of every systemd tool. Locale, pager and colours are fixed, because we read the output. */
export const toolEnvironment: Readonly<Record<string, string>> = {
  PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C.UTF-8",
  SYSTEMD_PAGER: "",
  SYSTEMD_COLORS: "0",
};

/** Variables that change what programs load or whom they trust. */
export const dangerousVariables: readonly string[] = [
  "NODE_OPTIONS",
  "NODE_EXTRA_CA_CERTS",
  "NODE_TLS_REJECT_UNAUTHORIZED",
  "LD_PRELOAD",
  "LD_LIBRARY_PATH",
  "LD_AUDIT",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
];
