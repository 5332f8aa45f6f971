import { setTimeout as pause } from "node:timers/promises";
import type { Conversation } from "./conversation.ts";

/** How long to wait for an answer; `stopping` ends the wait earlier. */
export type SocketPatience = { readonly ms: number; readonly stopping?: AbortSignal };

export type End = { readonly kind: "answered"; readonly line: string } | { readonly kind: "given up" | "stopped" };

/** Asks, and ends the conversation at the deadline or when asked to stop. */
export async function askWithin(conversation: Conversation, line: string, { ms, stopping }: SocketPatience): Promise<End> {
  const over = new AbortController();
  const until = stopping === undefined ? over.signal : AbortSignal.any([over.signal, stopping]);
  const givenUp = pause(ms, { kind: "given up" } as const, { signal: until }).catch(() => ({ kind: "stopped" }) as const);
  try {
    const answered = conversation.ask(line).then((told) => ({ kind: "answered", line: told }) as const);
    const end = await Promise.race([answered, givenUp]);
    if (end.kind !== "answered") conversation.end();
    return end;
  } finally {
    over.abort();
  }
}
