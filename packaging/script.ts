/** Runs a whole script: a failure is one sentence and status 1, not a stack. */
export async function runScript(body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : String(cause));
    process.exitCode = 1;
  }
}
