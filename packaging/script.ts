/** Runs a whole script. A failure prints one sentence without a stack, and exits with 1. */
export async function runScript(body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : String(cause));
    process.exitCode = 1;
  }
}
