import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import type { Host } from "./host.ts";

/**
 * Lets a host reach a port of another one: no two hosts have a network in common. The answer is the port on the outer end of the
 * first host's network; byte by byte it is the other host's.
 */
export async function relay(from: Host, to: { readonly host: Host; readonly port: number }): Promise<number> {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(to.port, to.host.network.innerAddress);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        open.delete(socket);
        other.destroy();
      });
    }
    near.pipe(far);
    far.pipe(near);
  });
  server.listen(0, from.network.outerAddress);
  await once(server, "listening");
  from.atStop(async () => {
    const closed = once(server, "close");
    server.close();
    for (const socket of open) socket.destroy();
    await closed;
  });
  return (server.address() as AddressInfo).port;
}
