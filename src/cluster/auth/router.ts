import type { DescMethod, DescService } from "@bufbuild/protobuf";
import {
  createConnectRouter,
  createContextKey,
  type ConnectError,
  type ContextValues,
  type HandlerContext,
  type ServiceImpl,
} from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { services } from "../api/services.ts";
import type { Log } from "../../machine/logging/log.ts";
import { admit } from "./admit.ts";
import type { Caller } from "./caller.ts";
import { connectError } from "./connect-error.ts";
import type { AuthContext } from "./context.ts";
import { findPerson } from "./find-person.ts";
import type { Handlers } from "./handlers.ts";
import { mostMessageBytes, mostTimeoutMs } from "./limits.ts";
import { outcomeKey, whyRefused, type Outcome } from "./outcome.ts";

/** Finds the caller. Runs at every call, before its body is read. */
export type FindCaller = () => Promise<Caller>;

const stranger: Caller = { kind: "stranger", address: "", why: "no-certificate", past: undefined };
const nobody: FindCaller = () => Promise.resolve(stranger);
export const findCallerKey: ReturnType<typeof createContextKey<FindCaller>> = createContextKey<FindCaller>(nobody);
/** The body of the call. */
export type ReadWhole = () => Promise<Uint8Array>;
const noBody: ReadWhole = () => Promise.resolve(new Uint8Array());
export const readWholeKey: ReturnType<typeof createContextKey<ReadWhole>> = createContextKey<ReadWhole>(noBody);
const callerKey = createContextKey<Caller>(stranger);

/** Serves every method by its path. Each passes the same gate. */
export function routes(context: AuthContext, handlers: Handlers): ReadonlyMap<string, UniversalHandler> {
  const { log } = context;
  const router = createConnectRouter({
    grpcWeb: false,
    // Accepts no compressed message, which could be huge once unpacked.
    acceptCompression: [],
    readMaxBytes: mostMessageBytes,
    maxTimeoutMs: mostTimeoutMs,
    requestGate: async ({ service, method, values, requestMethod: verb, requestHeader: header }) => {
      const name = nameOf(service, method);
      const outcome = values.get(outcomeKey);
      let caller: Caller | undefined;
      try {
        caller = await values.get(findCallerKey)();
        caller = await findPerson(caller, { method: name, verb, header, readWhole: values.get(readWholeKey) }, context);
        admit(caller, name);
        values.set(callerKey, caller);
      } catch (thrown) {
        const why = caller === undefined ? undefined : whyRefused(caller, thrown);
        if (why !== undefined) outcome.refused = why;
        throw failed(thrown, { method: name, log, outcome });
      }
    },
  });
  for (const [name, service] of Object.entries(services)) {
    router.service(service, implementing(service, handlers[name as keyof Handlers], context));
  }
  return new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
}

type Failing = { readonly method: string; readonly log: Log; readonly outcome: Outcome };

function failed(thrown: unknown, { method, log, outcome }: Failing): ConnectError {
  const error = connectError(thrown, { method, log });
  outcome.failed = error.code;
  return error;
}

function nameOf(service: DescService, method: DescMethod): string {
  return `${service.typeName}/${method.name}`;
}

function implementing(service: DescService, handlers: object, context: AuthContext): Partial<ServiceImpl<DescService>> {
  const entries = Object.entries(handlers).map(([localName, handler]) => {
    const method = service.method[localName];
    if (method === undefined) throw new TypeError(`${service.typeName} has no method ${localName}`);
    return [localName, implement(method, handler as AnyHandler, context)];
  });
  return Object.fromEntries(entries) as Partial<ServiceImpl<DescService>>;
}

type AnyHandler = (context: AuthContext, caller: Caller, request: unknown) => Promise<unknown> & AsyncIterable<unknown>;

function implement(method: DescMethod, handler: AnyHandler, context: AuthContext): unknown {
  const told = { method: nameOf(method.parent, method), log: context.log };
  const fail = (thrown: unknown, values: ContextValues): ConnectError =>
    failed(thrown, { ...told, outcome: values.get(outcomeKey) });
  if (method.methodKind === "server_streaming") {
    return async function* (request: unknown, { values }: HandlerContext): AsyncGenerator {
      try {
        yield* handler(context, values.get(callerKey), request);
      } catch (thrown) {
        throw fail(thrown, values);
      }
    };
  }
  return async (request: unknown, { values }: HandlerContext): Promise<unknown> => {
    try {
      return await handler(context, values.get(callerKey), request);
    } catch (thrown) {
      throw fail(thrown, values);
    }
  };
}
