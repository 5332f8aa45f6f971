import { connect } from "node:net";
import { Lost, SaidTooMuch } from "./lost.ts";

/** A connection to a unit behind a socket. The unit answers each line with a line. */
export type Conversation = {
  readonly ask: (line: string) => Promise<string>;
  readonly end: () => void;
  readonly isOver: () => boolean;
};

export type Partner = { readonly path: string; /** What is longer is no answer. */ readonly longestAnswerBytes: number };

/** Throws the system's error if nobody listens. */
export async function openConversation({ path, longestAnswerBytes }: Partner): Promise<Conversation> {
  const connection = connect(path);
  const opened = Promise.withResolvers<undefined>();
  let waiting: PromiseWithResolvers<string> | undefined;
  let said = "";
  let isOver = false;

  function lose(why: Lost = new Lost("the connection ended")): void {
    isOver = true;
    waiting?.reject(why);
    waiting = undefined;
  }

  connection.setEncoding("utf8");
  connection.once("connect", () => opened.resolve(undefined));
  connection.on("error", (error) => {
    opened.reject(error);
    lose();
  });
  connection.on("close", () => lose());
  connection.on("data", (chunk: string) => {
    said += chunk;
    const end = said.indexOf("\n");
    if (end === -1 && said.length > longestAnswerBytes) {
      lose(new SaidTooMuch(`it is longer than ${longestAnswerBytes} bytes`));
      return void connection.destroy();
    }
    // A line before any question is not an answer.
    if (end === -1) return undefined;
    if (waiting === undefined) return void connection.destroy();
    const line = said.slice(0, end);
    said = said.slice(end + 1);
    // An idle connection does not keep the process alive.
    connection.unref();
    waiting.resolve(line);
    waiting = undefined;
    return undefined;
  });
  await opened.promise;
  return {
    ask: (line) => {
      if (isOver) return Promise.reject(new Lost("the connection had ended"));
      waiting = Promise.withResolvers<string>();
      connection.ref();
      connection.write(`${line}\n`);
      return waiting.promise;
    },
    end: () => connection.destroy(),
    isOver: () => isOver,
  };
}
