/** A question that nobody answers leaves its line open for what is said next. */
export function withoutQuestions(output: string): string {
  return output.replace(/^.*\? \[[^\]\n]*\] \([^)\n]*\): ?/gm, "");
}
