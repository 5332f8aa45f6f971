import type { UnixSeconds } from "../../rules/window/window.ts";
import { makePauses, type Pauses } from "./pauses.ts";
import { makeProofMemory, type ProofMemory } from "./proof-memory.ts";
import { makeQueue, type Queue } from "./queue.ts";
import { makeRefusedSignIns, type RefusedSignIn, type RefusedSignIns } from "./refused-sign-ins.ts";

/** What auth remembers of people between two calls. All of it is bounded, and none of it outlives the process. */
export type People = {
  readonly proofs: ProofMemory;
  readonly pauses: Pauses;
  readonly refused: RefusedSignIns;
  /** For passwords: each costs 19 MiB and some 25 ms of a processor. */
  readonly hashing: Hashing;
  /** What became of passwords that were shown, for metrics. */
  readonly signIns: Record<SignInOutcome, number>;
};

/** The network is the proxy's word. */
export type From = { readonly proxy: string; readonly network: string };

export type Hashing = { readonly run: <T>(from: From, work: () => Promise<T>) => Promise<T> };

export type SignInOutcome = "ok" | RefusedSignIn["why"];

const hashingLimits = { atOnce: 2, waiting: 64, waitingOfOne: 4 };

export function rememberPeople(started: UnixSeconds): People {
  return {
    proofs: makeProofMemory(started),
    pauses: makePauses(),
    refused: makeRefusedSignIns(),
    hashing: hashInTurns(),
    signIns: { ok: 0, password: 0, code: 0, paused: 0 },
  };
}

/** Proxies take turns, then the networks behind each: a proxy that makes up networks waits for itself. */
function hashInTurns(): Hashing {
  const proxies = makeQueue({ ...hashingLimits, waiting: Number.POSITIVE_INFINITY });
  const behind = new Map<string, Queue>();
  return {
    run: ({ proxy, network }, work) => {
      const networks = behind.get(proxy) ?? makeQueue(hashingLimits);
      behind.set(proxy, networks);
      return networks.run(network, () => proxies.run(proxy, work));
    },
  };
}
