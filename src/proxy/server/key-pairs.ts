import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileCapped } from "../../machine/files/read-file.ts";
import type { KeyPairFiles } from "../server-rules/configuration.ts";
import type { RefusedSetting } from "../../rules/shape/reading.ts";

export type KeyPair = {
  readonly key: string;
  readonly cert: string;
  readonly certFile: string;
  readonly certificate: X509Certificate;
};

export type ReadKeyPairs = {
  /** The valid pairs first, so that a client gets a valid certificate for its name if there is one. */
  readonly pairs: readonly KeyPair[];
  readonly refusals: readonly RefusedSetting[];
  /** Files that exist, but that this user may not read. */
  readonly denied: readonly string[];
  readonly remarks: readonly string[];
};

type Proved = KeyPair & { readonly at: string; readonly outOfForce: string | undefined };

/** Ten times the size of a full certificate chain. */
const longestPemBytes = 256 * 1024;
const dayMs = 86_400_000;
/** Half of the time that renewal programs usually leave. */
const soonDays = 14;

/**
 * Reads every pair and proves that each key belongs to its certificate. Only remarks on an expired or future pair while another pair is valid:
 * the server can serve with that one. If no pair is valid, throws a fault, because no client would trust it.
 */
export function readKeyPairs(files: readonly KeyPairFiles[], nowMs: number): ReadKeyPairs {
  const refusals: RefusedSetting[] = [];
  const denied: string[] = [];
  const pairs = files.flatMap(({ keyFile, certFile }, index): readonly Proved[] => {
    const at = `proxy_service.https_keypairs[${index}]`;
    const refuse = (field: string, path: string, found: string): undefined => {
      const allowed =
        field === "key_file" ? "a private key in PEM form without a passphrase" : "a certificate in PEM form, its chain after it";
      refusals.push({ at: `${at}.${field}`, found: `${path} ${found}`, allowed });
    };
    const deny = (path: string): void => void denied.push(path);
    const key = readPem(keyFile, { refuse: (why) => refuse("key_file", keyFile, why), deny });
    const cert = readPem(certFile, { refuse: (why) => refuse("cert_file", certFile, why), deny });
    const privateKey =
      key === undefined ? undefined : (parsed(() => createPrivateKey(key)) ?? refuse("key_file", keyFile, "holds no such key"));
    const certificate =
      cert === undefined
        ? undefined
        : (parsed(() => new X509Certificate(cert)) ?? refuse("cert_file", certFile, "holds no certificate"));
    if (key === undefined || cert === undefined || privateKey === undefined || certificate === undefined) return [];
    if (!certificate.checkPrivateKey(privateKey)) refuse("cert_file", certFile, "does not belong to the key in key_file");
    return [{ key, cert, certFile, certificate, at, outOfForce: outOfForce(certificate, nowMs) }];
  });
  const inForce = pairs.filter((pair) => pair.outOfForce === undefined);
  const others = pairs.filter((pair) => pair.outOfForce !== undefined);
  if (inForce.length === 0) {
    const allowed = "a certificate in PEM form that is in force";
    refusals.push(
      ...others.map(({ at, certFile, outOfForce: found }) => ({ at: `${at}.cert_file`, found: `${certFile} ${found}`, allowed })),
    );
  }
  const remarks = [
    ...others.map(
      ({ certFile, outOfForce: why }) => `the certificate in ${certFile} ${why}: clients refuse it; the others are served`,
    ),
    ...inForce
      .filter(({ certificate }) => certificate.validToDate.getTime() - nowMs < soonDays * dayMs)
      .map(({ certFile, certificate }) => `the certificate in ${certFile} ends on ${certificate.validToDate.toISOString()}`),
  ];
  return { pairs: [...inForce, ...others], refusals, denied, remarks };
}

function outOfForce(certificate: X509Certificate, nowMs: number): string | undefined {
  if (certificate.validToDate.getTime() <= nowMs) return `expired on ${certificate.validToDate.toISOString()}`;
  if (certificate.validFromDate.getTime() > nowMs) return `begins only on ${certificate.validFromDate.toISOString()}`;
  return undefined;
}

type Told = { readonly refuse: (why: string) => void; readonly deny: (path: string) => void };

function readPem(path: string, { refuse, deny }: Told): string | undefined {
  const read = readFileCapped(path, { capBytes: longestPemBytes, links: "follow" });
  switch (read.kind) {
    case "read":
      return read.text;
    case "missing":
      refuse("does not exist");
      return undefined;
    case "denied":
      deny(path);
      refuse("may not be read by the user who serves it");
      return undefined;
    case "refused":
      refuse(`cannot be read: ${read.why}`);
      return undefined;
  }
}

function parsed<Thing>(parse: () => Thing): Thing | undefined {
  try {
    return parse();
  } catch {
    // Drops OpenSSL's message (`error:1E08010C:DECODER routines::unsupported`), because the caller has a better one.
    return undefined;
  }
}
