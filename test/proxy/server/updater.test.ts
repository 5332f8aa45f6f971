import { afterAll, beforeAll, expect, test } from "vitest";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
import { askChannel } from "../../../src/machine/network/ask-channel.ts";
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

test("an updater is told that its channel does not exist", async () => {
  const question = questionFor(server.url, { channel: "nowhere" as ChannelName });
  expect(await askChannel(question, fakePorts())).toMatchObject({ kind: "fault", fault: { code: "channel-unknown" } });
});
