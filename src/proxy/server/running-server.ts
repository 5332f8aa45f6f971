import type { ChannelName } from "../../rules/channel/path.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { KeyPair } from "./key-pairs.ts";
import type { ServingRequests } from "./answer-request.ts";
import type { Upstream } from "./upstream/keep-asking.ts";

/** A running server, as its diagnostics and reloads see it. */
export type Live = {
  readonly serving: ServingRequests;
  /** What the current configuration has. */
  upstreams: ReadonlyMap<ChannelName, Upstream>;
  /** What the current configuration has, also expired and future ones. */
  certificates: readonly KeyPair[];
  readonly now: () => UnixSeconds;
  /** When somebody last asked whether the server is ready, by a clock that never jumps. */
  askedReadyMs: number | undefined;
};
