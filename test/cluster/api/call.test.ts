import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, toBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { call, stream } from "../../../src/cluster/api/call.ts";
import { RefusalSchema } from "../../../src/cluster/api/generated/svc/v1/refusal_pb.ts";
import { overSocket } from "../../../src/cluster/api/root-socket.ts";
import { Fault } from "../../../src/rules/fault/fault.ts";

type Served = AsyncDisposable & { readonly path: string };

async function served(answer: RequestListener): Promise<Served> {
  const directory = mkdtempSync(join(tmpdir(), "call-"));
  const path = join(directory, "auth.sock");
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen({ path }, resolve));
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const json = { "content-type": "application/json" };
const asked = { method: "ClusterService/GetStatus", request: {} } as const;

/** With what it says in its hint and its faults. */
async function refusedBy(answer: RequestListener, patience: Parameters<typeof call>[2] = {}): Promise<Fault> {
  await using auth = await served(answer);
  const thrown: unknown = await call(overSocket(auth.path), asked, patience).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(Fault);
  return thrown as Fault;
}

function refusing(status: number, body: object): RequestListener {
  return (_request, response) => void response.writeHead(status, json).end(JSON.stringify(body));
}

describe("a call", () => {
  it("is one POST in JSON, and its answer comes back as it is", async () => {
    let heard = "";
    await using auth = await served((request, response) => {
      heard = `${request.method} ${request.url} ${request.headers["content-type"]}`;
      response.writeHead(200, json).end('{"clusterName":"example","later":1}');
    });
    await expect(call(overSocket(auth.path), asked)).resolves.toEqual({ clusterName: "example", later: 1 });
    expect(heard).toBe("POST /svc.v1.ClusterService/GetStatus application/json");
  });

  it("tells what auth refuses in auth's own words, with every fault", async () => {
    const value = Buffer.from(
      toBinary(
        RefusalSchema,
        create(RefusalSchema, {
          code: "resource-invalid",
          message: "the role is not taken\u001B[31m",
          hint: "correct it",
          wrong: [{ at: ".spec", found: "1", allowed: "a mapping" }],
        }),
      ),
    ).toString("base64");
    const fault = await refusedBy(
      refusing(400, { code: "invalid_argument", message: "x", details: [{ type: "svc.v1.Refusal", value }] }),
    );
    expect([fault.code, fault.hint]).toEqual(["resource-invalid", "correct it"]);
    expect(fault.message).toBe("the role is not taken [31m");
    expect(fault.wrong).toEqual([{ at: ".spec", found: "1", allowed: "a mapping" }]);
  });

  it("takes a refusal with a code of a later release for one that it knows", async () => {
    const told = create(RefusalSchema, { code: "rollout-halted", message: "it is halted", hint: "look" });
    const value = Buffer.from(toBinary(RefusalSchema, told)).toString("base64");
    const fault = await refusedBy(refusing(400, { code: "aborted", details: [{ type: "svc.v1.Refusal", value }] }));
    expect([fault.code, fault.message]).toEqual(["request-refused", "it is halted"]);
  });

  const words: readonly (readonly [object, string, string])[] = [
    [{ code: "unavailable", message: "later" }, "auth-busy", "later"],
    [{ code: "resource_exhausted" }, "auth-busy", "too much to do"],
    [{ code: "deadline_exceeded" }, "auth-busy", "in time"],
    [{ code: "unimplemented", message: "no such method" }, "request-refused", "does not know this call"],
    [{ code: "unauthenticated", message: "who?" }, "identity-refused", "who?"],
    [{ code: "permission_denied", message: "no" }, "access-denied", "no"],
    [{ code: "internal", message: "oh" }, "auth-failed", "oh"],
    [{ code: "invalid_argument", message: "what?", details: 7 }, "request-refused", "what?"],
    [
      { code: "invalid_argument", message: "a", details: [{ type: "svc.v1.Refusal", value: "////" }, null] },
      "request-refused",
      "a",
    ],
    [{ no: "code" }, "auth-mismatch", "HTTP status 503"],
  ];
  it.each(words)("takes %j for %s", async (body, code, message) => {
    const fault = await refusedBy(refusing(503, body));
    expect(fault.code).toBe(code);
    expect(fault.message).toContain(message);
  });

  const hostile: readonly (readonly [string, RequestListener, string, string])[] = [
    ["no JSON", (_, response) => void response.writeHead(200, json).end("<html>"), "auth-mismatch", "no JSON"],
    ["no object", (_, response) => void response.writeHead(200, json).end("7"), "auth-mismatch", "no JSON object"],
    [
      "a page",
      (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("{}"),
      "auth-mismatch",
      "text/html",
    ],
    ["a page that refuses", (_, response) => void response.writeHead(502).end("<html>"), "auth-mismatch", "HTTP status 502"],
    [
      "half an answer",
      (_, response) => {
        response.writeHead(200, { ...json, "content-length": "100" });
        response.write("{");
        setImmediate(() => response.destroy());
      },
      "auth-unreachable",
      "cannot be asked",
    ],
    ["no answer", (request) => void request.socket.destroy(), "auth-unreachable", "cannot be asked"],
    ["something else than HTTP", (request) => void request.socket.end("220 mail\r\n"), "auth-unreachable", "cannot be asked"],
  ];
  it.each(hostile)("says so where it is given %s", async (_what, answer, code, message) => {
    const fault = await refusedBy(answer);
    expect(fault.code).toBe(code);
    expect(fault.message).toContain(message);
  });

  it("ends when its time is over, also in the middle of the answer", async () => {
    const fault = await refusedBy(() => undefined, { timeoutMs: 50 });
    expect([fault.code, fault.message]).toEqual(["auth-unreachable", expect.stringContaining("in time")]);
    const half = await refusedBy((_, response) => void response.writeHead(200, json).write("{"), { timeoutMs: 50 });
    expect(half.message).toContain("in time");
  });

  it("says that nothing is known where it is stopped", async () => {
    const stopping = new AbortController();
    setTimeout(() => stopping.abort(), 20);
    const fault = await refusedBy(() => undefined, { stopping: stopping.signal });
    expect(fault.message).toContain("whether auth did it is not known");
  });

  it("names the socket that is not there, or that nobody serves", async () => {
    await expect(call(overSocket("/nowhere/auth.sock"), asked)).rejects.toMatchObject({
      code: "auth-unreachable",
      message: expect.stringContaining("there is no socket /nowhere/auth.sock") as unknown,
    });
  });
});

function envelope(flags: number, text: string): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flags, 0);
  head.writeUInt32BE(Buffer.byteLength(text), 1);
  return Buffer.concat([head, Buffer.from(text)]);
}

