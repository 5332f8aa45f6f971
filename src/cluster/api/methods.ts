import type { MessageJsonType } from "@bufbuild/protobuf";
import type { Services } from "./services.ts";

type Named = {
  [Service in keyof Services]: {
    [Local in keyof Services[Service]["method"] & string]: {
      readonly name: `${Service}/${Capitalize<Local>}`;
      readonly method: Services[Service]["method"][Local];
    };
  }[keyof Services[Service]["method"] & string];
}[keyof Services];

type MethodsOf<Kind> = {
  readonly [One in Extract<Named, { readonly method: { readonly methodKind: Kind } }> as One["name"]]: {
    readonly request: MessageJsonType<One["method"]["input"]>;
    readonly response: MessageJsonType<One["method"]["output"]>;
  };
};

/** The schema's methods with a single answer, in JSON. */
export type Methods = MethodsOf<"unary">;
/** Methods whose answer comes in pieces. */
export type Streams = MethodsOf<"server_streaming">;
