import type { Found, Images } from "../objects/lookup.ts";
import type { Kept } from "./ask-registry.ts";

export type LookedUp = {
  readonly found: Found;
  /** When the registry may be asked again. */
  readonly againMs: number;
};

export type LookUp = (images: Images) => Promise<LookedUp>;

export type LookUpPorts = {
  readonly look: (image: string) => Promise<Kept>;
  readonly monotonicMs: () => number;
};

/** A found image is asked for again only if its move has to wait for long. */
const thereMs = 300_000;
/** Somebody may be about to push the image. */
const notThereMs = 300_000;
const firstUnknownMs = 60_000;
const longestUnknownMs: number = 30 * 60_000;
const firstBusyMs = 15_000;
/** The longest wait that we accept from a registry. */
const longestBusyMs: number = 60 * 60_000;
/** After this many busy answers in a row, the registry counts as away. */
const mostBusy = 5;
/** The images of all objects. The oldest are dropped. */
const mostKnown = 64;

/** Looks up images, but no more often than the registry allows. */
export function openLookUp({ look, monotonicMs }: LookUpPorts): LookUp {
  const known = new Map<string, LookedUp & { readonly failures: number }>();
  return async (images) => {
    const key = `${images.from} ${images.to}`;
    const before = known.get(key);
    if (before !== undefined && monotonicMs() < before.againMs) return before;
    const { found, retryAfterMs } = await bothOf(images, look);
    const isFailure = found.kind === "unknown" || found.kind === "busy";
    const failures = isFailure ? (before?.failures ?? 0) + 1 : 0;
    const given: Found = found.kind === "busy" && failures >= mostBusy ? { ...found, kind: "unknown" } : found;
    const next = { found: given, failures, againMs: monotonicMs() + waitMs(found, failures, retryAfterMs) };
    known.delete(key);
    known.set(key, next);
    for (const oldest of [...known.keys()].slice(0, -mostKnown)) known.delete(oldest);
    return next;
  };
}

function waitMs({ kind }: Found, failures: number, retryAfterMs: number | undefined): number {
  const doubled = 2 ** Math.min(failures - 1, 20);
  switch (kind) {
    case "there":
      return thereMs;
    case "not-there":
    case "lies":
      return notThereMs;
    case "unknown":
      return Math.min(firstUnknownMs * doubled, longestUnknownMs);
    case "busy":
      return Math.min(Math.max(firstBusyMs * doubled, retryAfterMs ?? 0), longestBusyMs);
  }
}

type Both = { readonly found: Found; readonly retryAfterMs?: number | undefined };

/** Asks for both images; only for the new one if it is missing. */
async function bothOf({ from, to }: Images, look: LookUpPorts["look"]): Promise<Both> {
  const next = await look(to);
  if (next.kind !== "there") return asFound(next);
  const before = await look(from);
  // If a registry lies about one image, its answer about the other does not count.
  if (before.kind === "lies" || before.kind === "busy") return asFound(before);
  const { digest, platforms } = next;
  if (before.kind === "there") {
    const lacks = before.platforms.filter((platform) => !platforms.includes(platform));
    return { found: { kind: "there", digest, lacks, before: "there" } };
  }
  return { found: { kind: "there", digest, lacks: [], before: before.kind === "not-there" ? "gone" : { why: before.why } } };
}

function asFound(kept: Exclude<Kept, { kind: "there" }>): Both {
  if (kept.kind === "not-there") return { found: { kind: "not-there" } };
  const { kind, why } = kept;
  return { found: { kind, why }, retryAfterMs: kept.kind === "busy" ? kept.retryAfterMs : undefined };
}