async function streamed(pieces: readonly Uint8Array[]): Promise<unknown[]> {
  await using auth = await served((_, response) => {
    response.writeHead(200, { "content-type": "application/connect+json" });
    for (const piece of pieces) response.write(piece);
    response.end();
  });
  const found: unknown[] = [];
  for await (const piece of stream(overSocket(auth.path), { method: "ClusterService/Backup", request: {} })) found.push(piece);
  return found;
}

describe("an answer in pieces", () => {
  it("comes whole, wherever the network cut it", async () => {
    const whole = Buffer.concat([envelope(0, '{"chunk":"YQ=="}'), envelope(0, '{"chunk":"Yg=="}'), envelope(2, "{}")]);
    for (const at of [1, 4, 5, 9, 22, whole.length - 1]) {
      await expect(streamed([whole.subarray(0, at), whole.subarray(at)])).resolves.toEqual([
        { chunk: "YQ==" },
        { chunk: "Yg==" },
      ]);
    }
  });

  const broken: readonly (readonly [string, readonly Uint8Array[], string])[] = [
    ["without an end", [envelope(0, "{}")], "cut off"],
    ["that breaks off in a piece", [envelope(0, "{}").subarray(0, 6)], "cut off"],
    ["with a piece that is too long", [Buffer.from([0, 0xff, 0xff, 0xff, 0xff])], "4294967295 bytes"],
    ["that is compressed", [envelope(1, "{}")], "compressed"],
    ["that ends with a fault", [envelope(2, '{"error":{"code":"internal","message":"oh"}}')], "oh"],
  ];
  it.each(broken)("is refused %s", async (_what, pieces, message) => {
    await expect(streamed(pieces)).rejects.toThrow(message);
  });
});
