import { expect, test } from "vitest";
import { channelOpener, type Channel } from "../../../src/kube/reconcile/channel.ts";
import { readUpdaterSettings } from "../../../src/kube/objects/settings.ts";
import { version } from "../../rules/version/given.ts";
import { nothingHeard, type Heard } from "../../../src/rules/channel/heard.ts";
import type { AskPorts } from "../../../src/machine/network/ask-channel.ts";
import { fakePorts } from "../../machine/network/fixture/ports.ts";
import { objectId } from "../../../src/machine/files/host-id.ts";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
import type { ChannelAnswer } from "../../../src/rules/decide/gate-facts.ts";
import type { Word } from "../../../src/rules/rollout/answer.ts";
import { loaded, running } from "../../proxy/server/running.ts";

const now = 1_795_140_600;
const asking = { installed: undefined, now, clock: { kind: "plausible" }, uid: "4f1c" } as const;

function openChannel(settings: ReturnType<typeof settingsFor>, ports: AskPorts): Channel {
  return channelOpener(ports, () => false)(settings);
}

function settingsFor(endpoint: string) {
  const read = readUpdaterSettings(
    { object: { kind: "StatefulSet", name: "a", container: "a" }, endpoint },
    {
      origin: { kind: "file", path: "/x" },
      namespace: "a",
      apiServer: { url: "https://127.0.0.1", caFile: "/a", tokenFile: "/a" },
    },
  );
  if (read.kind !== "settings") throw new Error(JSON.stringify(read));
  return read.settings[0];
}

test("the channel is asked once a minute, and an unchanged version counts once in ten", async () => {
  const server = await running(await loaded("{}"));
  try {
    let ms = 0;
    const ports: AskPorts = { ...fakePorts(), monotonicMs: () => ms };
    const channel = openChannel(settingsFor(server.url), ports);
    const heardAt: number[] = [];
    let heard: Heard = nothingHeard;
    for (const second of [0, 59, 60, 599, 659, 1260]) {
      ms = second * 1000;
      const found = await channel({ ...asking, now: now + second }, heard);
      expect(found.answer).toMatchObject({ kind: "served", served: { version: "15.4.6" } });
      if (found.heard !== heard) heardAt.push(second);
      heard = found.heard;
    }
    expect(heardAt).toEqual([0, 659, 1260]);
    expect(heard.versions).toMatchObject([{ version: "15.4.6", since: now, until: now + 1260 }]);
  } finally {
    await server.stop();
  }
});

test("a record that was removed hears at once what the channel serves, though that was counted a moment ago", async () => {
  const server = await running(await loaded("{}"));
  try {
    let ms = 0;
    const channel = openChannel(settingsFor(server.url), { ...fakePorts(), monotonicMs: () => ms });
    for (const second of [0, 1, 120]) {
      ms = second * 1000;
      const { heard } = await channel({ ...asking, now: now + second }, nothingHeard);
      expect(heard).toMatchObject({ channel: "default", versions: [{ version: "15.4.6" }] });
    }
  } finally {
    await server.stop();
  }
});

test("a server that is away is told, and nothing was heard", async () => {
  const channel = openChannel(settingsFor("http://127.0.0.1:1"), { ...fakePorts(), longestMs: 100 });
  expect(await channel(asking, nothingHeard)).toMatchObject({
    answer: { kind: "fault", fault: { code: "channel-unreachable" } },
    heard: nothingHeard,
  });
});

test("under a clock that is wrong nothing is dated by it", async () => {
  const server = await running(await loaded("{}"));
  try {
    const channel = openChannel(settingsFor(server.url), fakePorts());
    const { heard } = await channel({ ...asking, clock: { kind: "wrong", why: "it is" } }, nothingHeard);
    expect(heard).toMatchObject({ channel: "default", versions: [] });
  } finally {
    await server.stop();
  }
});

test("two objects of one channel ask it once between them, and each counts for itself", async () => {
  const server = await running(await loaded("{}"));
  try {
    let asked = 0;
    const routeOf: AskPorts["routeOf"] = (url) => {
      if (url.endsWith("/version")) asked += 1;
      return fakePorts().routeOf(url);
    };
    const settings = settingsFor(server.url);
    const [one, other] = [settings, settings].map(channelOpener({ ...fakePorts(), routeOf }, () => true));
    const said = await one!({ ...asking, installed: version("15.4.6") }, nothingHeard);
    expect(await other!(asking, nothingHeard)).toEqual(said);
    expect(said.heard).not.toBe(nothingHeard);
    expect(asked).toBe(1);
  } finally {
    await server.stop();
  }
});

test("a channel that asks for names is asked by the name of each object, until it asks for them no longer", async () => {
  const server = await running(await loaded("{}"));
  try {
    let ms = 0;
    const settings = settingsFor(server.url);
    const open = channelOpener({ ...fakePorts(), monotonicMs: () => ms }, () => true);
    const [one, other] = [settings, { ...settings, object: { ...settings.object, name: "b" } }].map(open);
    const installed = version("15.4.5");
    const bothAt = async (second: number): Promise<readonly (string | undefined)[]> => {
      ms = second * 1000;
      const answers = [await one!({ ...asking, installed }, nothingHeard), await other!({ ...asking, installed }, nothingHeard)];
      return answers.flatMap(({ answer, heard }) => [printed(answer), heard.askedAs]);
    };
    const [mine, others] = [objectId(settings.object, "4f1c")!, objectId({ ...settings.object, name: "b" }, "4f1c")!];
    const word: Word = {
      number: 1,
      channel: "default" as ChannelName,
      target: version("15.4.7"),
      from: { kind: "version", version: version("15.4.5") },
      state: "moving",
      ids: [others],
      threshold: 0,
    };
    expect(await bothAt(0)).toEqual(["15.4.6", undefined, "15.4.6", undefined]);
    server.decide({ epoch: 1, words: [word] });
    expect(await bothAt(60)).toEqual(["15.4.5", mine, "15.4.7", others]);
    // Nobody sees the object at present.
    expect(printed((await other!({ ...asking, uid: undefined }, { ...nothingHeard, askedAs: others })).answer)).toBe("15.4.7");
    server.decide({ epoch: 1, words: [{ ...word, target: version("15.4.5"), from: { kind: "none" }, state: "paused" }] });
    expect(await bothAt(120)).toEqual(["15.4.5", mine, "15.4.5", others]);
    server.decide({ epoch: 1, words: [] });
    expect(await bothAt(180)).toEqual(["15.4.6", undefined, "15.4.6", undefined]);
    expect(new Set([mine, others, objectId(settings.object, "4f1d")]).size).toBe(3);
  } finally {
    await server.stop();
  }
});

function printed(answer: ChannelAnswer): string {
  if (answer.kind === "fault") return answer.fault.message;
  return answer.served.kind === "none" ? "none" : answer.served.version;
}
