import { STATUS_CODES, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { siteOf } from "../../machine/listening/connections.ts";
import { AtOnce, type AtOnceLimits } from "./at-once.ts";
import type { RelayedCall } from "./relay.ts";

/** A person's stream to a host, or auth's refusal in its protocol's words. */
export type OpenedShell =
  | { readonly kind: "open"; readonly stream: Duplex }
  | { readonly kind: "refused"; readonly status: number; readonly date: string | undefined; readonly body: Uint8Array };

export type Shells = { readonly open: (call: RelayedCall) => Promise<OpenedShell> };

/** What takes requests that become streams. */
export type Upgrades = {
  readonly isAskedFor: (request: IncomingMessage) => boolean;
  readonly take: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
};

export const shellLimits: AtOnceLimits & { readonly waitMs: number; readonly lastWordMs: number } = {
  atOnce: 4096,
  atOnceOfOne: 512,
  waitMs: 30_000,
  lastWordMs: 2000,
};

const path = "/svc.v1.ShellService/OpenShell";
/** The word of the upgrade, and the header that holds the call. */
export const shellProtocol = "svc-shell";
const callHeader = "svc-call";
const longestCall = 4096;

/** Splices a person's connection with a stream to a host, once auth allows it. */
export function shellsFor({ open }: Shells, splice: (one: Duplex, other: Duplex) => void): Upgrades {
  const places = new AtOnce(shellLimits);
  return {
    isAskedFor: ({ url, headers }) => url === path && headers.upgrade?.toLowerCase() === shellProtocol,
    take: (request, socket, head) => {
      socket.on("error", () => undefined);
      const { remoteAddress = "" } = request.socket;
      const place = places.take(siteOf(remoteAddress), () => socket.destroy());
      if (place === undefined) return refuse(socket, refusal(503, "unavailable", "this proxy has as many open shells as it may"));
      socket.once("close", () => place.giveBack());
      void handOn({ request, socket, head, open, splice });
    },
  };
}

type HandingOn = Shells & {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly splice: (one: Duplex, other: Duplex) => void;
};

async function handOn({ request, socket, head, open, splice }: HandingOn): Promise<void> {
  const { headers, socket: from } = request;
  const over = new AbortController();
  const leave = (): void => over.abort();
  socket.once("close", leave);
  const sent = headers[callHeader];
  if (typeof sent !== "string" || sent.length > longestCall)
    return refuse(socket, refusal(400, "invalid_argument", "the request has no call of a person"));
  const passed = ["authorization", "dpop"].flatMap((name) => {
    const value = headers[name];
    return typeof value === "string" && value.length <= longestCall ? [[name, value]] : [];
  });
  const address = (from.remoteAddress ?? "").replace(/^::ffff:/, "");
  try {
    const opened = await open({
      path,
      body: Buffer.from(sent, "base64url"),
      headers: Object.fromEntries([...passed, ["svc-client-address", address]]),
      signal: AbortSignal.any([over.signal, AbortSignal.timeout(shellLimits.waitMs)]),
    });
    if (opened.kind === "refused") return refuse(socket, opened);
    if (socket.destroyed) {
      opened.stream.destroy();
      return;
    }
    socket.off("close", leave);
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${shellProtocol}\r\n\r\n`);
    opened.stream.write(head);
    splice(socket, opened.stream);
  } catch {
    // The proxy's log has the reason, which a stranger must not learn.
    refuse(socket, refusal(503, "unavailable", "the proxy cannot reach the cluster's auth service at present"));
  }
}

type Refused = { readonly status: number; readonly body: Uint8Array; readonly date?: string | undefined };

function refusal(status: number, code: string, message: string): Refused {
  return { status, body: Buffer.from(`${JSON.stringify({ code, message })}\n`) };
}

function refuse(socket: Duplex, { status, body, date }: Refused): void {
  if (socket.destroyed) return;
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Cache-Control: no-store",
    "Connection: close",
    ...(date === undefined ? [] : [`Date: ${date}`]),
  ];
  // Cuts a client that does not read the answer or does not close its half, or it would keep its place for ever.
  const late = setTimeout(() => socket.destroy(), shellLimits.lastWordMs);
  socket.once("close", () => clearTimeout(late));
  socket.resume();
  socket.end(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), body]));
}
