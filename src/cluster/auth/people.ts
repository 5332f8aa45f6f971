import { shareAudit, type AuditShare } from "./audit-share.ts";
import type { Store } from "../storage/port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { makePauses, pausesIn, type Pauses } from "./sign-in-pauses.ts";
import { makePendingSignIns, type PendingSignIns } from "./pending-sign-ins.ts";
import { makeProofMemory, proofsIn, type ProofMemory } from "./proof-memory.ts";
import { makeQueue, type Queue } from "./queue.ts";
import { makeRefusedSignIns, type RefusedSignIn, type RefusedSignIns } from "./refused-sign-ins.ts";

/** What auth remembers about people between calls, within limits. It is in memory, except what other auths on the same store must know. */
export type People = {
  readonly proofs: ProofMemory;
  readonly pauses: Pauses;
  readonly refused: RefusedSignIns;
  readonly audit: AuditShare;
  /** Sign-ins through a browser. */
  readonly pending: PendingSignIns;
  /** Hashes few passwords at once: each takes 19 MiB and some 25 ms of a processor. */
  readonly hashing: Hashing;
  /** Counts sign-ins by outcome, for metrics. */
  readonly signIns: Record<SignInOutcome, number>;
};

/** Where a sign-in comes from. The proxy names the network, and auth cannot check it. */
export type From = { readonly proxy: string; readonly network: string };

export type Hashing = { readonly run: <T>(from: From, work: () => Promise<T>) => Promise<T> };

/** "connector" means refused through a connector. */
export type SignInOutcome = "ok" | RefusedSignIn["why"] | "connector";

const hashingLimits = { atOnce: 2, waiting: 64, waitingOfOne: 4 };

export function rememberPeople(started: UnixSeconds, store: Store, shared: "alone" | "shared" = "alone"): People {
  const [proofs, pauses] = [makeProofMemory(started), makePauses()];
  return {
    proofs: shared === "shared" ? proofsIn(store, proofs) : proofs,
    pauses: shared === "shared" ? pausesIn(store, pauses) : pauses,
    refused: makeRefusedSignIns(),
    audit: shareAudit(),
    pending: makePendingSignIns(store),
    hashing: hashInTurns(),
    signIns: { ok: 0, password: 0, code: 0, paused: 0, connector: 0 },
  };
}

/** Proxies take turns, and so do the networks behind each proxy. A proxy that invents networks delays only itself. */
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
