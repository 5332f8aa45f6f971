import type { UnixSeconds } from "../../rules/window/window.ts";
import type { ObjectSights } from "./object-sights.ts";
import type { Seen } from "./watched-objects.ts";
import type { Watched, WeighScope } from "./weigh.ts";
import type { DueEvent, ToldEvent, WriteScope } from "./write.ts";

export type LookScope = WriteScope &
  WeighScope & {
    readonly sights: Pick<ObjectSights, "wrote" | "overtaken" | "unsure" | "isUnsure">;
    readonly remindSeconds: number;
    readonly told: Map<string, ToldEvent>;
  };

/** What this process remembers between two looks. The record has everything else. */
export type LookMemory = {
  /** The decision that was last logged. */
  readonly words: string | undefined;
  readonly remindedAt: UnixSeconds;
  readonly trigger: string | undefined;
  readonly slip: string | undefined;
  /** Events that could not be written yet. Each look tries them again. */
  readonly owed: readonly DueEvent[];
  /** Undefined after a time in which a part could not be seen. */
  readonly watched: Watched | undefined;
  /** Why the image's field could not be given back. */
  readonly keptField: string | undefined;
};

/** What is seen now, and what the last look remembered. */
export type Before = { readonly seen: Seen; readonly memory: LookMemory | undefined };
