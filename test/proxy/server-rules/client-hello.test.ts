import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { connect, type ConnectionOptions } from "node:tls";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { askedName, type AskedName } from "../../../src/proxy/server-rules/client-hello.ts";

/** What a real client sends first. */
async function helloOf(options: ConnectionOptions): Promise<Buffer> {
  const server = createServer();
  server.listen({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const client = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", ...options });
  client.on("error", () => undefined);
  const [socket] = await once(server, "connection");
  const [bytes] = (await once(socket, "data")) as [Buffer];
  client.destroy();
  server.close();
  return bytes;
}

const asked = "auth.00000000-0000-4000-8000-000000000000.svc.internal";
const named: AskedName = { kind: "name", name: asked };
const none: AskedName = { kind: "none" };
const cutShort: AskedName = { kind: "cut-short" };

let hello: Buffer;
beforeAll(async () => {
  hello = await helloOf({ servername: asked });
});

/** The same message in records of so many bytes. */
function inRecords(bytes: Buffer, size: number): Buffer {
  const message = bytes.subarray(5);
  const records: Buffer[] = [];
  for (let at = 0; at < message.length; at += size) {
    const piece = message.subarray(at, at + size);
    records.push(Buffer.from([22, 3, 1, piece.length >> 8, piece.length & 255]), piece);
  }
  return Buffer.concat(records);
}

/** With these bytes at a place. */
function changed(bytes: Buffer, at: number, ...others: readonly number[]): Buffer {
  const copy = Buffer.from(bytes);
  copy.set(others, at);
  return copy;
}

/** Where the name's extension begins: its type, two lengths and a third, then the name. */
const extensionAt = (): number => hello.indexOf(asked) - 9;

describe("the name that a client asks for", () => {
  test.each<readonly [string, ConnectionOptions]>([
    ["TLS 1.3", {}],
    ["TLS 1.2 alone", { maxVersion: "TLSv1.2" }],
    ["in capitals", { servername: asked.toUpperCase() }],
  ])("is read from a real hello: %s", async (_title, options) => {
    expect(askedName(await helloOf({ servername: asked, ...options }))).toEqual(named);
  });

  test("is missing if the client names no host", async () => {
    expect(askedName(await helloOf({}))).toEqual(none);
  });

  test("is read from records of any size", () => {
    for (const size of [1, 2, 3, 5, 50, 200, 16_384]) expect(askedName(inRecords(hello, size))).toEqual(named);
  });

  test("is read as soon as it has arrived, and before that more bytes may come", () => {
    const until = hello.indexOf(asked) + asked.length;
    for (let length = 0; length < hello.length; length += 1) {
      expect(askedName(hello.subarray(0, length))).toEqual(length < until ? cutShort : named);
    }
  });

  test("is read where early data follows", () => {
    expect(askedName(Buffer.concat([hello, Buffer.from([23, 3, 3, 0, 1, 0])]))).toEqual(named);
  });

  test("is missing in bytes that are no hello", () => {
    for (const bytes of [
      Buffer.from("GET / HTTP/1.1\r\n\r\n"),
      Buffer.from("PROXY TCP4 192.0.2.1 192.0.2.2 1 443\r\n"),
      Buffer.from([0x80, 0x2e, 1, 3, 1]),
      changed(hello, 0, 23),
      changed(hello, 1, 2),
      changed(hello, 3, 0, 0),
      changed(hello, 3, 0x40, 1),
      changed(hello, 5, 2),
      Buffer.concat([inRecords(hello, 20).subarray(0, 25), Buffer.from([23, 3, 3, 0, 1, 0])]),
    ])
      expect(askedName(bytes)).toEqual(none);
  });

  test("is missing if it goes beyond its place in the message", () => {
    const at = extensionAt();
    for (const bytes of [
      // The hello ends in its ciphers, before its extensions, in the name's head, in the name.
      changed(hello, 6, 0, 0, 40),
      changed(hello, 6, 0, 0, at - 9),
      changed(hello, 6, 0, 0, at + 2 - 9),
      changed(hello, 6, 0, 0, at + 6 - 9),
      changed(hello, 6, 0, 0, at + 15 - 9),
      // The extension is shorter than its name; the name is of another kind, empty, too long.
      changed(hello, at + 2, 0, 10),
      changed(hello, at + 6, 1),
      changed(hello, at + 7, 0, 0),
      changed(hello, at + 7, 1, 0),
    ])
      expect(askedName(bytes)).toEqual(none);
  });

  test("is looked for in any bytes, and nothing is thrown", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void askedName(bytes)));
    fc.assert(
      fc.property(fc.nat(2000), fc.array(fc.tuple(fc.nat(600), fc.nat(255)), { maxLength: 20 }), (length, changes) => {
        let bytes: Buffer = hello;
        for (const [at, byte] of changes) if (at < bytes.length) bytes = changed(bytes, at, byte);
        void askedName(bytes.subarray(0, length));
      }),
    );
  });
});
