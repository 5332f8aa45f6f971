/** Seconds since the Unix epoch. All code that decides uses this form of time. */
export type UnixSeconds = number;

/** A span that includes its start and excludes its stop. */
export type Window = { readonly start: UnixSeconds; readonly stop: UnixSeconds };

export type Opening =
  | { readonly kind: "open"; readonly until: UnixSeconds }
  | { readonly kind: "closed"; readonly opensAt: UnixSeconds | undefined };

/**
 * Whether one of the windows is open and until when, or when the next one opens. Windows that touch or overlap count as one. The schedule file, the
 * local window and the blackouts all use this function.
 */
export function openingAt(windows: readonly Window[], now: UnixSeconds): Opening {
  const ordered = inOrder(windows);
  let until: UnixSeconds | undefined;
  for (const window of ordered) {
    const from = until ?? now;
    if (window.start <= from && window.stop > from) until = window.stop;
  }
  if (until !== undefined) return { kind: "open", until };
  return { kind: "closed", opensAt: openingAfter(ordered, now) };
}

/** The first start after an instant; undefined without one. */
export function openingAfter(windows: readonly Window[], instant: UnixSeconds): UnixSeconds | undefined {
  return inOrder(windows).find((window) => window.start > instant)?.start;
}

function inOrder(windows: readonly Window[]): readonly Window[] {
  return windows.toSorted((left, right) => left.start - right.start);
}
