import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

export type ServerRequest = {
  readonly method: string;
  /** Path and query, as they came. */
  readonly path: string;
  readonly userAgent: string;
  readonly status: number;
};

export type LabServer = {
  readonly port: number;
  /** Every request that was answered, the oldest first. */
  readonly requests: readonly ServerRequest[];
  /** Closes the port for real, connections too: refused from then on. */
  readonly goDown: () => Promise<void>;
  /** On the same port again. */
  readonly comeUp: () => Promise<void>;
};

export type Certificate = { readonly key: string; readonly cert: string };

/** A server for hosts, in this process; `port` 0 takes a free one. */
export async function listen(
  at: { readonly address: string; readonly port?: number; readonly certificate?: Certificate },
  answer: RequestListener,
): Promise<LabServer> {
  const requests: ServerRequest[] = [];
  const listener: RequestListener = (request, response) => {
    response.on("close", () => {
      const { method = "", url: path = "" } = request;
      requests.push({ method, path, userAgent: request.headers["user-agent"] ?? "", status: response.statusCode });
    });
    answer(request, response);
  };
  const server = at.certificate === undefined ? createServer(listener) : createSecureServer(at.certificate, listener);
  const port = await open(server, at.address, at.port ?? 0);
  return {
    port,
    requests,
    goDown: async () => {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
    comeUp: async () => void (await open(server, at.address, port)),
  };
}

async function open(server: Server, address: string, port: number): Promise<number> {
  server.listen(port, address);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
