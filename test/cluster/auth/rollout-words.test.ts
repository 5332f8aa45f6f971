import { expect, test } from "vitest";
import { call, type Host } from "./hosts.ts";
import { told } from "./people.ts";
import { startWithRollouts, wordsIn } from "./rollout-scene.ts";
import { commit, put } from "../storage/filled.ts";

type Said = {
  readonly epoch: number;
  readonly number: string;
  readonly words?: readonly string[];
  readonly unchanged?: boolean;
  readonly diverged?: boolean;
  readonly released?: readonly string[];
  readonly lifeSeconds: number;
};
/** Auth with a rollout whose canary was told, and its proxy. */
async function started() {
  const running = await startWithRollouts();
  await running.moving();
  const asks = async (by: Host, asked: object = {}): Promise<Said> => {
    const { body } = await call(by.trusting, "RolloutService/GetWords", { served: { default: "v15.4.5" }, ...asked });
    return { epoch: 0, number: "", lifeSeconds: 0, ...(body as Partial<Said>) };
  };
  type Proxy = { readonly id: string; readonly confirmed?: boolean };
  const pause = async () => (await running.steer("pause", { awaitSeconds: 1 })).body as { readonly proxies?: readonly Proxy[] };
  return { ...running, asks, pause };
}

test("a proxy that has the words is told so, and hears of a pause the moment it is made", async () => {
  await using auth = await started();
  const first = await auth.asks(auth.proxy);
  expect(first).toMatchObject({ epoch: 1, number: expect.stringMatching(/^1\.\d+$/), lifeSeconds: 900 });
  const { number } = first;
  expect(await auth.asks(auth.proxy, { number })).toMatchObject({ number, unchanged: true });
  const waiting = auth.asks(auth.proxy, { number, waitSeconds: 20 });
  const began = performance.now();
  await auth.steer("pause");
  const heard = await waiting;
  // The proxy would ask for 20 seconds.
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(wordsIn(heard)).toMatchObject([{ state: "paused" }]);
  expect(Number(heard.number.split(".")[1])).toBeGreaterThan(Number(number.split(".")[1]));
});

test("a pause tells which proxies answer by it, and which do not within some seconds", async () => {
  await using auth = await started();
  const second = await auth.join("proxy");
  const { number } = await auth.asks(second);
  await auth.asks(second, { number });
  // The first one follows, the second one hangs.
  const had = (await auth.asks(auth.proxy)).number;
  const follow = async (): Promise<void> => {
    const news = await auth.asks(auth.proxy, { number: had, waitSeconds: 20 });
    await auth.asks(auth.proxy, { number: news.number });
  };
  const following = follow();
  const { proxies = [] } = await auth.pause();
  await following;
  const confirmed = Object.fromEntries(proxies.map(({ id, confirmed: is = false }) => [id, is]));
  expect(confirmed).toEqual({ [auth.proxy.id]: true, [second.id]: false });
  await auth.ask("InstanceService/RemoveInstance", { id: second.id });
  await auth.asks(auth.proxy, { number: (await auth.asks(auth.proxy)).number });
  expect((await auth.pause()).proxies).toMatchObject([{ id: auth.proxy.id, confirmed: true }]);
});

test("a proxy that heard decisions which the store does not have is given no words, and auth says what to type", async () => {
  await using auth = await started();
  const { number } = await auth.asks(auth.proxy);
  for (const foreign of [`1.${Number(number.split(".")[1]) + 9}`, "2.1"]) {
    const answer = await auth.asks(auth.proxy, { number: foreign, waitSeconds: 20 });
    expect(answer).toMatchObject({ diverged: true });
    expect(answer.words).toBeUndefined();
  }
  expect(auth.lines.filter(({ sentence }) => sentence.includes("tctl restore"))).toHaveLength(1);
  // One that is far behind is only old.
  expect(wordsIn(await auth.asks(auth.proxy, { number: "1.7", waitSeconds: 20 }))).toHaveLength(1);
});

test("a rollout that came back with a backup moves nobody until a person resumes it", async () => {
  await using auth = await started();
  // As if the cluster had begun a higher epoch since.
  const { kind, name, body } = (await auth.store.get({ kind: "rollout-status", name: "default" }))!;
  await auth.store.commit(commit([put(kind, name, { ...body, epoch: 0 })]));
  expect(wordsIn(await auth.asks(auth.proxy))).toMatchObject([{ state: "moving", unsettled: true }]);
  const pause = await auth.steer("pause");
  expect(told(pause as never)).toMatchObject({ message: expect.stringContaining("came back with a backup") });
  const listed = (await auth.ask("RolloutService/ListRollouts", {})).body as { rollouts: readonly { told: string }[] };
  expect(listed.rollouts[0]?.told).toContain("hosts stay as they are until `tctl rollout resume default`");
  await auth.steer("resume");
  expect(wordsIn(await auth.asks(auth.proxy))[0]?.unsettled).toBeUndefined();
  const release = await auth.steer("release", { channel: "gone" });
  expect(told(release as never).code).toBe("resource-missing");
});
