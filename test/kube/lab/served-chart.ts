import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { packChart } from "../../../packaging/helm/pack.ts";

/** As any web server has it. */
export async function servedChart(): Promise<AsyncDisposable & { readonly url: string }> {
  const folder = mkdtempSync(join(tmpdir(), "svc-chart-"));
  const files = packChart(folder);
  const server = createServer(({ url = "" }, answer) => {
    const file = files.find((path) => url === `/${basename(path)}`);
    answer.writeHead(file === undefined ? 404 : 200).end(file === undefined ? "" : readFileSync(file));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
      rmSync(folder, { recursive: true });
    },
  };
}
