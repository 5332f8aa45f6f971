import { once } from "../call/once.ts";
import type { RpmDatabase } from "./installed.ts";

/** Wraps the effects with `runInTrusted`, which is loaded when rpm is first asked, so never on a host with apt. */
export function inTrusted<Effects extends RpmDatabase>(effects: Effects): () => Promise<Effects> {
  return once(async () => {
    const { runInTrusted } = await import("./run-in-trusted.ts");
    return { ...effects, run: runInTrusted(effects.run, effects.root) };
  });
}
