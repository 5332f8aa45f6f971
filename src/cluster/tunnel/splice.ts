import type { Duplex } from "node:stream";

/** Passes bytes between two ends. Each side's last bytes reach the other, and when one is gone so is the other. */
export function splice(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on("error", () => undefined);
    from.once("close", () => {
      if (from.readableEnded) to.end();
      else to.destroy();
    });
    from.pipe(to);
  }
}
