import type { PeerCertificate } from "node:tls";
import { describe, expect, test } from "vitest";
import { checkIdentity } from "../../../src/machine/network/identity.ts";

function certificate(subjectaltname: string | undefined): PeerCertificate {
  return { subject: { CN: "localhost" }, subjectaltname } as unknown as PeerCertificate;
}

describe("a certificate", () => {
  test.each([
    ["localhost", "DNS:localhost"],
    ["localhost", "email:root@localhost, DNS:localhost"],
    ["host.a.example", "DNS:*.a.example"],
    ["127.0.0.1", "DNS:localhost, IP Address:127.0.0.1"],
    ["::1", "IP Address:0:0:0:0:0:0:0:1"],
  ])("is the one of %s with %s", (host, altName) => {
    expect(checkIdentity(host, certificate(altName))).toBeUndefined();
  });

  test.each([
    ["localhost", undefined],
    ["localhost", ""],
    ["localhost", "email:root@localhost"],
    // As Node prints a value that would look like several.
    ["localhost", 'URI:"https://a.example/, DNS:localhost"'],
    ["localhost", 'URI:"a\\", DNS:localhost"'],
    ["127.0.0.1", undefined],
  ])("names no host in a way that counts: of %s, with %j", (host, altName) => {
    expect(checkIdentity(host, certificate(altName))).toMatchObject({ code: "ERR_TLS_CERT_WITHOUT_ALTNAME" });
  });

  test.each([
    ["localhost", "DNS:other.example"],
    ["localhost", "IP Address:127.0.0.1"],
    ["127.0.0.1", "DNS:localhost"],
    ["127.0.0.1", "IP Address:127.0.0.2"],
  ])("is another's: of %s, with %s", (host, altName) => {
    expect(checkIdentity(host, certificate(altName))).toMatchObject({ code: "ERR_TLS_CERT_ALTNAME_INVALID" });
  });
});
