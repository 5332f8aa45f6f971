import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import { connections } from "../../../../src/cluster/storage/postgresql/connections.ts";
import { expect, onTestFinished, test } from "vitest";
import { certificateFor } from "../../../demo/cluster/certificate.ts";

test("an address is compared with the server's certificate, and not named to it", async () => {
  const { certificate, privateKey } = await certificateFor("10.0.0.9");
  const secureContext = createSecureContext({ cert: certificate, key: privateKey });
  // Answers the request for TLS as PostgreSQL does.
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write("S");
      new TLSSocket(socket, { isServer: true, secureContext }).on("error", () => undefined);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const warned: string[] = [];
  const warn = ({ message }: Error): unknown => warned.push(message);
  process.on("warning", warn);
  onTestFinished(() => void process.off("warning", warn));
  const { port } = server.address() as AddressInfo;
  const tried = connections({
    host: "127.0.0.1",
    port,
    user: "svc",
    database: "svc",
    password: undefined,
    tls: { ca: certificate },
  });
  await expect(tried.query("SELECT 1")).rejects.toThrow("its certificate is for another name");
  await tried.close();
  expect(warned).toEqual([]);
});
