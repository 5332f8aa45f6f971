/** Why a call ended. node:http reports an ended wait as an abort, whose cause says whether time was up. */
export function whyEnded(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "";
  const isLate = thrown.name === "AbortError" && thrown.cause instanceof Error && thrown.cause.name === "TimeoutError";
  return isLate ? "TimeoutError" : thrown.name;
}
