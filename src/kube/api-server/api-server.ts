import { setTimeout as sleep } from "node:timers/promises";
import { Agent, type Dispatcher } from "undici";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { monotonicMs } from "../../machine/clocks/monotonic.ts";
import { quote } from "../../rules/text/quote.ts";
import { decode, decodeValue, type Reading } from "../../rules/shape/read.ts";
import { listOf, maybe, object, orElse, record, text, word, type Shape } from "../../rules/shape/shape.ts";
import type { Refused } from "../objects/image-patch.ts";
import { ownManager } from "../objects/seen.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

/** Why the API server did not do a request. */
export type ApiFailure =
  /** In the API server's own words. */
  Refused | { readonly kind: "unreachable"; readonly message: string };

/** The followed objects: those of one path that match the selectors. */
export type Followed<T> = {
  readonly path: string;
  readonly fieldSelector: string;
  readonly labelSelector?: string;
  readonly read: (found: unknown) => Reading<T>;
};

/** The current objects by name, or why they are unknown. `changed` names the object if only one changed since the last sight. */
export type Sight<T> = { readonly kind: "known"; readonly items: ReadonlyMap<string, T>; readonly changed?: string } | ApiFailure;

/** The statuses that we handle. 410 answers a continued list or a new watch whose version is too old. */
export const statuses = { unauthorized: 401, forbidden: 403, absent: 404, conflict: 409, gone: 410, invalid: 422 } as const;

export type Answered = { readonly kind: "done"; readonly answer: unknown } | ApiFailure;

export type ApiServer = {
  /** Reports the objects after each change, and each failure, until the signal is raised. */
  readonly follow: <T>(what: Followed<T>, seen: (sight: Sight<T>) => void, signal: AbortSignal) => Promise<void>;
  readonly get: (path: string, signal: AbortSignal) => Promise<Answered>;
  /** Server-side apply. An object with a resourceVersion is applied over that version only. */
  readonly apply: (path: string, applied: object, signal: AbortSignal) => Promise<Answered>;
  /** Applies all operations of a JSON patch, or none. */
  readonly patch: (path: string, operations: readonly object[], signal: AbortSignal) => Promise<Answered>;
  /** Deletes the object with this uid and resourceVersion, gracefully. */
  readonly remove: (path: string, preconditions: Preconditions, signal: AbortSignal) => Promise<Answered>;
  /** The API server's clock, from its last answer. */
  readonly clock: () => UnixSeconds | undefined;
  readonly close: () => Promise<void>;
};

export type Preconditions = { readonly uid: string; readonly resourceVersion: string };

export type ApiServerPlace = { readonly url: string; readonly caFile: string; readonly tokenFile: string };

/** The client's name, under which it owns the fields it applies. "yield" leaves a field that another owns, and reports a conflict. */
export type ApiClient = { readonly name: string; readonly toOthers: "force" | "yield" };

