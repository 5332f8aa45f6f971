import type { IncomingHttpHeaders } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askChannel, type AskPorts } from "../../../src/machine/network/ask-channel.ts";
import type { HostId } from "../../../src/rules/channel/asking-host.ts";
import { createAuthority, type Authority, type Pair } from "./fixture/authority.ts";
import { fakePorts, questionFor } from "./fixture/ports.ts";
import { serve, type Answering, type Running } from "./fixture/server.ts";
import { started } from "./fixture/started.ts";

let authority: Authority;
let here: Pair;
beforeAll(() => {
  authority = createAuthority("Private Authority");
  here = authority.issue({ name: "here", altName: "DNS:localhost,IP:127.0.0.1" });
});
afterAll(() => authority.remove());

const own = "0a".repeat(16) as HostId;
const asks = { "x-svc-asks-host": "yes" };

type Answer = ReturnType<Answering>;
type Question = { readonly path: string; readonly host: string | undefined; readonly installed: string | undefined };

/** Notes by whose name it is asked. */
function noting(answering: (question: Question) => Answer): { readonly questions: Question[]; readonly answering: Answering } {
  const questions: Question[] = [];
  const said = (value: IncomingHttpHeaders[string]): string | undefined => (typeof value === "string" ? value : undefined);
  return {
    questions,
    answering: (url, _nth, headers) => {
      const path = url.slice(url.lastIndexOf("/") + 1);
      const question = { path, host: said(headers["x-svc-host"]), installed: said(headers["x-svc-installed"]) };
      questions.push(question);
      return answering(question);
    },
  };
}

/** Answers the old version, and the new one by the name of `told`. */
const rollingOut =
  (told: string) =>
  ({ path, host }: Question): Answer => {
    const names = host === told ? "v15.4.6" : "v15.4.4";
    const body = path === "version" ? names : "no";
    const made = host === undefined ? {} : { "x-svc-for-host": host };
    return { status: 200, body, headers: { ...asks, ...made, "x-svc-version": names, "x-svc-decision": "1.2" } };
  };

const named = (path: string): Question => ({ path, host: own, installed: "15.4.5" });
const unnamed = (path: string): Question => ({ path, host: undefined, installed: undefined });

function ports(changes: Partial<AskPorts> = {}): AskPorts {
  return fakePorts({ systemStores: [authority.file], ownName: () => Promise.resolve(own), ...changes });
}

const secure = (answering: Answering): Promise<Running> => started(serve(answering, here));
const neverNamed = (): never => {
  throw new Error("nobody may learn its name");
};

describe("a host tells its name to a channel that asks for it", () => {
  it("over TLS, with what is installed, and takes the answer that is made for it", async () => {
    const { questions, answering } = noting(rollingOut(own));
    const server = await secure(answering);
    expect(await askChannel(questionFor(`https://localhost:${server.port}`), ports())).toMatchObject({
      kind: "served",
      served: { version: "15.4.6" },
      decision: "1.2",
      askedAs: own,
      isCritical: false,
    });
    expect(questions).toEqual([unnamed("version"), named("version"), named("critical")]);
  });

  it("without what is installed, where that is not known", async () => {
    const { questions, answering } = noting(rollingOut("0b".repeat(16)));
    const server = await secure(answering);
    const question = questionFor(`https://localhost:${server.port}`, { installed: Promise.resolve(undefined) });
    expect(await askChannel(question, ports())).toMatchObject({ served: { version: "15.4.4" }, askedAs: own });
    expect(questions[1]).toEqual({ path: "version", host: own, installed: undefined });
  });

  it("on this host without TLS", async () => {
    const { answering } = noting(rollingOut(own));
    const server = await started(serve(answering));
    const question = questionFor(`http://127.0.0.1:${server.port}`);
    expect(await askChannel(question, ports())).toMatchObject({ served: { version: "15.4.6" }, askedAs: own });
  });
});

