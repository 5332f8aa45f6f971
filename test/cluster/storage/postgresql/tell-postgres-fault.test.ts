import { Fault } from "../../../../src/rules/fault/fault.ts";
import { told } from "../../../../src/cluster/storage/postgresql/tell-postgres-fault.ts";
import { describe, expect, test } from "vitest";

describe("an error of PostgreSQL or of the way to it", () => {
  test.each([
    ["CERT_HAS_EXPIRED", "its certificate has expired", "ssl_cert_file"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is for another name", "a name of the certificate"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "the authority of its certificate is not trusted here", "sslrootcert=FILE"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "the authority of its certificate is not trusted here", "sslrootcert=FILE"],
    ["42501", "the role may not do that", "the role that owns it"],
    ["42P01", "its tables are missing: was the schema svc dropped?", "stop all auth services"],
    ["XX000", "words of its own", "pg_isready"],
    [undefined, "it does not answer in time", "pg_stat_activity", "Query read timeout"],
    [undefined, "it does not speak TLS", "ssl = on", "The server does not support SSL connections"],
  ])("%s says what was found, and what to do", (code, found, hint, words = "words of its own") => {
    const fault = told(Object.assign(new Error(words), { code }), "postgresql://svc@db:5432/svc");
    expect(fault).toBeInstanceOf(Fault);
    expect((fault as Fault).message).toBe(`the store postgresql://svc@db:5432/svc cannot be used: ${found}`);
    expect((fault as Fault).hint).toContain(hint);
  });
});
