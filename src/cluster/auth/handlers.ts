import type { DescMethodServerStreaming, DescMethodUnary, DescService, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Services } from "../api/services.ts";
import type { Caller } from "./caller.ts";
import type { AuthContext, Handler } from "./context.ts";

/** A handler whose answer comes in pieces. */
export type StreamHandler<Request, Response> = (
  context: AuthContext,
  caller: Caller,
  request: Request,
) => AsyncIterable<Response>;

type HandlerOf<Method> =
  Method extends DescMethodUnary<infer Input, infer Output>
    ? Handler<MessageShape<Input>, MessageInitShape<Output>>
    : Method extends DescMethodServerStreaming<infer Input, infer Output>
      ? StreamHandler<MessageShape<Input>, MessageInitShape<Output>>
      : never;

/** The handlers of a service, by method. */
export type HandlersOf<Service extends DescService> = {
  readonly [Name in keyof Service["method"]]: HandlerOf<Service["method"][Name]>;
};

/** Everything that auth answers. */
export type Handlers = { readonly [Name in keyof Services]: HandlersOf<Services[Name]> };
