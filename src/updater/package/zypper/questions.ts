/** An unanswered question leaves its line open, and the next message continues it. */
export function withoutQuestions(output: string): string {
  return output.replace(/^.*\? \[[^\]\n]*\] \([^)\n]*\): ?/gm, "");
}
