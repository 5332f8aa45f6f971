import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { expect, test } from "vitest";
import { splice } from "../../../src/cluster/tunnel/splice.ts";

async function listening(taken: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => undefined);
    taken(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function dial(server: Server): Socket {
  const { port } = server.address() as AddressInfo;
  return connect({ port, host: "127.0.0.1", allowHalfOpen: true }).on("error", () => undefined);
}

test("a splice ends the far end when the near one dies in the midst of what it gets, after it said that it sends no more", async () => {
  const pieces = Buffer.alloc(65_536);
  const far = await listening((socket) => {
    const fill = (): void => {
      while (socket.writable && socket.write(pieces));
    };
    socket.on("drain", fill);
    fill();
  });
  const dialled = Promise.withResolvers<Socket>();
  const front = await listening((socket) => {
    const up = dial(far);
    splice(socket, up);
    dialled.resolve(up);
  });
  const person = dial(front);
  const up = await dialled.promise;
  await once(up, "readable");
  person.end();
  await once(up, "finish");
  const closed = once(up, "close");
  person.resetAndDestroy();
  await closed;
  expect(up.destroyed).toBe(true);
  far.close();
  front.close();
});
