import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { namesTag } from "../server-rules/etag.ts";
import { refusals } from "../server-rules/refusal.ts";
import { wrongWith } from "../server-rules/wrong-with.ts";
import type { Answers, Slot } from "./prepared-answers.ts";
import type { Connections } from "../../machine/listening/connections.ts";
import type { Meter } from "./meter.ts";
import type { PreparedServer } from "./prepared.ts";
import { isCall, type AnswerCall } from "./relay.ts";
import { isVisit } from "./visit.ts";

/** The parts that may change while the server runs. */
export type ServingRequests = {
  answers: Answers;
  readonly meter: Meter;
  readonly connections: Pick<Connections, "count" | "all">;
  /** While the server drains, each connection ends with its next answer. */
  mood: "open" | "draining";
  /** Passes people's calls on to the auth service, if this proxy belongs to a cluster. */
  readonly relay?: AnswerCall | undefined;
  /** Answers browsers in the middle of a sign-in. */
  readonly visit?: AnswerCall | undefined;
};

/** Answers requests. A known target costs a lookup and a write. */
export function respondFor(serving: ServingRequests, mostConnections: number): RequestListener {
  const { meter } = serving;
  return (request, response) => {
    const startedMs = performance.now();
    const isCrowded = serving.connections.count > mostConnections;
    const refused = isCrowded ? refusals.tooManyConnections : wrongWith(request);
    const say = (answer: PreparedServer): void => {
      const isRead = request.method === "GET" || request.method === "HEAD";
      // Ends the connection: its next request would not be answered, or its next bytes are an unwanted body.
      if (refused !== undefined || !isRead || serving.mood === "draining") response.shouldKeepAlive = false;
      send(answer, request, response);
      meter.observe((performance.now() - startedMs) / 1000);
    };
    const handOn = isCall(request) ? serving.relay : isVisit(request) ? serving.visit : undefined;
    if (refused === undefined && handOn !== undefined) {
      if (serving.mood === "draining") response.shouldKeepAlive = false;
      // This handler answers every request and never fails.
      void handOn(request, response);
      return;
    }
    const answer = refused === undefined ? answerTo(request, serving) : serving.answers.refused(refused);
    // A late answer has a deadline and never fails.
    if (answer instanceof Promise) void answer.then(say);
    else say(answer);
  };
}

function answerTo(request: IncomingMessage, serving: ServingRequests): PreparedServer | Promise<PreparedServer> {
  const { answers } = serving;
  const found = answers.find(request.url ?? "");
  if ("kind" in found) return answers.refused(found);
  if (request.method !== "GET" && request.method !== "HEAD") return answers.refused(refusals.methodNotAllowed);
  const known = knownAnswer(found, request);
  if (known !== undefined) return known;
  return found.first.then(() => {
    const first = knownAnswer(found, request);
    if (first !== undefined) return first;
    // If a reload came meanwhile, asks the new answers, where the channel may have changed or disappeared.
    return serving.answers === answers ? answers.refused(refusals.upstreamUnknown) : answerTo(request, serving);
  });
}

function knownAnswer({ answer, decided }: Slot, request: IncomingMessage): PreparedServer | undefined {
  return decided === undefined ? answer : decided(request.headers);
}

function send(answer: PreparedServer, request: IncomingMessage, response: ServerResponse): void {
  const { unchanged } = answer;
  const ifNoneMatch = unchanged === undefined ? undefined : request.headers["if-none-match"];
  if (unchanged !== undefined && ifNoneMatch !== undefined && namesTag(ifNoneMatch, unchanged.etag)) {
    unchanged.count.value += 1;
    response.writeHead(304, unchanged.headers as string[]).end();
    return;
  }
  answer.count.value += 1;
  response.writeHead(answer.status, answer.headers as string[]);
  if (request.method === "HEAD") response.end();
  else response.end(answer.body, "latin1");
}
