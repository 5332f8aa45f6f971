import { exchange, type ExchangedWithHeaders as Exchanged } from "../../machine/network/exchange.ts";
import type { AskPorts } from "../../machine/network/ask-channel.ts";
import { redirectOf } from "../../machine/network/redirect.ts";
import { retryAfterMs } from "../../machine/network/retry.ts";
import type { Trust } from "../../machine/network/trust.ts";
import { monotonicMs } from "../../machine/clocks/monotonic.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { decode } from "../../rules/shape/read.ts";
import { maybe, record, text } from "../../rules/shape/shape.ts";
import { isPlainHttpAbroad } from "../../rules/settings/endpoint.ts";
import { challengeIn, type Challenge } from "./challenge.ts";
import type { ImagePlace } from "./image-place.ts";
import { loginFor, type Login } from "./pull-secret.ts";

/** The logins of the pull secrets. `troubles` says in words which cannot be used. */
export type Logins = { readonly logins: readonly Login[]; readonly troubles: readonly string[] };

export type RegistryPorts = Pick<AskPorts, "routeOf" | "signal"> & {
  readonly trust: () => Trust;
  /** Whether plain HTTP may be used for a registry on this host. */
  readonly plainHttp: "loopback" | "never";
  /** Called only if a registry asks for a login. */
  readonly logins: () => Promise<Logins>;
  readonly connectMs?: number;
  readonly wholeMs?: number;
};

export type Failure =
  /** The registry's content is unknown. */
  | { readonly kind: "unknown"; readonly why: string }
  /** The registry asks to wait. */
  | { readonly kind: "busy"; readonly why: string; readonly retryAfterMs: number | undefined };

/** The room's answers hold its content; nobody outside catches it. */
export class RegistryFailed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.why);
    this.failure = failure;
  }
}

export type Question = {
  readonly path: string;
  readonly method?: "HEAD";
  readonly accept: string;
  readonly longestBody: number;
};

/** Short, because a registry that is away must not delay a window for long. */
const usualConnectMs = 5000;
const usualWholeMs = 20_000;
const mostRedirects = 3;
const longestTokenBytes: number = 64 * 1024;

const tokenAnswer = record({ token: maybe(text(longestTokenBytes)), access_token: maybe(text(longestTokenBytes)) });

/** All requests to one repository for one lookup. They share one login and one deadline. */
export class Conversation {
  readonly #place: ImagePlace;
  readonly #ports: RegistryPorts;
  readonly #base: URL;
  readonly #untilMs: number;
  #authorization: string | undefined;

  constructor(place: ImagePlace, ports: RegistryPorts) {
    this.#place = place;
    this.#ports = ports;
    this.#base = baseOf(place, ports.plainHttp);
    this.#untilMs = monotonicMs() + (ports.wholeMs ?? usualWholeMs);
  }

