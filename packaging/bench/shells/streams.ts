import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, connect, type AddressInfo } from "node:net";
import type { Readable } from "node:stream";
import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/** A server in an sshd's place that sends everybody the same bytes. */
export type Source = { readonly port: number; readonly bytes: Buffer; readonly close: () => void };

export async function openSource(size: number): Promise<Source> {
  const bytes = randomBytes(size);
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.end(bytes);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, bytes, close: () => server.close() };
}

/** The rate from the first byte to the last, in MB/s. Throws unless all bytes came as they were sent. */
export async function rateOf(stream: Readable, expected: Buffer): Promise<number> {
  let [firstMs, lastMs, sum, length] = [0, 0, 0, 0];
  for await (const piece of stream as AsyncIterable<Buffer>) {
    lastMs = performance.now();
    if (length === 0) firstMs = lastMs;
    length += piece.length;
    sum = crc32(piece, sum);
  }
  if (length !== expected.length || sum !== crc32(expected))
    throw new Error(`${length} of ${expected.length} bytes came, or other ones`);
  return length / 1000 / (lastMs - firstMs);
}

/** The rate of what a program prints. */
export async function rateOfProgram(
  [command, ...words]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  expected: Buffer,
): Promise<number> {
  const child = spawn(command, words, { stdio: ["pipe", "pipe", "inherit"], env });
  try {
    return await rateOf(child.stdout, expected);
  } finally {
    child.kill();
  }
}

export function rateAt(port: number, expected: Buffer): Promise<number> {
  return rateOf(connect({ host: "127.0.0.1", port }), expected);
}
