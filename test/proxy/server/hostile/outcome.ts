import { connect, type Socket } from "node:net";
import { channelPath } from "../running.ts";

/** What came of bytes: each answer as "STATUS", with the fault or the version in its body, and what became of the connection. */
export type Outcome = { readonly answers: readonly string[]; readonly connection: "kept" | "closed" };

export type Sent = {
  readonly bytes: string;
  /** How many are waited for; a connection that is closed without any is waited for with none. */
  readonly answers: number;
  /** What sends the bytes and goes on sending; unless said, they are sent at once. */
  readonly send?: (socket: Socket, bytes: string) => void;
};

const ordinary = `GET ${channelPath("default")} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** Sends, waits for the answers, and then asks an ordinary question on the same connection. */
export function outcomeOf(to: number | Socket, { bytes, answers: wanted, send = sendAtOnce }: Sent): Promise<Outcome> {
  return new Promise((resolve) => {
    let heard = "";
    let isAsked = false;
    const socket = typeof to === "number" ? connect(to, "127.0.0.1") : to;
    const end = (connection: Outcome["connection"]): void => {
      const answers = answersIn(heard);
      resolve({ answers: connection === "kept" ? answers.slice(0, -1) : answers, connection });
      socket.destroy();
    };
    socket.on("data", (chunk: Buffer) => {
      heard += chunk.toString("latin1");
      const { length } = answersIn(heard);
      if (length > wanted && isAsked) end("kept");
      if (length < wanted || wanted === 0 || isAsked) return;
      isAsked = true;
      socket.write(ordinary);
    });
    // A connection that is reset is closed.
    socket.on("error", () => undefined);
    socket.on("close", () => end("closed"));
    send(socket, bytes);
  });
}

function sendAtOnce(socket: Socket, bytes: string): void {
  socket.write(bytes, "latin1");
}

/** Every answer that is there whole. */
function answersIn(heard: string): readonly string[] {
  const answers: string[] = [];
  for (let rest = heard; ;) {
    const end = rest.indexOf("\r\n\r\n") + 4;
    if (end < 4) return answers;
    const head = rest.slice(0, end);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    const chunked = /^transfer-encoding: chunked/im.test(head) ? "0\r\n\r\n".length : 0;
    const body = rest.slice(end, end + length + chunked);
    if (body.length < length + chunked) return answers;
    const [, status = head] = /^HTTP\/1\.1 (\d{3}) /.exec(head) ?? [];
    answers.push(`${status} ${/"code":"([^"]+)"/.exec(body)?.[1] ?? /^v[\d.]+/.exec(body)?.[0] ?? ""}`.trim());
    rest = rest.slice(end + body.length);
  }
}
