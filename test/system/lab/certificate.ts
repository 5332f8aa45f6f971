import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Host } from "./host.ts";
import { mustRun } from "./program.ts";
import type { Certificate } from "./server.ts";

export type Authority = {
  readonly caFile: string;
  /** A server certificate for those names; addresses as "IP:…", names as "DNS:…". */
  readonly issue: (name: string, subjects: readonly string[]) => Promise<Certificate>;
  /** Makes the host trust it, as an admin does. */
  readonly trustIn: (host: Host) => Promise<void>;
};

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-days", "60"];

/** A certificate authority that nobody knows yet. */
export async function makeAuthority(directory: string): Promise<Authority> {
  await mkdir(directory, { recursive: true });
  const caFile = join(directory, "ca.pem");
  const caKey = join(directory, "ca.key");
  const rights = ["-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign"];
  await mustRun([
    "openssl",
    "req",
    "-x509",
    ...newKey,
    "-subj",
    "/CN=Lab authority",
    ...rights,
    "-keyout",
    caKey,
    "-out",
    caFile,
  ]);
  return {
    caFile,
    issue: async (name, subjects) => {
      const [key, cert] = [join(directory, `${name}.key`), join(directory, `${name}.pem`)];
      const names = ["-addext", `subjectAltName=${subjects.join(",")}`, "-addext", "basicConstraints=critical,CA:FALSE"];
      const by = ["-CA", caFile, "-CAkey", caKey, "-subj", `/CN=${name}`];
      await mustRun(["openssl", "req", "-x509", ...newKey, ...by, ...names, "-keyout", key, "-out", cert]);
      return { key: await readFile(key, "utf8"), cert: await readFile(cert, "utf8") };
    },
    trustIn: async (host) => {
      await host.copyIn(caFile, "/usr/local/share/ca-certificates/lab.crt");
      await host.mustRun(["update-ca-certificates"]);
    },
  };
}
