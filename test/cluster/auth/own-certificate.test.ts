import { X509Certificate } from "node:crypto";
import { createSecureServer, connect as connectHttp2 } from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { connect, type ConnectionOptions, type TLSSocket } from "node:tls";
import { describe, expect, test } from "vitest";
import type { Caller } from "../../../src/cluster/auth/caller.ts";
import { findCaller } from "../../../src/cluster/auth/gate.ts";
import { instanceHandlers } from "../../../src/cluster/auth/instances.ts";
import { ownCertificate, type OwnCertificate } from "../../../src/cluster/auth/own-certificate.ts";
import { ticketKeysOf } from "../../../src/cluster/auth/ticket-keys.ts";
import { tlsOptions } from "../../../src/cluster/auth/tls-options.ts";
import { authServerName } from "../../../src/cluster/identity/names.ts";
import { readPeer } from "../../../src/cluster/identity/peer.ts";
import { startOverTls, type OverTls } from "./over-tls.ts";

const month = 30 * 86_400;
const root = { kind: "root", host: "auth1" } as const;

type Serving = AsyncDisposable & { readonly port: number; readonly server: Server; readonly callers: Caller[] };

/** HTTP/2 as auth serves it: who asks goes into `callers`. */
async function serve(running: OverTls, own: OwnCertificate): Promise<Serving> {
  const { context, authorities, store, clock } = running;
  const ticketKeys = await ticketKeysOf(store, clock.now);
  const callers: Caller[] = [];
  const server = createSecureServer(
    { ...tlsOptions({ own, authorities, ticketKeys }), allowHTTP1: true },
    (request, response) => {
      const certificate = (request.socket as TLSSocket).getPeerX509Certificate()?.raw;
      const asked = findCaller({ certificate, address: "" }, context).then((caller) => callers.push(caller));
      asked.then(
        () => response.end("answered"),
        () => response.destroy(),
      );
    },
  );
  server.on("session", (session) => session.on("error", () => undefined));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    server: server as unknown as Server,
    callers,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

function options(running: OverTls, port: number): ConnectionOptions {
  return {
    host: "127.0.0.1",
    port,
    ca: running.authorities.signing.certificate,
    servername: authServerName(running.cluster),
    ALPNProtocols: ["http/1.1"],
  };
}

type Asked = { readonly isResumed: boolean; readonly session: Buffer | undefined };

/** One call on a connection of its own. */
function ask(how: ConnectionOptions): Promise<Asked> {
  return new Promise((resolve, reject) => {
    let session: Buffer | undefined;
    const socket = connect(how, () => socket.write("GET / HTTP/1.1\r\nhost: auth\r\nconnection: close\r\n\r\n"));
    socket.on("session", (given: Buffer) => (session = given));
    socket.on("error", reject);
    socket.on("data", () => undefined);
    socket.on("end", () => {
      socket.end();
      resolve({ isResumed: socket.isSessionReused(), session });
    });
  });
}

describe("auth's own certificate", () => {
  test("is taken by who trusts the authority and asks for its name, whatever address they dialled", async () => {
    await using running = await startOverTls();
    const own = await ownCertificate(running.context, "auth1");
    await using serving = await serve(running, own);
    await ask(options(running, serving.port));
    expect(serving.callers).toMatchObject([{ kind: "stranger", why: "no-certificate" }]);
    await expect(ask({ ...options(running, serving.port), servername: "auth1.example.com" })).rejects.toMatchObject({
      code: "ERR_TLS_CERT_ALTNAME_INVALID",
    });
    const reading = readPeer(new X509Certificate(own.certificate), running.authorities.trusted, running.cluster);
    expect(reading).toMatchObject({ kind: "peer", peer: { subject: { kind: "auth", id: own.id } } });
  });

  test("is of one instance at every start, with another key, backdated for clocks that are behind", async () => {
    await using running = await startOverTls();
    const first = await ownCertificate(running.context, "auth1");
    running.clock.now += month / 2;
    expect(first.renewAt).toBe(running.clock.now);
    const second = await ownCertificate(running.context, "auth1");
    const other = await ownCertificate(running.context, "auth2");
    expect([second.id === first.id, other.id === first.id]).toEqual([true, false]);
    expect(second.privateKey).not.toBe(first.privateKey);
    const read = new X509Certificate(second.certificate);
    expect(read.validFromDate.getTime() / 1000).toBe(running.clock.now - 2 * 86_400);
    expect(second.until).toBe(running.clock.now + month);
    const listed = await instanceHandlers.listInstances(running.context, root, {
      kind: "auth",
      withRemoved: false,
      pageSize: 0,
      pageToken: "",
    } as never);
    expect(listed.instances?.map(({ hostname }) => hostname).toSorted()).toEqual(["auth1", "auth2"]);
    expect(JSON.stringify(await running.store.events({ most: 20 }))).not.toContain("PRIVATE KEY");
  });

  test("is of another instance once its own was removed", async () => {
    await using running = await startOverTls();
    const first = await ownCertificate(running.context, "auth1");
    await instanceHandlers.removeInstance(running.context, root, { id: first.id } as never);
    const second = await ownCertificate(running.context, "auth1");
    expect(second.id).not.toBe(first.id);
    const found = await running.store.get({ kind: "instance", name: first.id });
    expect(found?.body["removed"]).toBe(running.clock.now);
  });

  test("is made by several that begin at once, all of one instance", async () => {
    await using running = await startOverTls();
    const all = await Promise.all([1, 2, 3].map(() => ownCertificate(running.context, "auth1")));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  });
});

describe("the listener's options", () => {
  test("let HTTP/2 reach the same gate, with the certificate of its client", async () => {
    await using running = await startOverTls();
    const own = await ownCertificate(running.context, "auth1");
    await using serving = await serve(running, own);
    const { ALPNProtocols: _, ...how } = options(running, serving.port);
    const session = connectHttp2(`https://127.0.0.1:${serving.port}`, {
      ...how,
      cert: own.certificate,
      key: own.privateKey,
    } as never);
    const answer = session.request({ ":path": "/" });
    answer.resume();
    await new Promise((resolve, reject) => void answer.once("end", resolve).once("error", reject));
    await new Promise<void>((resolve) => session.close(resolve));
    expect(serving.callers).toMatchObject([{ kind: "instance", of: "auth", id: own.id }]);
  });

  test("refuse that a client of TLS 1.2 shows another certificate half-way", async () => {
    await using running = await startOverTls();
    await using serving = await serve(running, await ownCertificate(running.context, "auth1"));
    const renegotiated = new Promise<unknown>((resolve) => {
      const socket = connect({ ...options(running, serving.port), maxVersion: "TLSv1.2" }, () => {
        socket.renegotiate({}, (error) => {
          socket.destroy();
          resolve(error);
        });
      });
      socket.on("error", resolve);
    });
    expect(await renegotiated).toBeInstanceOf(Error);
  });

  test.each(["TLSv1.2", "TLSv1.3"] as const)("let a session go on at another auth, past no gate, over %s", async (version) => {
    await using running = await startOverTls();
    const own = await ownCertificate(running.context, "auth1");
    await using one = await serve(running, own);
    await using other = await serve(running, await ownCertificate(running.context, "auth2"));
    const shown = { cert: own.certificate, key: own.privateKey, maxVersion: version };
    const { session } = await ask({ ...options(running, one.port), ...shown });
    expect(session).toBeDefined();
    const resuming = { ...options(running, other.port), ...shown, ...(session === undefined ? {} : { session }) };
    expect(await ask(resuming)).toMatchObject({ isResumed: true });
    await instanceHandlers.removeInstance(running.context, root, { id: own.id } as never);
    expect(await ask(resuming)).toMatchObject({ isResumed: true });
    expect(other.callers).toMatchObject([
      { kind: "instance", id: own.id },
      { kind: "stranger", why: "removed" },
    ]);
    // A day later the keys are others: the session is not resumed, and the call is answered all the same.
    running.clock.now += 86_400;
    await using tomorrow = await serve(running, await ownCertificate(running.context, "auth1"));
    expect(await ask({ ...resuming, port: tomorrow.port })).toMatchObject({ isResumed: false });
    expect(tomorrow.callers).toMatchObject([{ kind: "stranger", why: "removed" }]);
  });

  test("lives for an hour at least, however short others' certificates are", async () => {
    await using running = await startOverTls();
    const { context, clock } = running;
    const times = { ...context.times, certificateSeconds: 10 };
    const own = await ownCertificate({ ...context, times }, "auth1");
    expect([own.until - clock.now, own.renewAt - clock.now]).toEqual([3600, 1800]);
  });
});
