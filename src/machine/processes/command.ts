/** A program to run: an argument vector, never a shell line. */
export type Command = {
  readonly argv: readonly [string, ...string[]];
  /** The whole environment of the child; nothing of ours is inherited. */
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
      /** There was more on stdout than is kept. */
      readonly isCut?: true;
    }
  | {
      readonly kind: "killed";
      readonly signal: string;
      readonly stdout: string;
      readonly stderr: string;
      /** By the kernel, which needed its memory; or so thoroughly that nobody was left to say by what. */
      readonly how?: "for lack of memory" | "without a trace";
    }
  | { readonly kind: "timed-out"; readonly afterMs: number }
  | { readonly kind: "not-started"; readonly reason: "missing" | "not-executable" | "other"; readonly message: string };

export type RunCommand = (command: Command) => Promise<CommandResult>;
