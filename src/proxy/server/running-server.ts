import type { ChannelName } from "../../rules/channel/path.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { KeyPair } from "./key-pairs.ts";
import type { ServingRequests } from "./answer-request.ts";
import type { Upstream } from "./upstream/keep-asking.ts";

/** A server while it runs, as those see it who look after it. */
export type Live = {
  readonly serving: ServingRequests;
  /** Of the configuration in force. */
  upstreams: ReadonlyMap<ChannelName, Upstream>;
  /** In force or not, of the configuration in force. */
  certificates: readonly KeyPair[];
  readonly now: () => UnixSeconds;
  /** When somebody last asked whether it is ready, by a clock that never jumps. */
  askedReadyMs: number | undefined;
};
