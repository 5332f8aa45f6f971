import type { Duplex } from "node:stream";

/** How long the last bytes of a closed stream may take to reach the other end. */
const longestLastWordMs = 10_000;

/** Passes bytes between two streams, up to the last ones. When one stream closes, the other closes too. */
export function splice(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    let isReset = false;
    // For HTTP/2: after a reset, Node reports unsent bytes as written, or keeps the stream open for them.
    from.once("aborted", () => {
      isReset = true;
      if (from.readableEnded) from.destroy();
      else from.once("end", () => from.destroy());
    });
    from.on("error", () => undefined);
    from.once("close", () => {
      if (!from.readableEnded) to.destroy();
      else if (!isReset && from.writableFinished) to.resume().end();
      else endUnread(to);
    });
    from.pipe(to);
  }
}

/** Ends a stream that nobody reads any more. Destroys it when its last bytes are written, or after ten seconds. */
function endUnread(stream: Duplex): void {
  const late = setTimeout(() => stream.destroy(), longestLastWordMs);
  stream.once("close", () => clearTimeout(late));
  stream.end(() => stream.destroy());
}
