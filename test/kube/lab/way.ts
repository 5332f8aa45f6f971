import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** The way to a server of loopback, which a test may cut. */
export type Way = AsyncDisposable & {
  readonly url: string;
  /** Every connection breaks, and no other comes about. */
  readonly cut: () => Promise<void>;
  readonly restore: () => Promise<void>;
};

export async function wayTo(url: string): Promise<Way> {
  const there = Number(new URL(url).port);
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    const onward = connect(there, "127.0.0.1");
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on("error", () => undefined);
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const cut = async (): Promise<void> => {
    const isClosed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await isClosed;
  };
  return {
    url: `https://127.0.0.1:${port}`,
    cut,
    restore: () => listen(port),
    async [Symbol.asyncDispose]() {
      if (server.listening) await cut();
    },
  };
}
