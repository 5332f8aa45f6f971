/** Removes unanswered questions. Each has no newline, so the next message stands on the same line. */
export function withoutQuestions(output: string): string {
  return output.replace(/^.*\? \[[^\]\n]*\] \([^)\n]*\): ?/gm, "");
}
