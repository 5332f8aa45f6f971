import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Word } from "../../../src/rules/rollout/answer.ts";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
import { allRanks } from "../../../src/rules/rollout/membership.ts";
import { version } from "../../rules/version/given.ts";
import { channelPath, loaded, running, type Started } from "./running.ts";

let server: Started;
beforeAll(async () => {
  server = await running(await loaded("{default: {static_version: v15.4.6, critical: yes}, other: {static_version: none}}"));
});
afterAll(() => server.stop());

const told = "0a".repeat(16);
const untold = "0b".repeat(16);
const target = version("15.4.7");
const moving: Word = {
  number: 12,
  channel: "default" as ChannelName,
  target,
  from: { kind: "version", version: version("15.4.5") },
  state: "moving",
  ids: [told],
  threshold: 0,
};
const decide = (change: Partial<Word> = {}): void => server.decide({ epoch: 3, words: [{ ...moving, ...change }] });
beforeEach(() => decide());

type By = Readonly<Record<string, string>>;
const as = (host: string, installed?: string): By => ({
  "x-svc-host": host,
  ...(installed === undefined ? {} : { "x-svc-installed": installed }),
});
const get = (path: string, headers: By = {}): Promise<Response> => fetch(`${server.url}${path}`, { headers });
const served = async (by?: By, path: string = channelPath("default")): Promise<string> =>
  (await (await get(path, by)).text()).trim();

describe("a channel that auth decides about", () => {
  test("answers a client without a name with the version from before, never cached", async () => {
    const answer = await get(channelPath("default"));
    expect(await answer.text()).toBe("v15.4.5\n");
    const { date: _date, connection: _connection, "keep-alive": _kept, ...headers } = Object.fromEntries(answer.headers);
    expect(headers).toEqual({
      "content-type": "text/plain; charset=utf-8",
      "content-length": "8",
      "cache-control": "private, no-store",
      vary: "x-svc-host, x-svc-installed",
      "x-svc-asks-host": "yes",
      "x-svc-channels": server.live.serving.answers.digest,
      "x-svc-decision": "3.12",
      "x-svc-version": "v15.4.5",
    });
  });

  test("answers a host by its name, and says whose answer it is", async () => {
    const answer = await get(channelPath("default"), as(told));
    expect(await answer.text()).toBe("v15.4.7\n");
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "x-svc-for-host": told,
      "x-svc-version": "v15.4.7",
      "x-svc-decision": "3.12",
      "cache-control": "private, no-store",
    });
  });

  test.each<[string, Partial<Word>, By, string]>([
    ["the old version to a host that is not told", {}, as(untold), "v15.4.5"],
    ["the new one to a host of a lower rank", { threshold: allRanks }, as(untold), "v15.4.7"],
    ["the new one to a host that has it, while it is halted", { state: "halted" }, as(untold, "15.4.7"), "v15.4.7"],
    ["nothing, where nothing was served before", { from: { kind: "none" } }, {}, "none"],
    ["as to nobody where a name is malformed", { threshold: allRanks }, as("somebody"), "v15.4.5"],
    ["as to nobody where a client without a name has the new one", {}, { "x-svc-installed": "15.4.7" }, "v15.4.5"],
  ])("tells %s", async (_title, change, by, expected) => {
    decide(change);
    expect(await served(by)).toBe(expected);
  });

  test("is not critical, whatever the configuration says, and names the version that the host is told", async () => {
    const answer = await get(channelPath("default", "critical"), as(told));
    expect([await answer.text(), answer.headers.get("x-svc-version")]).toEqual(["no\n", "v15.4.7"]);
    expect([answer.headers.get("x-svc-decision"), answer.headers.get("vary")]).toEqual(["3.12", "x-svc-host, x-svc-installed"]);
  });

  test("is critical for hosts that are told the target of a critical rollout, and for no others", async () => {
    decide({ critical: true });
    const urgency = async (by: By): Promise<string> => served(by, channelPath("default", "critical"));
    expect([await urgency(as(told)), await urgency(as(untold)), await urgency({})]).toEqual(["yes", "no", "no"]);
    decide({ critical: true, state: "halted" });
    expect([await urgency(as(told, "15.4.5")), await urgency(as(untold, "15.4.7"))]).toEqual(["no", "yes"]);
    decide({ critical: true, state: "done" });
    expect([await urgency(as(untold)), await urgency({})]).toEqual(["yes", "yes"]);
    decide({ critical: true, unsettled: true });
    expect(await urgency(as(told))).toBe("no");
  });

  test("is answered in every spelling, and past caches", async () => {
    const path = "/webapi/automaticupgrades/channel/default/version";
    for (const spelling of [path, `/v1${path}?again=7`, `/v1${path.replace("default", "def%61ult")}`]) {
      expect(await served(as(told), spelling)).toBe("v15.4.7");
    }
  });

  test("is answered where the configuration does not have it", async () => {
    decide({ channel: "gone/since" as ChannelName });
    expect(await served(as(told), channelPath("gone/since"))).toBe("v15.4.7");
    server.decide({ epoch: 3, words: [] });
    expect((await get(channelPath("gone/since"))).status).toBe(404);
  });
});

