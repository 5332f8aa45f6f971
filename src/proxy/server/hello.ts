import type { Socket } from "node:net";
import { askedName } from "../server-rules/client-hello.ts";

/** A client hello with a session and both kinds of keys has about 2000 bytes. No client of auth sends more before the host's name. */
const mostBytes = 16 * 1024;

/** Reads which host a connection asks for and leaves its bytes to be read again. Calls back once, or never if the client is gone. */
export function readHello(socket: Socket, mostMs: number, done: (name: string | undefined) => void): void {
  let read = Buffer.alloc(0);
  const ignore = (): void => undefined;
  const stop = (): void => {
    clearTimeout(timer);
    socket.off("readable", look).off("end", leave).off("close", stop).off("error", ignore);
  };
  const decide = (name: string | undefined): void => {
    stop();
    if (read.length > 0) socket.unshift(read);
    done(name);
  };
  const look = (): void => {
    const piece = socket.read() as Buffer | null;
    if (piece === null) return;
    read = Buffer.concat([read, piece]);
    const asked = askedName(read.subarray(0, mostBytes));
    if (asked.kind === "cut-short" && read.length < mostBytes) return;
    decide(asked.kind === "name" ? asked.name : undefined);
  };
  const leave = (): void => void socket.destroy();
  const timer = setTimeout(decide, mostMs, undefined);
  socket.on("readable", look).on("end", leave).on("close", stop).on("error", ignore);
}
