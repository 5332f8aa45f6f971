/** The instant formats of RFC 9110 all name GMT or are in it; the obsolete asctime form does not say so. */
const httpDate =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT)$/;

/**
 * How long a server wants us to wait: seconds, or a date. A date counts from the server's own Date, never from our clock,
 * which may be years off. Anything else says nothing.
 */
export function retryAfterMs(answer: {
  readonly retryAfter: string | undefined;
  readonly date: string | undefined;
}): number | undefined {
  const text = answer.retryAfter?.trim();
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const until = instantOf(text);
  const from = instantOf(answer.date?.trim());
  return until === undefined || from === undefined ? undefined : Math.max(0, until - from);
}

function instantOf(text: string | undefined): number | undefined {
  if (text === undefined || !httpDate.test(text)) return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}
