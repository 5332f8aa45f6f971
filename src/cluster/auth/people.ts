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
  readonly hashing: Queue;
  /** What became of passwords that were shown, for metrics. */
  readonly signIns: Record<SignInOutcome, number>;
};

export type SignInOutcome = "ok" | RefusedSignIn["why"];

const hashingLimits = { atOnce: 2, waiting: 64, waitingOfOne: 4 };

export function rememberPeople(started: UnixSeconds): People {
  return {
    proofs: makeProofMemory(started),
    pauses: makePauses(),
    refused: makeRefusedSignIns(),
    hashing: makeQueue(hashingLimits),
    signIns: { ok: 0, password: 0, code: 0, paused: 0 },
  };
}
