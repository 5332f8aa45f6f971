import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect, createServer } from "node:tls";
import { describe, expect, test } from "vitest";
import type { Fault } from "../../../src/rules/fault/fault.ts";
import type { Authority } from "../../../src/cluster/identity/authority.ts";
import { pinOf, type Pin } from "../../../src/cluster/identity/pin.ts";
import { identityPath } from "../../../src/cluster/presence/identity-file.ts";
import { joinCluster } from "../../../src/cluster/presence/join-cluster.ts";
import { readJoinToken } from "../../../src/cluster/presence/join-token.ts";
import { authorityOf, cluster } from "../identity/made.ts";
import { createAuthority } from "../../machine/network/fixture/authority.ts";
import { makeHost } from "./host.ts";
import { startImpostor, startPlain, type Impostor } from "./impostor.ts";

const now = Math.floor(Date.now() / 1000);
const day = 86_400;
const secret = "the-token-that-nobody-may-hear";

/** What became of a join at this address, and that nothing was said there. */
async function refusedAt({ port, heard, met }: Impostor, pins: readonly Pin[]): Promise<Fault> {
  using host = makeHost({ clock: { now } });
  const tokenFile = host.tokenFile(secret);
  const joining = {
    authServers: [{ host: "127.0.0.1", port }],
    pins,
    token: () => readJoinToken(tokenFile),
    existing: "keep",
  } as const;
  const thrown = await joinCluster(joining, host.ports).then(
    () => undefined,
    (fault: unknown) => fault as Fault,
  );
  expect(met()).toBeGreaterThan(0);
  expect(heard()).toBe("");
  expect(existsSync(identityPath(host.place))).toBe(false);
  expect(thrown?.message).not.toContain(secret);
  return thrown!;
}

const forged = async (real: Authority): Promise<Authority> => ({ ...(await authorityOf()), certificate: real.certificate });

describe("at first contact nothing is sent, and the fault says what was found", () => {
  test("where the authority has another pin, be its name the same", async () => {
    const [real, other] = await Promise.all([authorityOf(), authorityOf()]);
    await using impostor = await startImpostor({ signer: other, cluster, now });
    const fault = await refusedAt(impostor, [real.pin]);
    expect(fault).toMatchObject({
      code: "auth-mismatch",
      message: `auth at 127.0.0.1:${impostor.port} has an authority with the pin ${other.pin}, and ${real.pin} is asked for`,
    });
  });

  test("where the authority is shown and has not signed", async () => {
    const real = await authorityOf();
    await using impostor = await startImpostor({ signer: await forged(real), cluster, now });
    expect(await refusedAt(impostor, [real.pin])).toMatchObject({
      code: "auth-mismatch",
      message: expect.stringContaining("is not signed by the authority with the pin"),
    });
  });

  test("where another authority of the same name has signed, and the pinned one is shown", async () => {
    const [real, other] = await Promise.all([authorityOf(), authorityOf()]);
    await using impostor = await startImpostor({ signer: other, shown: real.certificate, cluster, now });
    expect(await refusedAt(impostor, [real.pin])).toMatchObject({ code: "auth-mismatch" });
  });

  test("where the pin is that of the certificate itself", async () => {
    const real = await authorityOf();
    await using impostor = await startImpostor({ signer: real, cluster, now });
    const socket = connect({ host: "127.0.0.1", port: impostor.port, rejectUnauthorized: false });
    await once(socket, "secureConnect");
    const own = pinOf(socket.getPeerX509Certificate()!.publicKey);
    socket.destroy();
    expect(await refusedAt(impostor, [own])).toMatchObject({ code: "auth-mismatch" });
  });

  test.each(["node", "proxy"] as const)("where a %s answers with its own certificate", async (kind) => {
    const real = await authorityOf();
    await using impostor = await startImpostor({ signer: real, cluster, kind, now });
    expect(await refusedAt(impostor, [real.pin])).toMatchObject({
      code: "auth-mismatch",
      message: expect.stringContaining(`its certificate is of the kind ${kind}`),
    });
  });

  test.each([
    ["has expired", { from: now - 9 * day, until: now - 1 }],
    ["is not valid yet", { from: now + 60, until: now + 9 * day }],
  ])("where the certificate %s", async (_what, dates) => {
    const real = await authorityOf();
    await using impostor = await startImpostor({ signer: real, cluster, now, ...dates });
    expect(await refusedAt(impostor, [real.pin])).toMatchObject({
      code: "clock-differs",
      message: expect.stringContaining("this host's clock says"),
      hint: expect.stringContaining("`timedatectl`"),
    });
  });

  test("where something in between ends TLS with an authority of its own", async () => {
    const real = await authorityOf();
    const company = createAuthority("Company Inspection");
    try {
      const pair = company.issue({ name: "auth", altName: "DNS:auth.example.com" });
      const heard: string[] = [];
      const server = createServer({ ...pair }, (socket) => void socket.on("data", (piece) => heard.push(String(piece))));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      try {
        const { port } = server.address() as { port: number };
        const seen = {
          port,
          heard: () => heard.join(""),
          met: () => 1,
          resumed: [],
          [Symbol.asyncDispose]: () => Promise.resolve(),
        };
        expect(await refusedAt(seen, [real.pin])).toMatchObject({
          code: "auth-mismatch",
          message: expect.stringMatching(
            /shows no authority with the pin sha256:.*, but ".*auth.*" for DNS:auth\.example\.com, issued by ".*Company Inspection"/,
          ),
          hint: expect.stringContaining("have it let this address pass as it is"),
        });
      } finally {
        server.close();
      }
    } finally {
      company.remove();
    }
  });

  test("where plain HTTP is spoken", async () => {
    await using impostor = await startPlain("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n");
    expect(await refusedAt(impostor, [(await authorityOf()).pin])).toMatchObject({
      code: "auth-mismatch",
      message: expect.stringContaining("is no auth service: it does not speak TLS"),
    });
  });

  test("where the connection is closed at once", async () => {
    await using impostor = await startPlain(undefined);
    expect(await refusedAt(impostor, [(await authorityOf()).pin])).toMatchObject({ code: "auth-unreachable" });
  });
});
