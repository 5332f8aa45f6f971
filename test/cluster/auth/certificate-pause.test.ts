import { expect } from "vitest";
import { makeKeyPair, type KeyPair } from "../../../src/cluster/identity/key.ts";
import { makeRequest } from "../../../src/cluster/identity/request.ts";
import { call, startWithHosts, status, type Answered, type Trusting, type WithHosts } from "./hosts.ts";
import { testWithHosts as test } from "./fixtures.ts";

async function renewBy(trusting: Trusting, pair: KeyPair): Promise<Answered> {
  const certificateRequest = makeRequest(pair.privateKey);
  return call(trusting, "JoinService/Renew", { certificateRequest, hostname: "node1" });
}

const certificateIn = ({ body }: Answered): string => (body as { identity: { certificate: string } }).identity.certificate;

async function issuedEvents({ store }: WithHosts): Promise<number> {
  return (await store.events({ event: "certificate.issued", most: 100 })).length;
}

test("one that renews in a loop gets one answer in ten seconds, and the audit one line", async ({ running }) => {
  const { trusting, pair } = await running.join("node");
  const before = await issuedEvents(running);
  const answers = [];
  for (let times = 0; times < 20; times += 1) answers.push(await renewBy(trusting, pair));
  const atOnce = await Promise.all(Array.from({ length: 5 }, () => renewBy(trusting, pair)));
  expect(new Set([...answers, ...atOnce].map(certificateIn)).size).toBe(1);
  expect(await issuedEvents(running)).toBe(before + 1);
});

test("another key, or an older certificate, waits for the end of the pause, and is told how long", async ({ running }) => {
  const { trusting, pair } = await running.join("node");
  const renewed = { ...trusting, cert: certificateIn(await renewBy(trusting, pair)) };
  for (const asked of [renewBy(trusting, await makeKeyPair()), renewBy(renewed, pair)]) {
    const { status: code, headers, body } = await asked;
    expect([code, body]).toMatchObject([503, { details: [{ debug: { code: "auth-busy" } }] }]);
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    expect(Number(headers["retry-after"])).toBeLessThanOrEqual(10);
  }
  running.clock.ahead += 11;
  expect(await renewBy(renewed, pair)).toMatchObject({ status: 200 });
});

test("the pause is no way around a removal", async ({ running }) => {
  const { id, trusting, pair } = await running.join("node");
  expect(await renewBy(trusting, pair)).toMatchObject({ status: 200 });
  await running.ask("InstanceService/RemoveInstance", { id });
  expect(await renewBy(trusting, pair)).toMatchObject({ status: 401 });
});

test("a join whose answer was lost is answered again, and is one line of the audit", async ({ running }) => {
  const token = await running.tokenFor("node");
  const pair = await makeKeyPair();
  const joinOnce = async (): Promise<Answered> => {
    const certificateRequest = makeRequest(pair.privateKey);
    return call(running.stranger, "JoinService/Join", { token, certificateRequest, hostname: "node1" });
  };
  const before = await issuedEvents(running);
  const answers = [await joinOnce(), ...(await Promise.all([joinOnce(), joinOnce()]))];
  expect(new Set(answers.map(certificateIn)).size).toBe(1);
  expect(await issuedEvents(running)).toBe(before + 1);
  const { instanceId } = (answers[0]!.body as { identity: { instanceId: string } }).identity;
  await running.ask("InstanceService/RemoveInstance", { id: instanceId });
  expect(await joinOnce()).toMatchObject({ status: 403 });
});

test("the pause is shorter where certificates live for seconds", async () => {
  await using running = await startWithHosts({ times: { certificateSeconds: 8 } });
  const { trusting, pair } = await running.join("node");
  const first = certificateIn(await renewBy(trusting, pair));
  running.clock.ahead += 3;
  expect(certificateIn(await renewBy({ ...trusting, cert: first }, pair))).not.toBe(first);
  expect(await call(running.stranger, status, {})).toMatchObject({ status: 401 });
});
