import { afterEach, describe, expect, test } from "vitest";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
import { askThroughUnit, bringUp, type AskingUnit } from "../../../src/updater/pass/ask.ts";
import type { ChannelAnswer } from "../../../src/rules/decide/gate-facts.ts";
import { encodeAnswer } from "../../../src/updater/record/hand-over.ts";
import type { Endpoint } from "../../../src/rules/settings/settings.ts";
import { openEarly } from "../../../src/updater/socket/early.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";
import { askingUnit, saying, type Deed, type Unit } from "./asking.ts";
import { serves, version } from "./given.ts";

const path = `${scratchFolder()}/ask.socket`;
const proxies = { HTTPS_PROXY: 'http://agent:a$"b@proxy.test:3128' };
const question = {
  pass: "pass-1",
  endpoint: "https://proxy.test" as Endpoint,
  channel: "default" as ChannelName,
  caFile: undefined,
  allowPlainHttp: false,
};

const open: Unit[] = [];
afterEach(async () => {
  for (const unit of open.splice(0)) await unit.close();
});

async function unitOf(...deeds: readonly Deed[]): Promise<Unit> {
  const unit = await askingUnit(path, deeds);
  open.push(unit);
  return unit;
}

function ask(changes: Partial<AskingUnit> = {}): Promise<ChannelAnswer> {
  return askThroughUnit(question, { path, proxies, ...changes })(Promise.resolve(version("15.4.5")));
}

const answer = serves("15.4.6", true);
const good = saying(({ pass }) => encodeAnswer({ pass, answer }));
const ended: Deed = (connection) => connection.destroy();

function failed(code: string, message: string | RegExp): object {
  return { kind: "fault", fault: { code, message: typeof message === "string" ? message : expect.stringMatching(message) } };
}

describe("asking through the unit", () => {
  test("says the question with the installed version and the proxies, and takes the answer", async () => {
    const { asked } = await unitOf(good);
    expect(await ask()).toEqual(answer);
    expect(asked).toEqual([{ ...question, purpose: "answer", installed: "15.4.5", proxies }]);
  });

  test("takes an answer that comes in pieces, and nothing behind it", async () => {
    await unitOf((connection, { pass }) => {
      const line = encodeAnswer({ pass, answer });
      connection.write(line.slice(0, 20));
      setTimeout(() => connection.end(`${line.slice(20)}\n${"more".repeat(10)}\n`), 20);
    });
    expect(await ask()).toEqual(answer);
  });

  test.each([
    ["one that is ended", ended],
    ["an answer to another pass", saying(() => encodeAnswer({ pass: "pass-0", answer }))],
    ["an answer that cannot be read", saying(() => "<html>")],
  ])("asks again after %s", async (_title, first) => {
    await unitOf(first, good);
    expect(await ask()).toEqual(answer);
  });

  test("lets go of the unit once it has its answer", async () => {
    const gone = Promise.withResolvers<void>();
    await unitOf((connection, { pass }) => {
      connection.on("end", gone.resolve);
      connection.write(`${encodeAnswer({ pass, answer })}\n`);
    });
    await ask();
    await expect(gone.promise).resolves.toBeUndefined();
  });

  test("asks no third time", async () => {
    const { asked } = await unitOf(ended);
    expect(await ask()).toMatchObject(failed("ask-failed", "svc-upgrade-ask.service ended without an answer"));
    expect(asked.length).toBe(2);
  });

  test("does not ask again where it has waited long enough", async () => {
    const { asked } = await unitOf(() => undefined);
    expect(await ask({ patienceMs: 500 })).toMatchObject(
      failed("ask-failed", "svc-upgrade-ask.service gave no answer within 0.5 seconds"),
    );
    expect(asked.length).toBe(1);
  });

  const used = "svc-upgrade-ask.service gave an answer that cannot be used: ";
  test.each([
    ["to another pass", saying(() => encodeAnswer({ pass: "pass-0", answer })), `${used}it answers the pass pass-0, not pass-1`],
    ["that is too long", saying(() => " ".repeat(4097)), `${used}it is longer than 4096 bytes`],
    ["without an end", (connection) => void connection.write("x".repeat(4097)), `${used}it is longer than 4096 bytes`],
  ] satisfies readonly (readonly [string, Deed, string])[])("judges an answer %s", async (_title, deed, message) => {
    await unitOf(deed);
    expect(await ask()).toMatchObject(failed("hand-over-invalid", message));
  });

  test("says what to type where nobody listens", async () => {
    expect(await ask({ path: `${path}.none` })).toEqual({
      kind: "fault",
      fault: {
        code: "ask-failed",
        message: `svc-upgrade-ask.socket does not listen at ${path}.none: no such file or directory (ENOENT)`,
        hint: "see why: `systemctl status svc-upgrade-ask.socket svc-upgrade-ask.service`; if one of them is masked: `sudo systemctl unmask svc-upgrade-ask.socket svc-upgrade-ask.service`, then `sudo systemctl start svc-upgrade-ask.socket`",
        causes: expect.anything(),
      },
    });
  });

  test("brings the socket up first, for whoever is not a pass", async () => {
    const did: string[] = [];
    const change = async (how: string, unit: string): Promise<undefined> => {
      did.push(`${how} ${unit}`);
      await unitOf(good);
      return undefined;
    };
    expect(await ask({ bringUp: () => bringUp({ change }) })).toEqual(answer);
    expect(did).toEqual(["start svc-upgrade-ask.socket"]);
    const masked = async (): Promise<string> => "Unit svc-upgrade-ask.socket is masked.";
    expect(await ask({ bringUp: () => bringUp({ change: masked }) })).toMatchObject(
      failed("ask-failed", "svc-upgrade-ask.socket could not be started: Unit svc-upgrade-ask.socket is masked."),
    );
  });

  test("lets what is no fault through: that is a bug of ours", async () => {
    const bug = async (): Promise<void> => {
      throw new TypeError("odd");
    };
    await expect(ask({ bringUp: bug })).rejects.toThrow("odd");
    await unitOf(good);
    const odd = {
      get HTTPS_PROXY(): string {
        throw new TypeError("odd");
      },
    };
    await expect(ask({ proxies: odd })).rejects.toThrow("odd");
  });
});

test("what was opened before the question was known is asked by, and a unit that has ended meanwhile is asked again", async () => {
  const { asked } = await unitOf(good, good);
  const early = openEarly({ path, longestAnswerBytes: 4096 });
  expect(await ask({ early })).toEqual(answer);
  expect(asked.length).toBe(1);
  const over = { take: () => Promise.resolve(undefined) };
  expect(await ask({ early: over })).toEqual(answer);
});
