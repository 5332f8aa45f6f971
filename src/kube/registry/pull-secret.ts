import { decode, decodeValue, type Reading } from "../../rules/shape/read.ts";
import { maybe, object, record, text, word } from "../../rules/shape/shape.ts";
import { dockerHub, type ImagePlace } from "./image-place.ts";

/** The credentials in a pull secret, and the place where they are valid. */
export type Login = { readonly at: string; readonly user: string; readonly password: string };

const key = ".dockerconfigjson";
const secretType = "kubernetes.io/dockerconfigjson";
/** The API server's limit for a Secret, in base64. */
const longestData: number = 2 * 1024 * 1024;
const mostLogins = 1000;

const secret = record({ type: word, data: maybe(record({ [key]: maybe(text(longestData)) })) });
const whole = record({ auths: object });
const credentials = text(16 * 1024);
const entry = record({ auth: maybe(credentials), username: maybe(credentials), password: maybe(credentials) });

/** Reads a pull secret. A fault quotes no part of it. */
export function readPullSecret(found: unknown): Reading<readonly Login[]> {
  const reading = decodeValue(found, secret, "ignored");
  if (reading.kind === "unreadable") return unreadable("it is no Secret");
  const { type, data } = reading.value;
  if (type !== secretType) return unreadable(`its type is not ${secretType}`);
  const encoded = data?.[key];
  if (encoded === undefined) return unreadable(`it has no key ${key}`);
  const config = decode(Buffer.from(encoded, "base64").toString(), whole, "ignored");
  if (config.kind === "unreadable") return unreadable(`${key} is no JSON with "auths"`);
  const entries = Object.entries(config.value.auths);
  if (entries.length > mostLogins) return unreadable(`${key} has more than ${mostLogins} registries`);
  return { kind: "read", value: entries.flatMap(([at, value]) => loginOf(at, value)) };
}

function unreadable(why: string): { readonly kind: "unreadable"; readonly why: string } {
  return { kind: "unreadable", why };
}

/** Reads `auth`, or user name and password. Docker writes both, and people write either. */
function loginOf(at: string, found: unknown): readonly Login[] {
  const reading = decodeValue(found, entry, "ignored");
  if (reading.kind === "unreadable") return [];
  const { auth = "", username = "", password: given = "" } = reading.value;
  const [, user = "", password = ""] = /^([^:]*):(.*)$/s.exec(Buffer.from(auth, "base64").toString()) ?? ["", username, given];
  return user === "" || password === "" ? [] : [{ at, user, password }];
}

/** The login that kubelets would try first: the longest match. */
export function loginFor(logins: readonly Login[], { registry, repository }: ImagePlace): Login | undefined {
  const [best] = logins
    .map((login) => ({ login, place: placeIn(login.at) }))
    .filter(({ place }) => matches(place, `${registry}/${repository}`))
    .toSorted((left, right) => right.place.length - left.place.length);
  return best?.login;
}

/** The place of a key. Docker's own key for its hub is a URL of an old protocol. */
function placeIn(at: string): string {
  const bare = at
    .replace(/^https?:\/\//, "")
    .replace(/(?:^|\/)v[12]\/?$/, "")
    .replace(/\/+$/, "");
  return bare === "index.docker.io" || bare === "registry-1.docker.io" ? dockerHub : bare;
}

/** Compares each part of a host's name: a `*` stands for one part, never for a dot. */
function matches(place: string, image: string): boolean {
  const [wanted, given] = [image.split("/"), place.split("/")];
  if (place === "" || given.length > wanted.length) return false;
  return given.every((part, index) => (index === 0 ? isHost(part, wanted[0] ?? "") : part === wanted[index]));
}

function isHost(pattern: string, host: string): boolean {
  const [labels, found] = [pattern.split("."), host.split(".")];
  return labels.length === found.length && labels.every((label, index) => label === "*" || label === found[index]);
}
