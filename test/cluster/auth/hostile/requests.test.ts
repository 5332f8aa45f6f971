import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, callIn, session, shakeHands, startWithHosts, status, type Host, type WithHosts } from "../hosts.ts";

let auth: WithHosts;
let node: Host;
beforeAll(async () => {
  auth = await startWithHosts();
  node = await auth.join("node");
});
afterAll(async () => {
  await auth[Symbol.asyncDispose]();
});

/** Each of them is a line in the journal that a stranger could have written. */
const complaints: string[] = [];
const complain = ({ name }: Error): void => void complaints.push(name);
beforeAll(() => void process.on("warning", complain));
afterAll(() => void process.off("warning", complain));

type Sends = {
  readonly what: string;
  /** JoinService/Join unless said: it is everybody's. */
  readonly method?: string;
  readonly type?: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly code?: string;
};

const megabyte = 1024 * 1024;
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
const joining = (fields: object): string => JSON.stringify({ token: "x", certificateRequest: "x", hostname: "a", ...fields });

/** By whoever shows nothing, or by root where the method is for people. */
const table: readonly Sends[] = [
  { what: "a number where a text should be", body: joining({ hostname: 1 }), status: 400, code: "invalid_argument" },
  { what: "a list where a message should be", body: "[]", status: 400, code: "invalid_argument" },
  { what: "half of a message", body: '{"token":"x"', status: 400, code: "invalid_argument" },
  { what: "what is no UTF-8", body: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), status: 403 },
  { what: "the same key twice", body: '{"token":"x","token":"y","hostname":"a"}', status: 400, code: "invalid_argument" },
  {
    what: "a prototype",
    body: joining({ __proto__x: 1, constructor: { prototype: 1 } }),
    status: 403,
    code: "permission_denied",
  },
  {
    what: "objects 10,000 deep",
    body: joining({}).replace("}", `,"later":${nested(5000)}}`),
    status: 403,
    code: "permission_denied",
  },
  { what: "lists 30,000 deep", body: "[".repeat(30_000), status: 400, code: "invalid_argument" },
  {
    what: "more than strangers may send",
    body: joining({ hostname: "a".repeat(70_000) }),
    status: 429,
    code: "resource_exhausted",
  },
  { what: "10 MB", body: "x".repeat(10 * megabyte), status: 429, code: "resource_exhausted" },
  { what: "text", type: "text/plain", body: "{}", status: 415 },
  { what: "grpc-web, which is not spoken", type: "application/grpc-web+proto", body: "", status: 415 },
  {
    what: "another protobuf",
    type: "application/proto",
    body: new Uint8Array([0xff, 0xff, 0xff]),
    status: 500,
    code: "internal",
  },
  { what: "gzip, which is not taken", body: "{}", headers: { "content-encoding": "gzip" }, status: 501, code: "unimplemented" },
  { what: "a deadline that is none", body: "{}", headers: { "connect-timeout-ms": "soon" }, status: 400 },
  {
    what: "a deadline of years over gRPC",
    type: "application/grpc",
    body: "",
    headers: { "grpc-timeout": "99999999H" },
    status: 200,
  },
  { what: "a method that is not there", method: "JoinService/Leave", body: "{}", status: 404, code: "unimplemented" },
  { what: "a path that climbs", method: "../../etc/passwd", body: "{}", status: 404, code: "unimplemented" },
  { what: "a backup as one answer", method: "ClusterService/Backup", body: "{}", status: 415 },
];

type Came = { readonly status: number; readonly code: string | undefined };

function headersOf({ type = "application/json", headers = {} }: Sends): Record<string, string> {
  return { ...(type === "" ? {} : { "content-type": type }), ...headers };
}

