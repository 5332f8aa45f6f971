import { chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ChannelName } from "../../src/channel/path.ts";
import { pathsBelow, type Paths } from "../../src/host/paths.ts";
import { askThroughUnit } from "../../src/pass/ask.ts";
import type { ChannelAnswer } from "../../src/plan/facts.ts";
import { decodeRequest } from "../../src/record/decode-hand-over.ts";
import type { Endpoint } from "../../src/settings/settings.ts";
import { writeAnswer } from "../../src/store/hand-over.ts";
import { scratchFolder } from "../host/scratch.ts";
import { now, serves, version } from "./given.ts";

const paths = pathsBelow(scratchFolder());
for (const folder of ["run/svc-upgrade", "run/svc-upgrade-ask"]) mkdirSync(`${paths.root}/${folder}`, { recursive: true });

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn("SKIPPED: the tests of an answer from a user of systemd's: only root can write as another user");

const dynamicUser = 63_000;
const proxies = { HTTPS_PROXY: 'http://agent:a$"b@proxy.test:3128', NO_PROXY: undefined };
const question = {
  pass: "pass-1",
  endpoint: "https://proxy.test" as Endpoint,
  channel: "default" as ChannelName,
  caFile: undefined,
  allowPlainHttp: false,
};

type Unit = (paths: Paths) => string | undefined;

function ask(unit: Unit): Promise<ChannelAnswer> {
  const start = async (): Promise<string | undefined> => unit(paths);
  return askThroughUnit(question, { paths, proxies, start, now: () => now })(Promise.resolve(version("15.4.5")));
}

function answering(pass: string, uid: number): Unit {
  return ({ answer }) => {
    writeAnswer(answer, { pass, at: now, answer: serves("15.4.6", true) });
    chownSync(answer, uid, uid);
    return undefined;
  };
}

describe("asking through the unit", () => {
  test("leaves the question with the installed version before the unit is started", async () => {
    const requests: unknown[] = [];
    await ask(({ request: path }) => {
      requests.push(decodeRequest(readFileSync(path, "utf8")));
      return "enough";
    });
    const asked = { ...question, purpose: "answer", installed: "15.4.5" };
    // Whoever does not answer may be of an earlier release, and is asked once more as that one understands it.
    expect(requests).toEqual([
      { kind: "read", value: { ...asked, form: "open" } },
      { kind: "read", value: { ...asked, form: "first" } },
    ]);
  });

  test("leaves the proxies where root alone may read them, for as long as the unit runs", async () => {
    const seen: unknown[] = [];
    await ask((host) => {
      seen.push(readFileSync(host.proxies, "utf8"), statSync(host.proxies).mode & 0o777);
      return "enough";
    });
    const file = 'HTTPS_PROXY="http://agent:a\\$\\"b@proxy.test:3128"\n';
    expect(seen).toEqual([file, 0o600, file, 0o600]);
    expect(existsSync(paths.proxies)).toBe(false);
  });

  test.skipIf(!isRoot).each([
    ["an answer of an earlier question", (host: Paths) => answering("pass-0", dynamicUser)(host)],
    ["an answer that cannot be read", ({ answer }: Paths) => writeFileSync(answer, "{")],
    ["a unit that refuses the question", () => "Job for svc-upgrade-ask.service failed"],
  ] as const)("asks again after %s", async (_title, first) => {
    let isFirst = true;
    const answer = await ask((host) => {
      const unit = isFirst ? first : answering("pass-1", dynamicUser);
      isFirst = false;
      return unit(host) ?? undefined;
    });
    expect(answer).toEqual(serves("15.4.6", true));
  });

  test("asks no third time", async () => {
    let times = 0;
    await ask(() => {
      times += 1;
      return "enough";
    });
    expect(times).toBe(2);
  });

  test("makes a fault of a unit that ends badly", async () => {
    expect(await ask(() => "it was ended by SIGSYS")).toMatchObject({
      kind: "fault",
      fault: { code: "ask-failed", message: "svc-upgrade-ask.service ended without an answer: it was ended by SIGSYS" },
    });
  });

  test.skipIf(!isRoot).each([
    ["of a user that lives with the unit", "pass-1", dynamicUser, "served"],
    ["of nobody, as newer systemd maps that user", "pass-1", 65_534, "served"],
    ["of root", "pass-1", 0, "fault"],
    ["of a person", "pass-1", 1000, "fault"],
    ["to another pass", "pass-0", dynamicUser, "fault"],
  ])("judges an answer %s", async (_title, pass, uid, kind) => {
    const answer = await ask(answering(pass, uid));
    if (kind === "served") expect(answer).toEqual(serves("15.4.6", true));
    else expect(answer).toMatchObject({ kind: "fault", fault: { code: "hand-over-invalid" } });
  });

  test("lets what is no fault through: that is a bug of ours", async () => {
    const broken = ask(() => {
      throw new TypeError("odd");
    });
    await expect(broken).rejects.toThrow("odd");
  });
});