export type ApiTimes = {
  readonly connectMs: number;
  readonly headersMs: number;
  /** The time for an answer other than a watch, up to its last byte. */
  readonly wholeMs: number;
  /** A watch gets a bookmark each minute. After two minutes of silence it is dead, whatever TCP says. */
  readonly idleMs: number;
  /** The first wait. It doubles, and starts again with the first frame of a watch. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
};

const usualTimes: ApiTimes = {
  connectMs: 5000,
  headersMs: 10_000,
  wholeMs: 30_000,
  idleMs: 150_000,
  firstWaitMs: 800,
  longestWaitMs: 30_000,
};

/** How long the server keeps a watch. Part of it is random, so that the watches of many clients do not all end together. */
const leastWatchSeconds = 240;
const mostWatchSeconds = 480;

/** The objects of one page of a list. Only one page is in memory at a time, and we keep little of each object. */
const itemsOfPage = 100;
/** Enough, because etcd stores at most 1.5 MiB for an object. */
const longestLineBytes: number = 8 * 1024 * 1024;
const longestBodyBytes: number = 64 * 1024 * 1024;
const longestFileBytes: number = 1024 * 1024;

/** The updater's client. Its name is the owner in the record and in managedFields. */
export const updaterClient: ApiClient = { name: ownManager, toOthers: "force" };

/** Makes a client of the API server. It uses no proxy, and HTTP/1.1, which shows a frozen server. Sends nothing yet. */
export function openApiServer(place: ApiServerPlace, client: ApiClient, changes: Partial<ApiTimes> = {}): ApiServer {
  const times = { ...usualTimes, ...changes };
  const connection = new Connection(place, { times, userAgent: client.name });
  const manager = `fieldManager=${client.name}`;
  const change = async (wanted: Wanted, signal: AbortSignal): Promise<Answered> => {
    try {
      return { kind: "done", answer: await connection.whole(wanted, signal) };
    } catch (thrown) {
      return failureOf(thrown);
    }
  };
  return {
    follow: (what, seen, signal) => new Follower(what, seen, { connection, times, signal }).run(),
    get: (path, signal) => change({ path }, signal),
    apply: (path, body, signal) =>
      change({ path: `${path}?${manager}&force=${client.toOthers === "force"}`, sent: { ...asApply, body } }, signal),
    patch: (path, body, signal) => change({ path: `${path}?${manager}`, sent: { ...asPatch, body } }, signal),
    remove: (path, { uid, resourceVersion }, signal) => {
      const body = { apiVersion: "v1", kind: "DeleteOptions", preconditions: { uid, resourceVersion } };
      return change({ path, sent: { ...asDelete, body } }, signal);
    },
    clock: () => connection.clock(),
    close: () => connection.close(),
  };
}

const asApply = { method: "PATCH", type: "application/apply-patch+yaml" } as const;
const asPatch = { method: "PATCH", type: "application/json-patch+json" } as const;
const asDelete = { method: "DELETE", type: "application/json" } as const;

type Sent = { readonly method: "PATCH" | "DELETE"; readonly type: string; readonly body: object };
type Wanted = { readonly path: string; readonly sent?: Sent };

/** Thrown and caught only in this file. */
class Failed extends Error {
  readonly failure: ApiFailure;

  constructor(failure: ApiFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

function failureOf(thrown: unknown): ApiFailure {
  if (thrown instanceof Failed) return thrown.failure;
  if (!(thrown instanceof Error)) throw thrown;
  return { kind: "unreachable", message: quote(wordsOf(thrown), longestMessage) };
}

const longestMessage = 300;

function wordsOf(error: Error & { readonly code?: unknown }): string {
  const { name, message, cause, code } = error;
  if (name === "TimeoutError" || (typeof code === "string" && /^UND_ERR_.*TIMEOUT$/.test(code)))
    return "it does not answer in time";
  return message === "" && cause instanceof Error ? cause.message : message || name;
}

class Connection {
  readonly #place: ApiServerPlace;
  readonly #times: ApiTimes;
  readonly #userAgent: string;
  #token: string | undefined;
  #trusted: { readonly ca: string; readonly agent: Agent } | undefined;
  #date: { readonly at: UnixSeconds; readonly sinceMs: number } | undefined;

  constructor(place: ApiServerPlace, { times, userAgent }: { readonly times: ApiTimes; readonly userAgent: string }) {
    this.#place = place;
    this.#times = times;
    this.#userAgent = userAgent;
  }

  /** Reads a whole answer as JSON. */
  async whole(wanted: Wanted, signal: AbortSignal): Promise<unknown> {
    const { body } = await this.ask(wanted, { signal: AbortSignal.any([signal, AbortSignal.timeout(this.#times.wholeMs)]) });
    const answer = await wholeBody(body);
    try {
      return JSON.parse(answer);
    } catch {
      throw new Failed({ kind: "unreachable", message: "its answer is not JSON" });
    }
  }

  /**
   * Asks once, and returns a successful answer. The server refuses a token a minute after its end: then reads the token's file again and asks once
   * more.
   */
  async ask(
    wanted: Wanted,
    more: { readonly signal: AbortSignal; readonly bodyTimeout?: number },
  ): Promise<Dispatcher.ResponseData> {
    let response = await this.#askOnce(wanted, (this.#token ??= this.#readToken()), more);
    if (response.statusCode === statuses.unauthorized) {
      await response.body.dump();
      this.#token = this.#readToken();
      response = await this.#askOnce(wanted, this.#token, more);
    }
    const { statusCode: status, body } = response;
    if (status >= 200 && status < 300) return response;
    throw refusedAs(status, await wholeBody(body));
  }

  async #askOnce(
    { path, sent }: Wanted,
    token: string,
    more: { readonly signal: AbortSignal; readonly bodyTimeout?: number },
  ): Promise<Dispatcher.ResponseData> {
    const { connectMs: _, headersMs, wholeMs } = this.#times;
    const headers = { authorization: `Bearer ${token}`, accept: "application/json", "user-agent": this.#userAgent };
    const { origin, pathname, search } = new URL(`${this.#place.url}${path}`);
    const response = await this.#agent().request({
      origin,
      path: `${pathname}${search}`,
      ...(sent === undefined
        ? { method: "GET", headers }
        : { method: sent.method, headers: { ...headers, "content-type": sent.type }, body: JSON.stringify(sent.body) }),
      headersTimeout: headersMs,
      bodyTimeout: wholeMs,
      ...more,
    });
    const at = Date.parse(String(response.headers["date"]));
    if (Number.isFinite(at)) this.#date = { at: at / 1000, sinceMs: monotonicMs() };
    return response;
  }

  clock(): UnixSeconds | undefined {
    return this.#date && Math.floor(this.#date.at + (monotonicMs() - this.#date.sinceMs) / 1000);
  }

  async close(): Promise<void> {
    await this.#trusted?.agent.destroy();
  }

  /** Makes a new agent when the authority's file has changed: it may be renewed while this runs. */
  #agent(): Agent {
    const ca = readOrFail(this.#place.caFile);
    if (this.#trusted?.ca === ca) return this.#trusted.agent;
    const old = this.#trusted?.agent;
    const connect = { ca, timeout: this.#times.connectMs, allowH2: false };
    const agent = new Agent({ allowH2: false, connect });
    this.#trusted = { ca, agent };
    // Watches that use the old agent go on to their end.
    void old?.close();
    return agent;
  }

  #readToken(): string {
    const token = readOrFail(this.#place.tokenFile).trim();
    if (/^[\x21-\x7e]+$/.test(token)) return token;
    throw new Failed({ kind: "unreachable", message: `${this.#place.tokenFile} holds no token` });
  }
}

function readOrFail(path: string): string {
  const reading = readFileCapped(path, { capBytes: longestFileBytes, links: "follow" });
  if (reading.kind === "read") return reading.text;
  const why = reading.kind === "refused" ? reading.why : `it is ${reading.kind}`;
  throw new Failed({ kind: "unreachable", message: `${path} cannot be read: ${why}` });
}

/** The API server's refusal. */
const longText = orElse(text(1024 * 1024), "");
const statusShape = record({
  message: longText,
  details: maybe(record({ causes: orElse(listOf(record({ field: longText, message: longText }), 10_000), []) })),
});

const writtenShape = record({ metadata: record({ resourceVersion: word }) });

/** The version of the applied object; undefined if it may not exist. */
export function versionOf(answered: Answered): string | undefined {
  const reading = readAnswer(answered, (answer) => decodeValue(answer, writtenShape, "ignored"));
  return reading.kind === "read" ? reading.value.metadata.resourceVersion : undefined;
}

/** Reads the answer, or says why it cannot be read. */
export function readAnswer<T>(answered: Answered, read: (answer: unknown) => Reading<T>): Reading<T> {
  return answered.kind === "done" ? read(answered.answer) : { kind: "unreadable", why: answered.message };
}

function refusedAs(status: number, body: string): Failed {
  const reading = decode(body, statusShape, "ignored");
  const { message, details } = reading.kind === "read" ? reading.value : { message: "", details: undefined };
  return new Failed({
    kind: "refused",
    status,
    message: quote(message || `it answers ${status}`, longestMessage),
    causes: (details?.causes ?? []).map((cause) => ({ ...cause, message: quote(cause.message, longestMessage) })),
  });
}

type Surroundings = { readonly connection: Connection; readonly times: ApiTimes; readonly signal: AbortSignal };

const pageShape = record({
  metadata: record({ resourceVersion: word, continue: orElse(text(64 * 1024), "") }),
  items: listOf(object, itemsOfPage),
});
const frameShape = record({ type: word, object });
const namedShape = record({ metadata: record({ name: word, resourceVersion: word }) });

/** Thrown to list everything again: the watched version is too old, or the answer may be incomplete. */
class ListAgain extends Error {}

class Follower<T> {
  readonly #what: Followed<T>;
  readonly #seen: (sight: Sight<T>) => void;
  readonly #connection: Connection;
  readonly #times: ApiTimes;
  readonly #signal: AbortSignal;
  /** The current objects; only this class changes them. */
  #items = new Map<string, T>();
  /** The resourceVersion to watch from; undefined means to list everything. */
  #from: string | undefined;
  #frames = 0;
  #isTold = false;

  constructor(what: Followed<T>, seen: (sight: Sight<T>) => void, { connection, times, signal }: Surroundings) {
    this.#what = what;
    this.#seen = seen;
    this.#connection = connection;
    this.#times = times;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    const { firstWaitMs, longestWaitMs } = this.#times;
    let waitMs = firstWaitMs;
    while (!this.#signal.aborted) {
      this.#frames = 0;
      await this.#live();
      if (this.#frames > 0) waitMs = firstWaitMs;
      // A watch without a frame: its version may be in the future, as after a restored etcd, and would stay silent for ever.
      else this.#from = undefined;
      const jitteredMs = waitMs * (0.5 + Math.random() / 2);
      await sleep(jitteredMs, undefined, { signal: this.#signal }).catch(() => undefined);
      waitMs = Math.min(2 * waitMs, longestWaitMs);
    }
  }

  /** One round: a list if none is known yet, then a watch until it ends. */
  async #live(): Promise<void> {
    let body: Dispatcher.ResponseData["body"];
    try {
      if (this.#from === undefined) await this.#list();
      const seconds = Math.floor(leastWatchSeconds + Math.random() * (mostWatchSeconds - leastWatchSeconds));
      const watch = { watch: "true", allowWatchBookmarks: "true", timeoutSeconds: String(seconds) };
      const path = this.#path({ ...watch, resourceVersion: this.#from ?? "" });
      ({ body } = await this.#connection.ask({ path }, { signal: this.#signal, bodyTimeout: this.#times.idleMs }));
    } catch (thrown) {
      if (this.#signal.aborted) return;
      const failure = failureOf(thrown);
      if (failure.kind === "refused" && failure.status === statuses.gone) this.#from = undefined;
      else this.#tell(failure);
      return;
    }
    // Reports objects only once they can be watched too.
    if (!this.#isTold) this.#tell({ kind: "known", items: this.#items });
    try {
      for await (const line of linesOf(body)) this.#take(line);
    } catch (thrown) {
      // A cut watch is no failure: the next round shows whether the server is there.
      if (thrown instanceof ListAgain || thrown instanceof Failed) this.#from = undefined;
    }
  }

  async #list(): Promise<void> {
    const items = new Map<string, T>();
    let from: string | undefined;
    let next = "";
    do {
      const more: Readonly<Record<string, string>> = next === "" ? {} : { continue: next };
      const answer = await this.#connection.whole({ path: this.#path({ limit: String(itemsOfPage), ...more }) }, this.#signal);
      const { metadata, items: found } = readOrRefuse(answer, pageShape);
      for (const item of found) items.set(...this.#read(item));
      from = metadata.resourceVersion;
      next = metadata.continue;
    } while (next !== "");
    this.#from = from;
    this.#items = items;
    this.#isTold = false;
  }

  #take(line: string): void {
    const frame = decode(line, frameShape, "ignored");
    if (frame.kind === "unreadable") throw new ListAgain();
    const { type, object: found } = frame.value;
    if (type === "ERROR") throw new ListAgain();
    if (type === "BOOKMARK") {
      this.#from = readOrRefuse(found, writtenShape).metadata.resourceVersion;
      this.#frames += 1;
      return;
    }
    const { name, resourceVersion } = readOrRefuse(found, namedShape).metadata;
    if (type === "DELETED") this.#items.delete(name);
    else this.#items.set(...this.#read(found));
    this.#from = resourceVersion;
    this.#frames += 1;
    this.#tell(this.#isTold ? { kind: "known", items: this.#items, changed: name } : { kind: "known", items: this.#items });
  }

  #read(found: object): readonly [string, T] {
    const { name } = readOrRefuse(found, namedShape).metadata;
    const reading = this.#what.read(found);
    if (reading.kind === "read") return [name, reading.value];
    throw new Failed({ kind: "unreachable", message: `${name} cannot be read: ${reading.why}` });
  }

  #path(query: Readonly<Record<string, string>>): string {
    const { path, fieldSelector, labelSelector } = this.#what;
    const selectors = labelSelector === undefined ? { fieldSelector } : { fieldSelector, labelSelector };
    return `${path}?${new URLSearchParams({ ...selectors, ...query }).toString()}`;
  }

  #tell(sight: Sight<T>): void {
    this.#isTold = sight.kind === "known";
    this.#seen(sight);
  }
}

/** Throws if an answer does not look like the API server's. */
function readOrRefuse<T>(found: unknown, shape: Shape<T>): T {
  const reading = decodeValue(found, shape, "ignored");
  if (reading.kind === "read") return reading.value;
  throw new Failed({ kind: "unreachable", message: `its answer is not what it should be: ${reading.why}` });
}

async function wholeBody(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > longestBodyBytes) throw new Failed({ kind: "unreachable", message: "its answer is too long" });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let begun: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    let rest = chunk;
    for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
      yield Buffer.concat([...begun, rest.subarray(0, end)]).toString();
      rest = rest.subarray(end + 1);
      [begun, length] = [[], 0];
    }
    if (rest.length === 0) continue;
    begun.push(rest);
    length += rest.length;
    if (length > longestLineBytes) throw new ListAgain();
  }
}

const newline = 0x0a;
