import { afterAll, beforeAll, expect, test } from "vitest";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
import { askChannel } from "../../../src/machine/network/ask-channel.ts";
import { makeRoot, missingForRoots, program } from "../../updater/cli/given.ts";
import { fakePorts, questionFor } from "../../machine/network/fixture/ports.ts";
import { loaded, running, type Started } from "./running.ts";

let server: Started;
beforeAll(async () => {
  const channels =
    "{stable/cloud: {static_version: v15.4.7, critical: yes}, calm: {static_version: 15.4.6-rc.1+build.7}, paused: {static_version: none}}";
  server = await running(await loaded(channels));
});
afterAll(() => server.stop());

test.each([
  ["default", { kind: "version", version: "15.4.6" }, false],
  ["stable/cloud", { kind: "version", version: "15.4.7" }, true],
  ["calm", { kind: "version", version: "15.4.6-rc.1+build.7" }, false],
  ["paused", { kind: "none" }, false],
])("an updater on the channel %s is served what it understands", async (channel, served, isCritical) => {
  const question = questionFor(server.url, { channel: channel as ChannelName });
  const ports = fakePorts();
  expect(await askChannel(question, ports)).toEqual({
    kind: "served",
    served,
    isCritical,
    channels: server.live.serving.answers.digest,
  });
  expect(ports.lines).toEqual([]);
});

test("an updater on a channel that is none is told so", async () => {
  const question = questionFor(server.url, { channel: "nowhere" as ChannelName });
  expect(await askChannel(question, fakePorts())).toMatchObject({ kind: "fault", fault: { code: "channel-unknown" } });
});

const missing = missingForRoots();
if (missing !== undefined) console.warn(`SKIPPED: passes of an updater against two instances: ${missing}`);

test.skipIf(missing !== undefined)(
  "an updater that is answered by two instances in turn says that they disagree, once",
  async () => {
    const other = await running(await loaded("{}"));
    const root = makeRoot("15.4.6");
    root.schedule("closed");
    const pass = async ({ url }: Started): Promise<string> => {
      root.write("etc/svc-upgrade/10-test.yaml", `endpoint: ${url}\n`);
      return (await program(["run", "--root", root.path])).stderr;
    };
    const shown = async (): Promise<{ readonly flapping?: { readonly channels: readonly string[] } }> =>
      JSON.parse((await program(["status", "--json", "--root", root.path])).stdout);
    try {
      const current = "no upgrades available (15.4.6 == 15.4.6) channel=default\n";
      expect([await pass(server), await pass(other)]).toEqual([current, current]);
      expect((await shown()).flapping).toBeUndefined();
      const [one, two] = [server, other].map(({ live }) => live.serving.answers.digest);
      const warning = `answers alternate between the channel configurations ${one?.slice(0, 12)} and ${two?.slice(0, 12)}: `;
      const [told, decided] = (await pass(server)).split(/(?<=\n)/);
      expect([told?.slice(0, warning.length), decided]).toEqual([warning, current]);
      expect((await shown()).flapping?.channels).toEqual([one, two]);
      expect(await pass(other)).toBe(current);
    } finally {
      await other.stop();
    }
  },
);
