import { createPublicKey } from "node:crypto";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import type { AddressInfo } from "node:net";
import { issue, type Authority } from "../../../src/cluster/identity/authority.ts";
import { makeKeyPair } from "../../../src/cluster/identity/key.ts";
import type { ClusterId, InstanceKind } from "../../../src/cluster/identity/names.ts";
import { instance } from "../identity/made.ts";

const day = 86_400;

export type Impostor = AsyncDisposable & {
  readonly port: number;
  /** What it was sent, once the handshake was over. */
  readonly heard: () => string;
  /** How many have connected. */
  readonly met: () => number;
  /** Of each handshake, whether it went on with an earlier one's session. */
  readonly resumed: readonly boolean[];
};

export type Showing = {
  /** What signs its certificate. */
  readonly signer: Authority;
  /** What it shows as its authority; the signer unless given. */
  readonly shown?: string;
  readonly cluster: ClusterId;
  readonly kind?: InstanceKind;
  readonly now: number;
  readonly from?: number;
  readonly until?: number;
  /** What it says to whatever it is asked; nothing unless given. */
  readonly answer?: string;
};

/** Speaks TLS, and writes down what it is sent. */
export async function startImpostor(showing: Showing): Promise<Impostor> {
  const {
    signer,
    shown = signer.certificate,
    cluster,
    kind = "auth",
    now,
    from = now - 2 * day,
    until = now + day,
    answer,
  } = showing;
  const pair = await makeKeyPair();
  const { certificate } = await issue(signer, {
    subject: { cluster, kind, id: instance },
    publicKey: createPublicKey(pair.publicKey),
    validity: { from, until },
  });
  const heard: Buffer[] = [];
  const resumed: boolean[] = [];
  const listener = (socket: TLSSocket): void => {
    resumed.push(socket.isSessionReused());
    socket.on("error", () => undefined).on("data", (piece) => heard.push(piece));
    if (answer !== undefined) socket.once("data", () => socket.end(answer));
  };
  const options = { cert: `${certificate}${shown}`, key: pair.privateKey, requestCert: true, rejectUnauthorized: false };
  return started(createTlsServer(options, listener), heard, resumed);
}

/** Speaks no TLS: answers whatever it is sent with the text, closes the connection where there is none, or never does anything. */
export function startPlain(answer: string | undefined): Promise<Impostor> {
  const heard: Buffer[] = [];
  return started(
    createServer((socket) => {
      socket.on("error", () => undefined);
      if (answer !== "never") socket.once("data", () => (answer === undefined ? socket.destroy() : socket.end(answer)));
    }),
    heard,
  );
}

async function started(server: Server, heard: readonly Buffer[], resumed: readonly boolean[] = []): Promise<Impostor> {
  const sockets = new Set<Socket>();
  let met = 0;
  server.on("connection", (socket: Socket) => {
    met += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => undefined);
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    heard: () => Buffer.concat(heard).toString(),
    met: () => met,
    resumed,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
