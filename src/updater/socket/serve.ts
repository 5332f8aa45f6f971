import { createServer, type Socket } from "node:net";

export type ServingSocket = {
  /** systemd's socket, or a path. */
  readonly listen: { readonly fd: number } | { readonly path: string };
  /** Answers a line with a line; an exception ends everything. `gone` is aborted when nobody waits for the answer any more. */
  readonly answer: (line: string, gone: AbortSignal) => Promise<string>;
  /** A longer line is not a request. */
  readonly longestRequestBytes: number;
  /** After this signal the current request is answered, and no other. */
  readonly stopping: AbortSignal;
  /** How long to wait for a first connection. */
  readonly patienceMs?: number;
};

/** Ends after this time: if an administrator starts the unit by hand, nobody connects. */
const usualPatienceMs = 5000;

/** Serves one connection, one request at a time; other callers wait for the next process. A request is finished even if its caller has gone. */
export async function serveOne(serving: ServingSocket): Promise<"served" | "nobody came"> {
  const connection = await firstConnection(serving);
  if (connection === undefined) return "nobody came";
  await converse(connection, serving);
  return "served";
}

function firstConnection({ listen, stopping, patienceMs = usualPatienceMs }: ServingSocket): Promise<Socket | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket | undefined>();
  const server = createServer();
  const giveUp = (): void => resolve(undefined);
  const timer = setTimeout(giveUp, patienceMs);
  stopping.addEventListener("abort", giveUp, { once: true });
  server.once("error", reject);
  server.once("connection", (connection) => {
    // Later callers wait in the kernel's queue.
    server.close();
    server.on("connection", (late) => late.destroy());
    resolve(connection);
  });
  server.listen(listen);
  return promise.finally(() => {
    clearTimeout(timer);
    server.close();
  });
}

/** Answers one request at a time. Keeps reading, to notice when the other side is gone; a client that sends too much is cut off. */
function converse(connection: Socket, { answer, longestRequestBytes, stopping }: ServingSocket): Promise<void> {
  const over = Promise.withResolvers<undefined>();
  const gone = new AbortController();
  let said = "";
  let isBusy = false;

  function goOn(): void {
    const end = said.indexOf("\n");
    if (end !== said.lastIndexOf("\n") || said.length > longestRequestBytes) return void connection.destroy();
    if (end === -1 || isBusy) return undefined;
    const line = said.slice(0, end);
    said = said.slice(end + 1);
    carryOut(line).catch((thrown: unknown) => {
      over.reject(thrown);
      connection.destroy();
    });
    return undefined;
  }

  async function carryOut(line: string): Promise<void> {
    isBusy = true;
    const told = await answer(line, gone.signal);
    isBusy = false;
    if (gone.signal.aborted) return over.resolve(undefined);
    connection.write(`${told}\n`);
    if (stopping.aborted) connection.destroySoon();
    else goOn();
  }

  connection.setEncoding("utf8");
  connection.on("data", (chunk: string) => {
    said += chunk;
    goOn();
  });
  // The end of the connection reports the error.
  connection.on("error", () => undefined);
  connection.on("close", () => {
    gone.abort();
    if (!isBusy) over.resolve(undefined);
  });
  const end = (): void => {
    // Ends, whether or not the other side does.
    if (!isBusy) connection.destroySoon();
  };
  stopping.addEventListener("abort", end);
  if (stopping.aborted) end();
  return over.promise;
}
