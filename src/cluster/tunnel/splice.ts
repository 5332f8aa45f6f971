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
    // Only for HTTP/2: Node treats what a reset stream had still to write as written, or keeps the stream open for it.
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

/** Destroys a stream that nobody reads any more, when its last bytes are written or the time is up. */
function endUnread(stream: Duplex): void {
  const late = setTimeout(() => stream.destroy(), longestLastWordMs);
  stream.once("close", () => clearTimeout(late));
  stream.end(() => stream.destroy());
}