  /** Asks, and returns an answer of 200 or 404. Everything else is a failure. */
  async ask({ path, method, accept, longestBody }: Question): Promise<Exchanged> {
    const url = new URL(`/v2/${this.#place.repository}/${path}`, this.#base);
    const once = (): Promise<Exchanged> =>
      this.#follow(url, { method, longestBody, headers: { accept, ...authorizationOf(this.#authorization) } });
    let answer = await once();
    if (answer.status === 401 && this.#authorization === undefined) {
      this.#authorization = await this.#signIn(challengeIn(answer.headers["www-authenticate"]));
      answer = await once();
    }
    if (answer.status === 200 || answer.status === 404) return answer;
    throw await this.#refused(answer);
  }

  async #signIn(challenge: Challenge | undefined): Promise<string> {
    const { registry, repository } = this.#place;
    const login = loginFor((await this.#ports.logins()).logins, this.#place);
    const basic = login && `Basic ${Buffer.from(`${login.user}:${login.password}`).toString("base64")}`;
    if (challenge === undefined) throw unknown(`${registry} asks for a way to sign in that is not known here`);
    if (challenge.kind === "basic") {
      if (basic !== undefined) return basic;
      throw await this.#deniedWith(401, undefined);
    }
    const realm = URL.parse(challenge.realm);
    if (realm === null || realm.username !== "" || realm.password !== "" || !isAllowed(realm, this.#ports.plainHttp)) {
      throw unknown(`${registry} wants to be asked by way of a server of tokens that is not asked by https`);
    }
    if (challenge.service !== undefined) realm.searchParams.set("service", challenge.service);
    realm.searchParams.set("scope", `repository:${repository}:pull`);
    const headers = { accept: "application/json", ...authorizationOf(basic) };
    const answer = await this.#exchange(realm, { method: undefined, longestBody: longestTokenBytes, headers });
    if (answer.status !== 200) throw await this.#refused(answer, login);
    const reading = decode(textOf(answer), tokenAnswer, "ignored");
    const token = reading.kind === "read" ? (reading.value.token ?? reading.value.access_token) : undefined;
    if (token === undefined || !/^[\x21-\x7e]+$/.test(token)) throw unknown(`${realm.host} gives no token for ${registry}`);
    return `Bearer ${token}`;
  }

  /** Follows redirects. Sends no credentials to another server. */
  async #follow(start: URL, asked: Asked): Promise<Exchanged> {
    let url = start;
    for (let redirects = 0; ; redirects += 1) {
      const isHome = url.origin === start.origin;
      const { authorization: _, ...bare } = asked.headers;
      const answer = await this.#exchange(url, isHome ? asked : { ...asked, headers: bare });
      const next = nextOf(url, answer);
      if (next === undefined) return answer;
      if (redirects === mostRedirects || !isAllowed(next, this.#ports.plainHttp)) {
        throw unknown(`${start.host} redirects too often, or to where it would be asked without TLS`);
      }
      url = next;
    }
  }

  async #exchange(url: URL, { method, headers, longestBody }: Asked): Promise<Exchanged> {
    const { routeOf, trust, connectMs = usualConnectMs, signal } = this.#ports;
    try {
      // A wrong proxy setting throws a fault, too.
      const route = routeOf(url.href);
      const speaksTls = url.protocol === "https:" || (route.kind === "proxy" && route.proxy.scheme === "https");
      return await exchange({
        url,
        method,
        headers: { "user-agent": "svc-kube-updater", ...headers },
        route,
        trust: speaksTls ? trust() : undefined,
        longestBody,
        connectMs,
        wholeMs: Math.max(0, this.#untilMs - monotonicMs()),
        signal,
        lookup: undefined,
        watch: undefined,
      });
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      // URLs of token servers and blob stores may hold a signature, so only their host is shown.
      const isOwn = url.origin === this.#base.origin;
      throw unknown(isOwn ? thrown.message : `${url.host}, to which ${this.#base.host} leads, gives no answer`);
    }
  }

  async #refused(answer: Exchanged, login?: Login): Promise<RegistryFailed> {
    const { status } = answer;
    if (status === 401 || status === 403) {
      return this.#deniedWith(status, login ?? loginFor((await this.#ports.logins()).logins, this.#place));
    }
    const why = `${this.#place.registry} answers with status ${status}`;
    const isBusy = status === 429 || status >= 500;
    return isBusy ? new RegistryFailed({ kind: "busy", why, retryAfterMs: retryAfterMs(answer) }) : unknown(why);
  }

  async #deniedWith(status: number, login: Login | undefined): Promise<RegistryFailed> {
    const { troubles } = await this.#ports.logins();
    return unknown(whyDenied({ registry: this.#place.registry, status, hasLogin: login !== undefined, troubles }));
  }
}

type Denial = {
  readonly registry: string;
  readonly status: number;
  readonly hasLogin: boolean;
  /** Which pull secrets could not be used. */
  readonly troubles: readonly string[];
};

export function whyDenied({ registry, status, hasLogin, troubles }: Denial): string {
  const tail = troubles.map((trouble) => `; ${trouble}`).join("");
  if (hasLogin) return `${registry} answers with status ${status} to the pull secret's credentials${tail}`;
  const cloud = clouds.find(({ host }) => host.test(registry));
  const nodes = cloud === undefined ? "" : `, and those that nodes have for ${cloud.name} are not known here`;
  return `${registry} answers with status ${status}, and no pull secret is for it${nodes}${tail}`;
}

/** Registries for which a kubelet gets its credentials from the cloud. */
const clouds = [
  { host: /(?:^|\.)dkr\.ecr[.-]/, name: "ECR" },
  { host: /\.azurecr\.(?:io|cn|us)$/, name: "ACR" },
  { host: /(?:^|\.)gcr\.io$|\.pkg\.dev$/, name: "GAR" },
] as const;

type Asked = {
  readonly method: "HEAD" | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly longestBody: number;
};

function baseOf({ api }: ImagePlace, plainHttp: RegistryPorts["plainHttp"]): URL {
  const plain = new URL(`http://${api}`);
  return plainHttp === "loopback" && !isPlainHttpAbroad(plain) ? plain : new URL(`https://${api}`);
}

function isAllowed(url: URL, plainHttp: RegistryPorts["plainHttp"]): boolean {
  if (url.protocol === "https:") return true;
  return url.protocol === "http:" && plainHttp === "loopback" && !isPlainHttpAbroad(url);
}

function nextOf(url: URL, answer: Exchanged): URL | undefined {
  try {
    return redirectOf(url, answer);
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    // Says no more, because the library's words quote the target, which may be signed.
    throw unknown(`${url.host} redirects to a place that is not followed`);
  }
}

function authorizationOf(authorization: string | undefined): Readonly<Record<string, string>> {
  return authorization === undefined ? {} : { authorization };
}

export function unknown(why: string): RegistryFailed {
  return new RegistryFailed({ kind: "unknown", why });
}

/** The body as text; empty if it is incomplete. */
export function textOf({ body }: Exchanged): string {
  return body.kind === "whole" ? Buffer.from(body.bytes).toString() : "";
}
