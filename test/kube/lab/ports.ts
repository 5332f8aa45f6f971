import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ports of outgoing connections, which would take a free one before the program listens on it. */
const range = { first: 20_000, behind: 32_768 };
const mostTries = 50;

/** The first of that many free ports of loopback in a row. */
export async function freePortsInARow(count: number): Promise<number> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const first = randomInt(range.first, range.behind - count);
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(first + index)));
    if (!free.includes(false)) return first;
  }
  throw new Error(`no ${count} free ports in a row between ${range.first} and ${range.behind}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const server = createServer();
    server.once("error", () => answer(false));
    server.listen(port, "127.0.0.1", () => server.close(() => answer(true)));
  });
}
