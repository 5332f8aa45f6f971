import { createServer, type Socket } from "node:net";

export type ServingSocket = {
  /** Where: the socket that the service manager holds, or a path. */
  readonly listen: { readonly fd: number } | { readonly path: string };
  /** Gives a line for a line; what it throws ends all. `gone`: nobody waits for it any more. */
  readonly answer: (line: string, gone: AbortSignal) => Promise<string>;
  /** What is longer is no request. */
  readonly longestRequestBytes: number;
  /** The call in hand is answered, and nothing after it. */
  readonly stopping: AbortSignal;
  /** How long somebody may take to come. */
  readonly patienceMs?: number;
};

/** Whoever starts the unit by hand connects to nothing. */
const usualPatienceMs = 5000;

/**
 * One connection, and one request at a time on it; whoever connects meanwhile waits for the next process. A call in hand is finished
 * even where nobody waits for its answer.
 */
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
    // From here on others wait in the kernel's queue.
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

/** Reads all the time, to see that the other side is gone. It asks for one thing at a time: who says more, or endlessly, is not heard to the end. */
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
  // What is wrong with it is told by its end.
  connection.on("error", () => undefined);
  connection.on("close", () => {
    gone.abort();
    if (!isBusy) over.resolve(undefined);
  });
  const end = (): void => {
    // Whether or not the other side ends as well.
    if (!isBusy) connection.destroySoon();
  };
  stopping.addEventListener("abort", end);
  if (stopping.aborted) end();
  return over.promise;
}
