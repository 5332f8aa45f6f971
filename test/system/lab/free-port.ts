import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

/** For a program that has to be told its port. */
export async function freePort(address: string): Promise<number> {
  const server = createServer().listen(0, address);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
