/*
 * A crowd of hostile clients, in a process of its own: attacker.ts PORT http|https MANNER CONNECTIONS SECONDS. They come from an
 * address of their own, and are gone after that time at the latest.
 */
import { connect, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";
import { channelPath } from "../running.ts";
import type { Manner } from "./manner.ts";

const [port, scheme, manner, connections, seconds] = process.argv.slice(2);
const where = { port: Number(port), host: "127.0.0.1", localAddress: "127.0.0.2" };
const question = `GET ${channelPath("default")} HTTP/1.1\r\nHost: a\r\n`;
const many = Buffer.from(`${question}\r\n`.repeat(100));
const againMs = 100;

const behave: Readonly<Record<Manner, (socket: Socket) => void>> = {
  "ask without reading": (socket) => pour(socket.pause()),
  "ask without waiting": (socket) => pour(socket.resume()),
  "ask by halves": (socket) => void socket.resume().write(question),
  "keep connections": (socket) => void socket.resume(),
};

for (let count = 0; count < Number(connections); count += 1) begin();
setTimeout(() => process.exit(), Number(seconds) * 1000);

function begin(): void {
  const socket = scheme === "https" ? connectSecurely({ ...where, rejectUnauthorized: false }) : connect(where);
  socket.once(scheme === "https" ? "secureConnect" : "connect", () => behave[manner as Manner](socket));
  socket.on("error", () => undefined);
  socket.on("close", () => setTimeout(begin, againMs));
}

function pour(socket: Socket): void {
  const more = (): void => {
    while (socket.write(many));
  };
  socket.on("drain", more);
  more();
}
