import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import type { Store } from "../../../src/cluster/storage/port.ts";
import { call, callIn, session, shakeHands, startWithHosts, status } from "./hosts.ts";
import { configuration, startBeside } from "./running.ts";

/** Holds whoever asks for the status until it is let go. */
type Holding = {
  readonly storeFor: (store: Store) => Store;
  readonly hold: () => void;
  readonly release: () => void;
  readonly waiting: () => number;
};

function holding(): Holding {
  let gate = Promise.resolve();
  let release = (): void => undefined;
  let waiting = 0;
  return {
    waiting: () => waiting,
    hold: () => {
      gate = new Promise((resolve) => (release = resolve));
    },
    release: () => release(),
    storeFor: (store) => ({
      ...store,
      about: async () => {
        waiting += 1;
        await gate;
        waiting -= 1;
        return store.about();
      },
    }),
  };
}

test("what is under way is answered over both, a session hears that it ends, and nobody new is heard", async () => {
  const held = holding();
  await using running = await startWithHosts(held);
  const { trusting } = await running.join("node");
  const opened = session(trusting);
  const idle = await shakeHands(trusting);
  held.hold();
  const goodbye = once(opened, "goaway");
  const answers = [callIn(opened, status, {}), call(trusting, status, {})];
  const closed = [once(opened, "close"), once(idle.resume(), "close")];
  await expect.poll(held.waiting).toBe(2);
  const stopped = running.auth.stop();
  await goodbye;
  await expect(shakeHands(trusting)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  held.release();
  expect(await Promise.all(answers)).toMatchObject([{ status: 200 }, { status: 200 }]);
  await Promise.all([stopped, ...closed]);
});

test("what does not end is cut after a bound: no handshake, half a request, no answer", async () => {
  const held = holding();
  await using running = await startWithHosts({ ...held, limits: { drainMs: 300 } });
  const { trusting } = await running.join("node");
  const [silent, half, opened] = [connect(running.auth.port, "127.0.0.1"), await shakeHands(trusting), session(trusting)];
  half.write("POST /svc.v1.ClusterService/GetStatus HTTP/1.1\r\n");
  held.hold();
  const unanswered = callIn(opened, status, {});
  const lost = unanswered.catch((thrown: Error) => thrown.message);
  await expect.poll(held.waiting).toBe(1);
  const closed = [once(silent.resume(), "close"), once(half.resume(), "close"), once(opened, "close")];
  await running.auth.stop();
  await Promise.all(closed);
  expect(await lost).toMatch(/unanswered/);
});

test("a reload takes other times at once, and says what needs a restart", async () => {
  await using running = await startWithHosts();
  const { auth } = running;
  for (const [changed, named] of [
    [{ listen: { host: "127.0.0.1", port: 3025 } }, /auth_service\.listen_addr/],
    [{ diagnostics: { host: "127.0.0.1", port: 3000 } }, /diag_addr/],
    [{ clusterName: "other" }, /cluster_name/],
  ] as const) {
    expect(() => auth.prepareReload({ ...configuration, ...changed })).toThrow(named);
  }
  auth.prepareReload({ ...configuration, times: { ...configuration.times, certificateSeconds: 7200 } })();
  const joined = await running.join("node");
  expect(joined.until - Math.floor(Date.now() / 1000)).toBeLessThanOrEqual(7200);
});

test("where the port is taken it says so, and nothing of it runs on", async () => {
  await using running = await startWithHosts();
  const dataDirectory = `${running.directory}/store`;
  const starting = startBeside(running, {
    configuration: { ...configuration, listen: { host: "127.0.0.1", port: running.auth.port } },
    dataDirectory,
    hostname: "auth2",
  });
  await expect(starting).rejects.toMatchObject({ code: "configuration-invalid", hint: expect.stringContaining("ss -ltnp") });
  const socket = connect(`${running.directory}/store/root/auth.sock`);
  await expect(once(socket, "connect")).rejects.toMatchObject({ code: expect.stringMatching(/ENOENT|ECONNREFUSED/) });
});
