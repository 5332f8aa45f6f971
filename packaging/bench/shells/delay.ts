// A slow network in a process: `delay.ts MILLISECONDS FROM TO` listens at the port FROM, dials the port TO, and passes each byte on after the delay.
import { connect, createServer, type Socket } from "node:net";

const [delayMs = 0, from = 0, to = 0] = process.argv.slice(2).map(Number);
const host = "127.0.0.1";
/** More bytes than are ever under way, because a smaller buffer would slow the sender down. */
const mostBytes = 256 * 1024 * 1024;

createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
  const far = connect({ host, port: to, allowHalfOpen: true, noDelay: true });
  pass(near, far);
  pass(far, near);
}).listen(from, host);

type Passing = { readonly dueMs: number; readonly act: () => void };

function pass(one: Socket, other: Socket): void {
  const waiting: Passing[] = [];
  let bytes = 0;
  const later = (act: () => void): void => {
    waiting.push({ dueMs: performance.now() + delayMs, act });
    if (waiting.length === 1) setTimeout(passDue, delayMs);
  };
  function passDue(): void {
    const now = performance.now();
    while ((waiting[0]?.dueMs ?? Infinity) <= now) waiting.shift()?.act();
    const [next] = waiting;
    if (next !== undefined) setTimeout(passDue, next.dueMs - now);
  }
  one.on("data", (piece) => {
    bytes += piece.length;
    if (bytes > mostBytes) one.pause();
    later(() => {
      other.write(piece);
      bytes -= piece.length;
      if (bytes <= mostBytes) one.resume();
    });
  });
  one.on("end", () => later(() => other.end()));
  one.on("error", () => undefined);
  one.on("close", () => later(() => other.destroy()));
}
