import { createHash, randomBytes, X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import { call } from "../../../src/cluster/api/call.ts";
import { authServerName, type ClusterId } from "../../../src/cluster/identity/names.ts";
import { pinOf, type Pin } from "../../../src/cluster/identity/pin.ts";
import { readIdentity } from "../../../src/cluster/presence/identity-file.ts";
import type { Identity } from "../../../src/cluster/presence/identity.ts";
import { joinCluster } from "../../../src/cluster/presence/join-cluster.ts";
import { readJoinToken } from "../../../src/cluster/presence/join-token.ts";
import { makeHost, type Host } from "../presence/host.ts";
import { bring, type Life } from "../presence/life.ts";
import { shakeHands } from "./hosts.ts";
import { startRunning, type Running, startBeside } from "./running.ts";
import { commit, put } from "../storage/filled.ts";

const hour = 3600;
type Clock = { now: number };
type Status = { readonly clusterId: ClusterId; readonly caPins: readonly Pin[] };
type Rotated = { readonly step: string; readonly caPins: readonly Pin[]; readonly unseen?: number };

const clockNow = (): Clock => ({ now: Math.floor(Date.now() / 1000) });

async function statusOf({ ask }: Pick<Running, "ask">): Promise<Status> {
  return (await ask("ClusterService/GetStatus", {})).body as Status;
}

type Answered = { readonly status: number; readonly body: Rotated };

async function rotate({ ask }: Pick<Running, "ask">, force = false): Promise<Answered> {
  return (await ask("ClusterService/RotateAuthority", { force })) as Answered;
}

async function join(running: Running, host: Host, existing: "keep" | "replace" = "keep"): Promise<void> {
  const token = randomBytes(32).toString("hex");
  const digest = createHash("sha256").update(token).digest("hex");
  await running.ask("TokenService/CreateToken", { digest, type: "proxy", ttlSeconds: "3600", uses: 1 });
  const file = host.tokenFile(token);
  const { caPins } = await statusOf(running);
  await joinCluster(
    {
      authServers: [{ host: "127.0.0.1", port: running.auth.port }],
      pins: [caPins[0]!],
      token: () => readJoinToken(file),
      existing,
    },
    host.ports,
  );
}

const identityOf = ({ place }: Host): Identity => readIdentity(place)!;
const pinsOf = (host: Host): readonly Pin[] => identityOf(host).trusted.map(({ pin }) => pin);

/** As every report and every call of a person goes. */
async function askedOver({ presence }: Life): Promise<void> {
  const { caPins } = await call(presence.transport()!, { method: "ClusterService/GetStatus", request: {} });
  expect(caPins?.length).toBeGreaterThan(0);
}

/** Which authority has signed what auth shows. */
async function signerOf({ auth, ask, store }: Pick<Running, "auth" | "ask" | "store">): Promise<Pin | undefined> {
  const { clusterId } = await statusOf({ ask });
  const authorities = await store.list("authority", { after: undefined, most: 10 });
  const [ca = ""] = authorities.map(({ body }) => body["certificate"] as string);
  const trusting = { host: "127.0.0.1", port: auth.port, servername: authServerName(clusterId), ca };
  const socket = await shakeHands(trusting, { rejectUnauthorized: false });
  const shown = new X509Certificate(socket.getPeerCertificate().raw);
  socket.destroy();
  const signers = authorities.map(({ body }) => new X509Certificate(body["certificate"] as string));
  const signer = signers.find((one) => shown.verify(one.publicKey));
  return signer === undefined ? undefined : pinOf(signer.publicKey);
}

type Stage = AsyncDisposable & { readonly clock: Clock; readonly running: Running; readonly host: Host };

/** Auth, and a proxy that has joined, by one clock. */
async function joinedStage(): Promise<Stage> {
  const stack = new AsyncDisposableStack();
  const clock = clockNow();
  const running = stack.use(await startRunning({ now: () => clock.now }));
  const host = stack.use(makeHost({ clock }));
  await join(running, host);
  return { clock, running, host, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

describe("the certificate authority is replaced", () => {
  test("in two steps, of which the second waits for a proxy that has not heard of the first", async () => {
    await using stage = await joinedStage();
    const { clock, running, host } = stage;
    await using life = bring({ clock }, host);
    await life.live(1);
    const [old] = pinsOf(host);

    const begun = await rotate(running);
    expect(begun).toMatchObject({
      status: 200,
      body: { step: "begun", unseen: 1, caPins: [old, expect.stringMatching(/^sha256:/)] },
    });
    const newer = begun.body.caPins[1];
    expect(await signerOf(running)).toBe(old);
    expect((await statusOf(running)).caPins).toEqual([old, newer]);

    const early = await rotate(running);
    const wrong = [{ at: identityOf(host).stored.instance, found: "proxy proxy1" }];
    expect(early).toMatchObject({
      body: {
        details: [
          { debug: { wrong, hint: expect.stringContaining("`tctl instances rm ID` removes an instance that no longer exists") } },
        ],
      },
    });
    expect((await statusOf(running)).caPins).toEqual([old, newer]);

    await life.live(7 * hour);
    expect(pinsOf(host)).toEqual([old, newer]);
    await askedOver(life);

    expect(await rotate(running)).toMatchObject({ status: 200, body: { step: "finished", caPins: [newer] } });
    expect((await statusOf(running)).caPins).toEqual([newer]);
    expect(await signerOf(running)).toBe(newer);
    expect(running.removals.all()).toMatchObject([{ kind: "authority", name: old }]);

    await life.live(7 * hour);
    expect(pinsOf(host)).toEqual([newer]);
    expect(life.presence.state().failures).toBe(0);
  });

  test("and counts who has shown a certificate of the newer, which a proxy does from its renewal on", async () => {
    await using stage = await joinedStage();
    const { clock, running, host } = stage;
    const found: string[] = [];
    await using life = bring({ clock }, host, { found: (what) => void found.push(what) });
    await life.live(1);
    await rotate(running);
    life.presence.look();
    await life.live(1);
    expect(found).toEqual(["joined", "renewed"]);
    expect(pinsOf(host).length).toBe(2);
    expect((await rotate(running)).status).not.toBe(200);
    await askedOver(life);
    expect(await rotate(running)).toMatchObject({ status: 200, body: { step: "finished" } });
    await askedOver(life);
  });

  test("and goes on counting after a restore of a backup that does not know the renewed certificates", async () => {
    await using stage = await joinedStage();
    const { clock, running, host } = stage;
    await using life = bring({ clock }, host);
    await life.live(1);
    await rotate(running);
    const key = { kind: "instance", name: identityOf(host).stored.instance };
    const { body } = (await running.store.get(key))!;
    life.presence.look();
    await life.live(1);
    await askedOver(life);
    await running.store.commit(commit([put(key.kind, key.name, body)]));
    expect((await rotate(running)).status).not.toBe(200);
    await askedOver(life);
    expect(await rotate(running)).toMatchObject({ status: 200, body: { step: "finished" } });
  });

  test("with an auth that restarts between the steps", async () => {
    const clock = clockNow();
    await using running = await startRunning({ now: () => clock.now });
    const begun = await rotate(running);
    await running.auth.stop();
    const again = await startBeside(running, { now: () => clock.now });
    try {
      expect((await statusOf(running)).caPins).toEqual(begun.body.caPins);
      expect(await signerOf({ ...running, auth: again })).toBe(begun.body.caPins[0]);
      using host = makeHost({ clock });
      await join({ ...running, auth: again }, host);
      expect(pinsOf(host)).toEqual(begun.body.caPins);
      const finished = await rotate(running);
      expect(finished).toMatchObject({ status: 200, body: { step: "finished", caPins: [begun.body.caPins[1]] } });
    } finally {
      await again.stop();
    }
  });

  test("with force leaves a proxy that slept behind, which is told what to do, and joins anew", async () => {
    await using stage = await joinedStage();
    const { clock, running, host } = stage;
    await rotate(running);
    expect(await rotate(running, true)).toMatchObject({ status: 200, body: { step: "finished", unseen: 1 } });
    {
      await using life = bring({ clock }, host);
      life.skip(18 * 24 * hour);
      await life.live(12 * hour);
      const said = life.lines.filter(({ level }) => level === "error" || level === "warning");
      expect(said.map(({ sentence }) => sentence).join("\n")).toContain("svc join");
    }
    await join(running, host, "replace");
    expect(pinsOf(host)).toEqual((await statusOf(running)).caPins);
  });

  test("once, where two begin it at the same time", async () => {
    await using running = await startRunning();
    const both = await Promise.all([rotate(running), rotate(running)]);
    expect(both.filter(({ body }) => body.step === "begun").length).toBe(1);
    const { caPins } = await statusOf(running);
    const kept = await running.store.list("authority", { after: undefined, most: 10 });
    expect(kept.map(({ name }) => name).toSorted()).toEqual([...caPins].toSorted());
  });

  test("and is told in the audit, without a key", async () => {
    await using running = await startRunning();
    const begun = await rotate(running);
    await rotate(running);
    const events = await running.store.events({ most: 100 });
    const told = events.filter(({ event }) => event.startsWith("ca."));
    expect(told.map(({ event, name, actor }) => [event, name, actor])).toEqual([
      ["ca.rotation-finished", begun.body.caPins[1], "root@auth1"],
      ["ca.rotation-begun", begun.body.caPins[1], "root@auth1"],
    ]);
    expect(JSON.stringify(events)).not.toContain("PRIVATE KEY");
  });
});
