/** The text of a body; undefined if it is not UTF-8, the only reason for which the decoder throws. */
export function utf8In(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}
