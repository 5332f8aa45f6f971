import type { IncomingMessage, ServerResponse } from "node:http";
import { readFile } from "node:fs/promises";
import { join, normalize } from "node:path";
import { listen, type LabServer } from "../system/lab/server.ts";
import type { Stage } from "./stage.ts";

/** What goes wrong with a file; undefined: nothing, it is sent as it is. */
export type Mischief = (path: string, file: Buffer, response: ServerResponse) => "done" | undefined;

/** The files of the repository, by a server that does mischief, in the place of the honest one. */
export async function withHostileRepository(stage: Stage, mischief: Mischief, work: () => Promise<unknown>): Promise<void> {
  const { host, repository } = stage;
  const tree = join(host.directory, "repository-svc", "tree");
  const server = await listen({ address: host.network.outerAddress }, (request, response) => {
    void answer(tree, mischief, { request, response });
  });
  await pointAt(stage, repository.server, server);
  try {
    await work();
  } finally {
    await pointAt(stage, server, repository.server);
    await server.goDown();
  }
}

async function answer(
  tree: string,
  mischief: Mischief,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
): Promise<void> {
  const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://outer.test").pathname));
  const file = await readFile(join(tree, path)).catch(() => undefined);
  if (file === undefined) return void response.writeHead(404).end();
  if (mischief(path, file, response) === "done") return;
  response.writeHead(200, { "content-length": file.length }).end(request.method === "HEAD" ? undefined : file);
}

/** As an admin edits the file that names the repository. */
async function pointAt({ host, repository }: Stage, from: LabServer, to: LabServer): Promise<void> {
  await host.mustRun(["sed", "-i", `s/outer\\.test:${from.port}/outer.test:${to.port}/`, repository.sourcesFile]);
}
