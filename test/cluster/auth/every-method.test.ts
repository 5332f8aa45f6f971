import { once } from "node:events";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { services } from "../../../src/cluster/api/services.ts";
import { admissionOf } from "../../../src/cluster/auth/methods.ts";
import type { InstanceKind } from "../../../src/cluster/identity/names.ts";
import { makeKeyPair } from "../../../src/cluster/identity/key.ts";
import { makeRequest } from "../../../src/cluster/identity/request.ts";
import {
  call,
  certified,
  forgedFor,
  session,
  shakeHands,
  startWithHosts,
  withSession,
  type Trusting,
  type WithHosts,
} from "./hosts.ts";

const schema = Object.values(services).flatMap((service) =>
  service.methods.map(({ name, methodKind }) => ({ name: `${service.typeName}/${name}`, methodKind })),
);

const strangers = ["nobody", "forger", "removed", "resumed", "expired", "late forger", "other kind"] as const;
type Stranger = (typeof strangers)[number];
type Who = InstanceKind | Stranger;
type Let = "in" | "out" | "unknown";

/** What the table of admissions says. */
function admitted(who: Who, name: string): Let {
  const admission = admissionOf(name);
  if (admission?.kind === "everybody") return "in";
  if (isStranger(who)) return "unknown";
  return (admission?.kind === "known" || admission?.kind === "instances") && admission.instances.includes(who) ? "in" : "out";
}

function isStranger(who: Who): who is Stranger {
  return strangers.some((one) => one === who);
}

let auth: WithHosts;
let shows: Readonly<Record<Who, Trusting>>;
beforeAll(async () => {
  auth = await startWithHosts({ limits: { callsOfOneAddress: 1000 } });
  const [node, proxy, other] = [await auth.join("node"), await auth.join("proxy"), await auth.join("auth")];
  const [removed, resumed] = [await auth.join("proxy"), await auth.join("proxy")];
  const resuming = await withSession(resumed.trusting);
  for (const { id } of [removed, resumed]) await auth.ask("InstanceService/RemoveInstance", { id });
  const { authority } = auth;
  shows = {
    node: node.trusting,
    proxy: proxy.trusting,
    auth: other.trusting,
    removed: removed.trusting,
    nobody: auth.stranger,
    forger: await forgedFor(auth, "auth"),
    resumed: resuming,
    expired: await certified(auth, "auth", { authority, id: other.id, isExpired: true }),
    "late forger": await forgedFor(auth, "auth", { id: other.id, isExpired: true }),
    "other kind": await certified(auth, "auth", { authority, id: node.id }),
  };
});
afterAll(async () => {
  await auth[Symbol.asyncDispose]();
});

/** In JSON over HTTP/1.1. What comes in pieces has a way of its own. */
async function overHttp1(trusting: Trusting, { name, methodKind }: (typeof schema)[number]): Promise<Let> {
  const isInPieces = methodKind !== "unary";
  const body = isInPieces ? "\0\0\0\0\x02{}" : "{}";
  const type = isInPieces ? "application/connect+json" : "application/json";
  const socket = await shakeHands(trusting, { ALPNProtocols: ["http/1.1"] });
  expect(socket.isSessionReused()).toBe(trusting.session !== undefined);
  const told = [`host: a`, `content-type: ${type}`, `content-length: ${body.length}`, "connection: close"];
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
  socket.write(`POST /${name} HTTP/1.1\r\n${told.join("\r\n")}\r\n\r\n${body}`);
  await once(socket, "close");
  if (/"code":"permission_denied"/.test(text)) return /"code":"access-denied"/.test(text) ? "out" : "in";
  if (!/"code":"unauthenticated"/.test(text)) return "in";
  // Whoever may renew is asked for a certificate by the method itself.
  return text.includes("the certificate cannot be renewed") ? "in" : "unknown";
}

/** In gRPC over HTTP/2, with an empty message. */
async function overHttp2(trusting: Trusting, { name }: (typeof schema)[number]): Promise<Let> {
  const opened = session(trusting);
  await once(opened, "connect");
  expect((opened.socket as TLSSocket).isSessionReused()).toBe(trusting.session !== undefined);
  const asked = opened.request({
    ":method": "POST",
    ":path": `/${name}`,
    "content-type": "application/grpc+proto",
    te: "trailers",
  });
  let told: Record<string, string> = {};
  const add = (fields: object): void => {
    told = { ...told, ...Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, String(value)])) };
  };
  asked.on("response", (headers) => add(headers));
  asked.on("trailers", (trailers) => add(trailers));
  asked.resume().end(Buffer.alloc(5));
  await once(asked, "close");
  opened.destroy();
  expect(told[":status"]).toBe("200");
  const message = decodeURIComponent(told["grpc-message"] ?? "");
  switch (told["grpc-status"]) {
    case "7":
      return message.startsWith("the token cannot be used to join") ? "in" : "out";
    case "16":
      return message.startsWith("the certificate cannot be renewed") ? "in" : "unknown";
    default:
      return "in";
  }
}

const everybody: readonly Who[] = ["proxy", "node", "auth", ...strangers];
const cases = everybody.flatMap((who) => schema.map((method) => [who, method.name, method] as const));

describe.each([
  ["JSON over HTTP/1.1", overHttp1],
  ["gRPC over HTTP/2", overHttp2],
] as const)("in %s", (_protocol, ask) => {
  test.each(cases)("%s is let in to %s as the table of admissions says", async (who, name, method) => {
    expect(await ask(shows[who], method)).toBe(admitted(who, name));
  });
});

test("nothing was changed by all that", async () => {
  const events = await auth.store.events({ most: 100 });
  const known = ["certificate.issued", "token.used", "token.created", "cluster.begun", "instance.removed"];
  expect(events.map(({ event }) => event).filter((event) => !known.includes(event))).toEqual([]);
  expect((await auth.store.list("role", { after: undefined, most: 10 })).length).toBe(0);
});

test("an expired certificate of the cluster renews, and no other stranger's does", async () => {
  const { privateKey } = await makeKeyPair();
  const asked = { certificateRequest: makeRequest(privateKey), hostname: "host1" };
  const renewed = strangers.map(async (who) => [who, (await call(shows[who], "JoinService/Renew", asked)).status]);
  expect(Object.fromEntries(await Promise.all(renewed))).toEqual({
    ...Object.fromEntries(strangers.map((who) => [who, 401])),
    expired: 200,
  });
});
