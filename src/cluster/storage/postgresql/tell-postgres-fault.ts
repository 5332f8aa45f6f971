import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";

/** PostgreSQL's codes: https://www.postgresql.org/docs/15/errcodes-appendix.html */
const readOnly = "25006";
type Words = readonly [why: string, hint: string];
const refused: Words = ["it refuses the role or its password", "look at conn_string and password_file of auth_service.storage"];
const onlyReads: Words = ["it is read-only: it is a standby, or was demoted", "conn_string has to lead to the primary"];
const untrusted: Words = [
  "the authority of its certificate is not trusted here",
  "if it is your own, name the file with its certificate in conn_string: `sslrootcert=FILE`",
];
const words: Readonly<Record<string, Words>> = {
  "28P01": refused,
  "28000": refused,
  "3D000": ["there is no such database", "make it: `sudo -u postgres createdb --owner=ROLE NAME`"],
  "42501": [
    "the role may not do that",
    "the role needs CREATE on the database: `GRANT CREATE ON DATABASE NAME TO ROLE`; where the schema svc is there already, use the role that owns it",
  ],
  "42P01": [
    "its tables are missing: was the schema svc dropped?",
    "stop all auth services, then put a backup back: `tctl restore FILE`",
  ],
  "53300": ["it takes no more connections", "raise max_connections, or look who has them: `SELECT * FROM pg_stat_activity`"],
  "53100": ["its disk is full", "make room on the database's host"],
  [readOnly]: onlyReads,
  CERT_HAS_EXPIRED: [
    "its certificate has expired",
    "renew it: `ssl_cert_file` on the database's host; or set this host's clock right",
  ],
  CERT_NOT_YET_VALID: ["its certificate is not valid yet", "look at the clocks of both hosts: `timedatectl`"],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    "its certificate is for another name",
    "write a name of the certificate into conn_string, or have it issued for this one too",
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
};
const slow: Words = [
  "it does not answer in time",
  "is it up? `pg_isready -d CONN_STRING`; and who works in it, or holds a lock? `SELECT * FROM pg_stat_activity`",
];
const withoutTls: Words = [
  "it does not speak TLS",
  "set `ssl = on` there; or, on the same host or a network of your own, write `?sslmode=disable` behind conn_string",
];

/** Turns an error of PostgreSQL into a fault that names the place and quotes no value. Returns any other error unchanged. */
export function told(thrown: unknown, place: string): unknown {
  if (thrown instanceof Fault || !(thrown instanceof Error)) return thrown;
  const code = codeOf(thrown) ?? "";
  return faultAt(place, words[code] ?? byMessage(thrown), { code, cause: thrown });
}

/** Explains an error of the library pg by its message, because such an error has no code. */
function byMessage({ message }: Error): Words {
  if (/does not support SSL/.test(message)) return withoutTls;
  if (/timeout/i.test(message)) return slow;
  return [quote(message, 200), "is it up? `pg_isready -d CONN_STRING`, and its log on the database's host"];
}

export function standbyFault(place: string): Fault {
  return faultAt(place, onlyReads, { code: readOnly });
}

function faultAt(place: string, [why, hint]: Words, { code, cause }: { readonly code: string; readonly cause?: unknown }): Fault {
  return new Fault(code === "53100" ? "store-full" : "store-failed", {
    message: `the store ${place} cannot be used: ${why}`,
    hint,
    cause,
  });
}

/** Whether another connection could do what this one could not. */
export function isLost(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const code = codeOf(thrown);
  // Errors of the library pg have no code.
  if (code === undefined) return /^Connection terminated|connection error|timeout/i.test(thrown.message);
  return code === readOnly || /^(?:08|57P|E[A-Z]+$)/.test(code);
}

function codeOf(thrown: Error): string | undefined {
  const { code } = thrown as { readonly code?: unknown };
  return typeof code === "string" ? code : undefined;
}
