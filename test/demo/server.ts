import { createReadStream, existsSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";

export type DemoServer = {
  readonly url: string;
  readonly serveVersion: (version: string) => void;
  readonly stop: () => Promise<void>;
};

const channelPath = "/v1/webapi/automaticupgrades/channel/default";

/** One server on loopback for both: the version channel, and the files of the package repository. */
export async function serve(folder: string): Promise<DemoServer> {
  let version = "none";
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    if (path === `${channelPath}/version`) response.end(`${version}\n`);
    else if (path === `${channelPath}/critical`) response.end("no\n");
    else sendFile(join(folder, path.replaceAll("..", "")), response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the demo's server has no address");
  return {
    url: `http://127.0.0.1:${address.port}`,
    serveVersion(served) {
      version = served;
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function sendFile(file: string, response: ServerResponse): void {
  if (!existsSync(file)) {
    response.writeHead(404).end();
    return;
  }
  createReadStream(file)
    .on("error", () => response.destroy())
    .pipe(response);
}
