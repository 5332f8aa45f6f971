import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** An address of auth that can be closed and opened, or lead elsewhere. */
export type Relay = AsyncDisposable & {
  readonly port: number;
  leadsTo: number | "nowhere";
  readonly met: () => number;
  /** Ends what is open. */
  readonly cut: () => void;
};

export async function startRelay(leadsTo: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let met = 0;
  const server = createServer((near) => {
    met += 1;
    sockets.add(near.on("error", () => undefined).on("close", () => sockets.delete(near)));
    if (relay.leadsTo === "nowhere") return void near.destroy();
    const far = connect(relay.leadsTo, "127.0.0.1");
    sockets.add(far.on("error", () => near.destroy()).on("close", () => sockets.delete(far)));
    near.pipe(far).pipe(near);
    near.on("close", () => far.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const relay: Relay = {
    port: (server.address() as AddressInfo).port,
    leadsTo,
    met: () => met,
    cut: () => sockets.forEach((socket) => socket.destroy()),
    [Symbol.asyncDispose]: async () => {
      relay.cut();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return relay;
}
