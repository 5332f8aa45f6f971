import type { Duplex } from "node:stream";

/** For the last bytes of an end that is gone. */
const longestLastWordMs = 10_000;

/** Passes bytes between two ends. Each side's last bytes reach the other, and when one is gone so is the other. */
export function splice(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on("error", () => undefined);
    from.once("close", () => {
      if (!from.readableEnded) to.destroy();
      else if (from.writableFinished) to.end();
      else endUnread(to);
    });
    from.pipe(to);
  }
}

/** Nobody reads it any more: it would keep what it holds for ever. */
function endUnread(stream: Duplex): void {
  const late = setTimeout(() => stream.destroy(), longestLastWordMs);
  stream.once("close", () => clearTimeout(late));
  stream.end(() => stream.destroy());
}
