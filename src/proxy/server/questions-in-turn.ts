import type { ServerResponse } from "node:http";
import type { Connection, Connections } from "../../machine/listening/connections.ts";
import type { SpareTime } from "../../machine/listening/spare-time.ts";

/** Two questions of an updater; ten of whoever puts as many into it as he can. */
const pieceBytes = 256;
/** What a reverse proxy may make of one question. Whoever sends more at once asks more, or brings a body that nobody needs. */
const longestHeadBytes = 1024;

/**
 * Takes questions from a connection by the piece, and the next piece once the answers to the last one have left. What comes
 * meanwhile waits unparsed, at first here and then with whoever sent it: parsed it would be twenty times as large, and would take
 * the time of all others. Whoever does not wait for answers is behind those who do.
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

  /** With this listener a stream hands out what it is asked for, and nothing by itself. */
  begin(connection: Connection): void {
    const { socket } = connection;
    socket.on("readable", () => {
      if (socket.readableLength <= longestHeadBytes && !this.#next.has(connection)) this.#take(connection);
      else this.#wait(connection);
    });
    socket.once("close", () => this.#leave(connection));
  }

  /** Once a question was looked at. Most answers are on their way by then. */
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
    // Its end is heard of by reading once more.
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
      // Whoever has more comes to the end.
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

  /** Those with the most, down to half: what is left is not to be looked through again at once. */
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
