import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export type Balancer = { readonly url: string; readonly close: () => Promise<void> };

/** Chooses for each request again, as balancers do: the one whose turn it is. */
export async function balance(choose: () => string): Promise<Balancer> {
  const server: Server = createServer((asked, answer) => {
    const url = new URL(asked.url ?? "/", choose());
    request(url, { method: asked.method, headers: { ...asked.headers, host: url.host }, agent: false }, (found) => {
      answer.writeHead(found.statusCode ?? 502, found.headers);
      found.pipe(answer);
    })
      .on("error", () => answer.writeHead(502).end())
      .end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

export function inTurn(urls: readonly string[]): () => string {
  let next = 0;
  return () => urls[next++ % urls.length]!;
}