describe("a host keeps its name to itself", () => {
  it("where no channel asks for it", async () => {
    const { questions, answering } = noting(() => ({ status: 200, body: "v15.4.5" }));
    const server = await secure(answering);
    const answer = await askChannel(questionFor(`https://localhost:${server.port}`), ports({ ownName: neverNamed }));
    expect(answer).toEqual({ kind: "served", served: { kind: "version", version: "15.4.5" }, isCritical: false });
    expect(questions).toEqual([unnamed("version")]);
  });

  it("where others on the network can read it", async () => {
    const { questions, answering } = noting(rollingOut(own));
    const server = await started(serve(answering));
    const question = questionFor(`http://far.invalid:${server.port}`, { allowPlainHttp: true });
    const lookup: AskPorts["lookup"] = (_name, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]);
    const answer = await askChannel(question, ports({ ownName: neverNamed, lookup }));
    expect(answer).toMatchObject({ served: { version: "15.4.4" } });
    expect(questions.every(({ host }) => host === undefined)).toBe(true);
  });

  it("where another server asks for it, to which the endpoint redirects", async () => {
    const { questions, answering } = noting(rollingOut(own));
    const other = await secure(answering);
    const endpoint = await secure((path) => ({ status: 302, headers: { location: `https://127.0.0.1:${other.port}${path}` } }));
    const answer = await askChannel(questionFor(`https://localhost:${endpoint.port}`), ports({ ownName: neverNamed }));
    expect(answer).toMatchObject({ served: { version: "15.4.4" } });
    expect(questions.every(({ host }) => host === undefined)).toBe(true);
  });

  it("where the endpoint asks for it and redirects the answer to another server", async () => {
    const { questions, answering } = noting(rollingOut(own));
    const other = await secure(answering);
    const endpoint = await secure((path, nth) =>
      nth === 1
        ? { status: 200, body: "v15.4.4", headers: asks }
        : { status: 307, headers: { location: `https://127.0.0.1:${other.port}${path}` } },
    );
    const answer = await askChannel(questionFor(`https://localhost:${endpoint.port}`), ports());
    expect(answer).toMatchObject({ kind: "fault", fault: { code: "answer-invalid" } });
    expect(questions).toEqual([unnamed("version")]);
  });

  it("where it has none: the first answer stands", async () => {
    const { questions, answering } = noting(rollingOut(own));
    const server = await secure(answering);
    const answer = await askChannel(
      questionFor(`https://localhost:${server.port}`),
      ports({ ownName: () => Promise.resolve(undefined) }),
    );
    expect(answer).toMatchObject({ served: { version: "15.4.4" } });
    expect(answer).toMatchObject({ askedAs: undefined });
    expect(questions).toEqual([unnamed("version"), unnamed("critical")]);
  });
});

describe("a host takes no answer that was made for another one", () => {
  it.each([
    ["another's, as a cache that ignores Vary has it", { "x-svc-for-host": "0b".repeat(16) }, "the answer for another host"],
    ["the first one again", {}, "an answer that is made for no host"],
  ])("%s", async (_title, made, found) => {
    const server = await secure(() => ({ status: 200, body: "v15.4.6", headers: { ...asks, ...made } }));
    const answer = await askChannel(questionFor(`https://localhost:${server.port}`), ports());
    expect(answer).toMatchObject({
      kind: "fault",
      fault: {
        code: "answer-invalid",
        message: expect.stringContaining(`by this host's name, answers ${found}: something between keeps answers`),
        hint: expect.stringContaining("look for `Age`, `Via` and `X-Cache`"),
      },
    });
    expect(server.asked).toHaveLength(2);
  });

  it("but hears a refusal, which is made for nobody", async () => {
    const server = await secure((_path, nth) => (nth === 1 ? { status: 200, body: "v1.2.3", headers: asks } : { status: 404 }));
    const answer = await askChannel(questionFor(`https://localhost:${server.port}`), ports());
    expect(answer).toMatchObject({ kind: "fault", fault: { code: "channel-unknown" } });
  });
});
