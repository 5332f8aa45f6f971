/** A program to run: an argument vector, never a shell line. */
export type Command = {
  readonly argv: readonly [string, ...string[]];
  /** The child's whole environment; it inherits nothing of ours. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
};

export type CommandResult =
  | {
      readonly kind: "exited";
      readonly status: number;
      readonly stdout: string;
      readonly stderr: string;
      /** stdout was longer than the kept part. */
      readonly isCut?: true;
    }
  | {
      readonly kind: "killed";
      readonly signal: string;
      readonly stdout: string;
      readonly stderr: string;
      /** The kernel ended it because it needed memory, or it vanished without a trace. */
      readonly how?: "for lack of memory" | "without a trace";
    }
  | { readonly kind: "timed-out"; readonly afterMs: number }
  | { readonly kind: "not-started"; readonly reason: "missing" | "not-executable" | "other"; readonly message: string };

export type RunCommand = (command: Command) => Promise<CommandResult>;
