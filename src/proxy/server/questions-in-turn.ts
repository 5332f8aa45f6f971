import type { ServerResponse } from "node:http";
import type { Connection, Connections } from "../../machine/listening/connections.ts";
import type { SpareTime } from "../../machine/listening/spare-time.ts";

/** How many bytes are read at once: two requests of an updater, or ten of the smallest possible. */
const pieceBytes = 256;
/** The size of a request that a reverse proxy sends. More bytes at once are several requests, or an unwanted body. */
const longestHeadBytes = 1024;

/**
 * Reads requests from a connection piece by piece, each after the last answers were sent. The other bytes wait unparsed, first here and then at the
 * sender: parsed, they would be twenty times as large and delay everybody. Clients that wait for their answers come first.
 */
export class Turns {
  readonly #connections: Connections;
  readonly #mostUnread: number;
  readonly #tell: () => void;
  readonly #behind = new Set<Connection>();
  readonly #next = new Set<Connection>();
  #unread = 0;

  constructor(connections: Connections, { mostUnread, spare }: { readonly mostUnread: number; readonly spare: SpareTime }) {
    this.#connections = connections;
    this.#mostUnread = mostUnread;
    this.#tell = spare.spend(() => this.#takeNext());
  }

  /** Starts to read a connection. With this listener, Node's stream gives only as many bytes as we ask for. */
  begin(connection: Connection): void {
    const { socket } = connection;
    socket.on("readable", () => {
      if (socket.readableLength <= longestHeadBytes && !this.#next.has(connection)) this.#take(connection);
      else this.#wait(connection);
    });
    socket.once("close", () => this.#leave(connection));
  }

  /** Call it after each request. Counts the request as unanswered until its answer was sent. */
  asked(connection: Connection, response: ServerResponse): void {
    if (response.writableEnded && response.writableLength === 0) return;
    connection.unanswered += 1;
    response.on("close", () => {
      connection.unanswered -= 1;
      if (connection.socket.readableLength > 0) this.#wait(connection);
    });
  }

  #take(connection: Connection): void {
    const { socket, lastAsked } = connection;
    // The stream reports its end only to another read.
    if (socket.readableLength === 0) socket.read();
    for (let taken = 0; taken < longestHeadBytes; taken += pieceBytes) {
      if (connection.unanswered > 0 || connection.lastAsked !== lastAsked) break;
      if (socket.read(socket.readableLength > pieceBytes ? pieceBytes : undefined) === null) break;
    }
    this.#wait(connection);
  }

  #wait(connection: Connection): void {
    this.#count(connection);
    if (connection.unread === 0 || connection.unanswered > 0 || connection.socket.destroyed) return;
    this.#next.add(connection);
    this.#tell();
  }

  #takeNext(): boolean {
    for (const connection of this.#next) {
      // A client with more requests moves to the end.
      this.#next.delete(connection);
      this.#take(connection);
      return true;
    }
    return false;
  }

  #count(connection: Connection): void {
    const unread = connection.socket.readableLength;
    if (unread === connection.unread) return;
    this.#unread += unread - connection.unread;
    connection.unread = unread;
    if (unread > 0) this.#behind.add(connection);
    else this.#behind.delete(connection);
    if (this.#unread > this.#mostUnread) this.#shed();
  }

  #leave(connection: Connection): void {
    this.#unread -= connection.unread;
    connection.unread = 0;
    this.#behind.delete(connection);
    this.#next.delete(connection);
  }

  /** Closes the connections with the most unread bytes until half of the limit is free, so that this is seldom needed. */
  #shed(): void {
    const worst = [...this.#behind].toSorted((one, other) => other.unread - one.unread || one.lastAsked - other.lastAsked);
    const shed: Connection[] = [];
    for (const connection of worst) {
      if (this.#unread <= this.#mostUnread / 2) break;
      this.#leave(connection);
      shed.push(connection);
    }
    this.#connections.close("most-unread", shed);
  }
}