describe("the configuration answers", () => {
  const whole = async (path: string): Promise<unknown> => {
    const { date: _date, ...headers } = Object.fromEntries((await get(path)).headers);
    return [headers, await served({}, path)];
  };

  test("for every other channel, and again when auth's word is gone", async () => {
    const paths = [channelPath("default"), channelPath("default", "critical"), channelPath("other"), "/webapi/ping"];
    const plain = await running(
      await loaded("{default: {static_version: v15.4.6, critical: yes}, other: {static_version: none}}"),
    );
    onTestFinished(() => plain.stop());
    server.decide({ epoch: 3, words: [] });
    for (const path of paths) {
      const { date: _date, ...headers } = Object.fromEntries((await fetch(`${plain.url}${path}`)).headers);
      expect(await whole(path)).toEqual([headers, (await (await fetch(`${plain.url}${path}`)).text()).trim()]);
    }
    const other = await whole(channelPath("other"));
    decide();
    expect(await whole(channelPath("other"))).toEqual(other);
  });

  test("auth's question what it serves, whatever auth has decided", () => {
    expect(server.served()).toEqual({ default: "v15.4.6", other: "none" });
  });

  test("never in place of auth's word after a reload", async () => {
    server.reload(await loaded("{default: {static_version: v15.4.8}, other: {static_version: none}}"));
    expect([await served(), await served(as(told))]).toEqual(["v15.4.5", "v15.4.7"]);
    expect(server.served()).toMatchObject({ default: "v15.4.8" });
  });
});

describe("while auth has not confirmed the words", () => {
  let isUnconfirmed = true;
  let away: Started;
  beforeAll(async () => {
    away = await running(await loaded("{default: {static_version: v15.4.6}}"), {}, { isUnconfirmed: () => isUnconfirmed });
  });
  afterAll(() => away.stop());
  const ask = async (by: By, question?: "critical"): Promise<readonly [body: string, mark: string | null]> => {
    const answer = await fetch(`${away.url}${channelPath("default", question)}`, { headers: by });
    return [(await answer.text()).trim(), answer.headers.get("x-svc-unconfirmed")];
  };

  test.each<[string, Partial<Word>, By, string]>([
    ["a host that was told and has not moved hears the version that it has", {}, as(told, "15.4.5"), "v15.4.5"],
    ["a host that does not say its version hears what was served before", { threshold: allRanks }, as(told), "v15.4.5"],
    ["and after the last stage the target", { state: "done" }, as(told), "v15.4.7"],
    ["a client without a name does too", { state: "done" }, { "x-svc-installed": "15.4.9" }, "v15.4.7"],
  ])("%s", async (_title, change, by, expected) => {
    isUnconfirmed = true;
    away.decide({ epoch: 3, words: [{ ...moving, ...change }] });
    expect(await ask(by)).toEqual([expected, "yes"]);
    expect(await ask(by, "critical")).toEqual(["no", "yes"]);
  });

  test("and the mark goes with the next answer of auth", async () => {
    away.decide({ epoch: 3, words: [moving] });
    isUnconfirmed = false;
    expect(await ask(as(told, "15.4.5"))).toEqual(["v15.4.7", null]);
    isUnconfirmed = true;
    expect(await ask(as(told, "15.4.5"))).toEqual(["v15.4.5", "yes"]);
  });

  test("a word that may lack later decisions is marked whatever auth confirms", async () => {
    isUnconfirmed = false;
    away.decide({ epoch: 3, words: [{ ...moving, unsettled: true }] });
    expect(await ask(as(told, "15.4.9"))).toEqual(["v15.4.9", "yes"]);
  });

  test("channels without a word are served as ever", async () => {
    away.decide({ epoch: 3, words: [] });
    expect(await ask({})).toEqual(["v15.4.6", null]);
  });
});

test("until auth has said what hosts are told, no channel is answered, and the proxy is not ready", async () => {
  let isWaiting = true;
  const begun = await running(await loaded("{default: {static_version: v15.4.6}}"), {}, { isWaiting: () => isWaiting });
  onTestFinished(() => begun.stop());
  const statuses = async (): Promise<readonly number[]> => {
    const paths = [
      channelPath("default"),
      channelPath("default", "critical"),
      channelPath("none/such"),
      "/webapi/ping",
      "/nothing",
    ];
    const answers = await Promise.all([...paths.map((path) => fetch(`${begun.url}${path}`)), fetch(`${begun.lookUrl}/readyz`)]);
    return answers.map(({ status }) => status);
  };
  expect(await statuses()).toEqual([503, 503, 503, 200, 404, 503]);
  const refused = await fetch(`${begun.url}${channelPath("default")}`);
  expect([refused.headers.get("retry-after"), await refused.json()]).toMatchObject([
    "60",
    { fault: { code: "decisions-unknown" } },
  ]);
  // Auth is told what the configuration serves all the same.
  expect(begun.served()).toEqual({ default: "v15.4.6" });
  isWaiting = false;
  expect(await statuses()).toEqual([200, 200, 404, 200, 404, 200]);
});

test("a word that was known before the start is in force with the first answer, also before an upstream was heard", async () => {
  const forwarded = "{default: {forward_url: http://127.0.0.1:1/channel}}";
  const begun = await running(await loaded(forwarded), {}, { words: { epoch: 1, words: [moving] } });
  onTestFinished(() => begun.stop());
  const answer = await fetch(`${begun.url}${channelPath("default")}`, { headers: as(told) });
  expect([answer.status, await answer.text()]).toEqual([200, "v15.4.7\n"]);
  expect(begun.served()).toEqual({});
});
