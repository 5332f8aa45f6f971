import { createServer, type Socket } from "node:net";
import { rmSync } from "node:fs";
import { decodeRequest, type AskRequest } from "../../../src/updater/record/hand-over.ts";

/** What one process of the asking unit does with its connection, once it has read the question. */
export type Deed = (connection: Socket, request: AskRequest) => void;

export type Unit = { readonly asked: readonly AskRequest[]; readonly close: () => Promise<void> };

/** The asking unit, as far as it shows: one process after the other, each for one connection, the last again and again. */
export async function askingUnit(path: string, deeds: readonly Deed[]): Promise<Unit> {
  rmSync(path, { force: true });
  const asked: AskRequest[] = [];
  const connections = new Set<Socket>();
  let processes = 0;
  const server = createServer((connection) => {
    const deed = deeds[Math.min(processes, deeds.length - 1)]!;
    processes += 1;
    connections.add(connection);
    let said = "";
    connection.setEncoding("utf8");
    connection.on("error", () => undefined);
    connection.on("data", (chunk: string) => {
      said += chunk;
      if (!said.endsWith("\n")) return;
      const request = decodeRequest(said);
      if (request.kind === "unreadable") throw new Error(request.why);
      asked.push(request.value);
      deed(connection, request.value);
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    asked,
    close: () =>
      new Promise((resolve) => {
        for (const connection of connections) connection.destroy();
        server.close(() => resolve());
      }),
  };
}

export function saying(line: (request: AskRequest) => string): Deed {
  return (connection, request) => void connection.end(`${line(request)}\n`);
}
