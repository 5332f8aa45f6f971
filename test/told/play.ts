import { main } from "../../src/updater/cli/main.ts";

export type Played = { readonly status: number; readonly stdout: string; readonly stderr: string };

export type Playing = {
  readonly environment?: Readonly<Record<string, string>>;
  readonly userId?: number;
  readonly stopping?: AbortSignal;
};

/** The whole program in this process, as its entry file calls it: quick enough for a hundred answers. */
export async function play(argv: readonly string[], playing: Playing = {}): Promise<Played> {
  let stdout = "";
  let stderr = "";
  const status = await main({
    argv,
    environment: { PATH: process.env["PATH"], ...playing.environment },
    userId: playing.userId ?? process.getuid?.() ?? -1,
    out: (text) => (stdout += text),
    error: (text) => (stderr += text),
    stdoutIs: "other",
    stderrIs: "other",
    stopping: playing.stopping ?? new AbortController().signal,
  });
  return { status, stdout, stderr };
}
