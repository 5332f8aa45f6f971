import { parsePath, path } from "../../rules/settings/read-text.ts";
import { accepted, describe, refused, refusedAs, type SettingReading } from "../../rules/shape/reading.ts";
import { allowing, maybe, oneOf, own, record, refined, type Shape } from "../../rules/shape/shape.ts";

/** The section `auth_service.storage`. Without it the store is a file below svc.data_dir. */
export type StorageConfiguration = {
  /** A name, an address, or the directory of a socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly passwordFile: string | undefined;
  /** Undefined means no TLS. An undefined `caFile` means the system's authorities. */
  readonly tls: { readonly caFile: string | undefined } | undefined;
};

type Reached = Omit<StorageConfiguration, "passwordFile">;

const example = "postgresql://svc@db.example.com/svc";
const allowedWords =
  "postgresql://ROLE@HOST[:PORT]/DATABASE, with ?sslmode=verify-full (if not said) or disable, &sslrootcert=FILE, or &host=DIRECTORY of a socket";

const connString = own(readConnString, `${allowedWords}, for example ${example}`);

const keys = record({
  type: oneOf(["postgresql", "sqlite"]),
  conn_string: maybe(connString),
  password_file: maybe(path("an absolute path of a file with the role's password")),
});

/** Undefined means the file below svc.data_dir. */
export const storage: Shape<StorageConfiguration | undefined> = refined(
  allowing("a mapping of type, conn_string and password_file", keys),
  ({ type, conn_string: reached, password_file: passwordFile }) => {
    if (type === "sqlite") return accepted(undefined);
    if (reached !== undefined) return accepted({ ...reached, passwordFile });
    return refusedAs([{ at: ".conn_string", found: "nothing", allowed: `${allowedWords}, for example ${example}` }]);
  },
);

const defaultPort = 5432;

const knownWords: readonly string[] = ["sslmode", "sslrootcert", "host"];
const word = /^[^\p{C}/]{1,256}$/u;

function readConnString(raw: unknown): SettingReading<Reached> {
  const text = typeof raw === "string" ? raw : "";
  const url = URL.parse(text.replace(/^postgres(?:ql)?:/, "http:"));
  if (url === null || !/^postgres(?:ql)?:\/\//.test(text)) return refused(raw);
  if (url.password !== "") {
    const allowed = "the address alone: the password stands in the file of password_file";
    return refusedAs([{ at: "", found: "a password in it (not shown)", allowed }]);
  }
  const given = Object.fromEntries(url.searchParams);
  const unknown = Object.keys(given).find((name) => !knownWords.includes(name));
  if (unknown !== undefined) return refusedAs([{ at: "", found: describe(unknown) }]);
  const { sslmode = "verify-full", sslrootcert: caFile, host: socket } = given;
  const [user, database] = [decoded(url.username), decoded(url.pathname.slice(1))];
  const wrong = [
    word.test(user) ? [] : "no role",
    word.test(database) ? [] : "no database",
    ["verify-full", "disable"].includes(sslmode) ? [] : describe(`sslmode=${sslmode}`),
    isPath(caFile) ? [] : describe(`sslrootcert=${caFile}`),
    isPath(socket) ? [] : describe(`host=${socket}`),
  ].flat();
  if (wrong.length > 0) return refusedAs(wrong.map((found) => ({ at: "", found })));
  const host = socket ?? url.hostname.replaceAll(/^\[|\]$/g, "");
  const port = url.port === "" ? defaultPort : Number(url.port);
  return accepted({ host, port, user, database, tls: sslmode === "disable" || socket !== undefined ? undefined : { caFile } });
}

function isPath(given: string | undefined): boolean {
  return given === undefined || parsePath(given) !== undefined;
}

/** Decodes a part of the URL; empty if that fails. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