/** Raw, since no client sends everything of it. */
async function overHttp1(sends: Sends): Promise<Came> {
  const { method = "JoinService/Join", body } = sends;
  const bytes = Buffer.from(body);
  const told = Object.entries({ host: "auth", "content-length": String(bytes.length), ...headersOf(sends) });
  const head = `POST /svc.v1.${method} HTTP/1.1\r\n${told.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  const socket = await shakeHands(auth.stranger);
  socket.on("error", () => undefined);
  socket.write(head);
  socket.write(bytes);
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
  await Promise.race([new Promise((resolve) => socket.once("close", resolve)), until(() => isWhole(text), socket)]);
  socket.destroy();
  const code = /"code":"([a-z_]+)"/.exec(text)?.[1];
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0), code };
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = /^content-length: (\d+)/im.exec(text)?.[1];
  return length === undefined ? /\r\n0\r\n(?:.+\r\n)*\r\n$/.test(text) : text.length >= end + 4 + Number(length);
}

function until(isSo: () => boolean, socket: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    socket.on("data", () => {
      if (isSo()) resolve();
    });
  });
}

async function overHttp2(sends: Sends): Promise<Came> {
  const { method = "JoinService/Join", body } = sends;
  // Of the client: what it has not sent yet is its own.
  const opened = session(auth.stranger, { maxSessionMemory: 100 });
  const asked = opened.request({ ":method": "POST", ":path": `/svc.v1.${method}`, ...headersOf(sends) });
  asked.on("error", () => undefined);
  const head = once(asked, "response") as Promise<[Record<string, unknown>]>;
  let text = "";
  asked.setEncoding("utf8");
  asked.on("data", (chunk: string) => (text += chunk));
  asked.end(Buffer.from(body));
  const ended = Promise.race([once(asked, "end"), once(asked, "aborted")]);
  const [told] = await head;
  await ended;
  opened.destroy();
  return { status: Number(told[":status"]), code: /"code":"([a-z_]+)"/.exec(text)?.[1] };
}

describe.each([
  ["HTTP/1.1", overHttp1],
  ["HTTP/2", overHttp2],
] as const)("over %s", (_protocol, sendBy) => {
  test.each(table.map((row) => [row.what, row] as const))(
    "%s is refused in words, and the next host is answered",
    async (_what, row) => {
      const answer = await sendBy(row);
      expect(answer.status).toBe(row.status);
      if (row.code !== undefined) expect(answer.code).toBe(row.code);
      expect(await call(node.trusting, status, {})).toMatchObject({ status: 200 });
    },
  );
});

test("no deadline makes the runtime complain", () => {
  expect(complaints).toEqual([]);
});

describe("what only root may send", () => {
  test.each([
    ["a resource that is 900 deep", { resource: { kind: "role", metadata: { name: "a" }, spec: JSON.parse(nested(900)) } }],
    ["a resource of the wrong type", { resource: [] }],
    ["a kind of a million letters", { resource: { kind: "x".repeat(900_000) } }],
  ])("%s is refused in words", async (_what, body) => {
    const { status: code, text } = await auth.ask("ResourceService/CreateResource", body);
    expect(code).toBe(400);
    expect(text.length).toBeLessThan(10_000);
    expect(await call(node.trusting, status, {})).toMatchObject({ status: 200 });
  });

  test("10 MB is refused at root's socket too", async () => {
    const { status: code } = await auth
      .ask("ResourceService/CreateResource", "x".repeat(10 * megabyte))
      .catch(() => ({ status: 429 }));
    expect(code).toBe(429);
    expect(await auth.ask(status)).toMatchObject({ status: 200 });
  });
});

test("fields that nobody knows are passed over in every call that succeeds", async () => {
  expect(await call(node.trusting, status, { later: { deep: [1] } })).toMatchObject({ status: 200 });
  const opened = session(node.trusting);
  expect(await callIn(opened, status, { later: null })).toMatchObject({ status: 200 });
  opened.destroy();
});

test("questions that do not wait for answers end the connection, once there are too many", async () => {
  const socket = await shakeHands(node.trusting);
  socket.on("error", () => undefined);
  const closed = new Promise((resolve) => socket.resume().once("close", resolve));
  const one = `POST /svc.v1.${status} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`;
  socket.write(one.repeat(20_000));
  await closed;
  expect(await call(node.trusting, status, {})).toMatchObject({ status: 200 });
});
