import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll } from "vitest";

export type FileServer = {
  readonly url: string;
  /** The names of the package files that were asked for, in their order. */
  readonly fetched: string[];
  readonly close: () => Promise<void>;
};

/** Serves a directory to the tests of a file, and counts. */
export async function serverOfFile(directory: string): Promise<FileServer> {
  const server = await fileServer(directory);
  afterAll(() => server.close());
  return server;
}

/** Serves a directory, and counts. */
export async function fileServer(directory: string): Promise<FileServer> {
  const fetched: string[] = [];
  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? "").replace(/^.*\//, ""));
    if (name.endsWith(".deb")) fetched.push(name);
    const path = join(directory, name);
    if (name === "" || !existsSync(path)) {
      response.writeHead(404).end();
      return;
    }
    createReadStream(path).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fetched,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
