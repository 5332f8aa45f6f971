import { describe, expect, it } from "vitest";
import { askChannel } from "../../../src/machine/network/ask-channel.ts";
import type { Route } from "../../../src/rules/route/route.ts";
import { closedPort } from "./fixture/closed-port.ts";
import { fakePorts, questionFor, version } from "./fixture/ports.ts";
import { serve, serveRaw, serveSilence, type Answering } from "./fixture/server.ts";
import { started } from "./fixture/started.ts";

const base = "/v1/webapi/automaticupgrades/channel/stable/cloud";

describe("askChannel reads what is served", () => {
  const newer = { kind: "served", served: { kind: "version", version: "15.4.6" }, isCritical: false };
  const cases: readonly [string, string, object][] = [
    ["a version with a v", "v15.4.6", newer],
    ["a version between spaces", "  15.4.6 \r\n", newer],
    ["none", "none\n", { kind: "served", served: { kind: "none" }, isCritical: false }],
  ];
  it.each(cases)("%s", async (_title, body, expected) => {
    const server = await started(serve((path) => (path.endsWith("/version") ? { status: 200, body } : { status: 404 })));
    const answer = await askChannel(questionFor(`http://127.0.0.1:${server.port}`), fakePorts());
    expect(answer).toEqual(expected);
  });
});

describe("askChannel hears under which configuration of channels it is answered", () => {
  const digest = "0123456789abcdef".repeat(4);
  it.each<[string, string | string[] | undefined, string | undefined]>([
    ["which the answer says", digest, digest],
    ["which not every server says", undefined, undefined],
    ["which is nothing where it is said twice", [digest, digest], undefined],
  ])("%s", async (_title, said, heard) => {
    const headers = said === undefined ? {} : { "X-SVC-Channels": said };
    const server = await started(serve((path) => ({ status: 200, headers, body: path.endsWith("/version") ? "v1.2.3" : "no" })));
    const answer = await askChannel(questionFor(`http://127.0.0.1:${server.port}`), fakePorts());
    expect(answer).toMatchObject({ kind: "served", served: { version: "1.2.3" } });
    expect(answer.kind === "served" && answer.channels).toBe(heard);
  });
});

describe("askChannel is patient within bounds", () => {
  it("takes the answer of a server that fails every second time", async () => {
    const server = await started(serve((_path, nth) => (nth % 2 === 1 ? { status: 500 } : { status: 200, body: "v15.4.5" })));
    const ports = fakePorts();
    const answer = await askChannel(questionFor(`http://127.0.0.1:${server.port}`), ports);
    expect(answer).toMatchObject({ kind: "served", served: { version: "15.4.5" } });
    expect(ports.lines.map(({ level, sentence }) => [level, sentence])).toEqual([["info", "asking the version server again"]]);
  });

  it.each([
    ["refuses connections", "channel-unreachable", /refused/],
    ["never answers", "channel-unreachable", /took the question and has not answered/],
  ] as const)("gives up on a server that %s", async (what, code, says) => {
    const port = what === "refuses connections" ? closedPort : (await started(serveSilence())).port;
    const ports = fakePorts({ wholeMs: 250 });
    const answer = await askChannel(questionFor(`http://127.0.0.1:${port}`), ports);
    expect(answer).toMatchObject({ kind: "fault", fault: { code, message: expect.stringMatching(says) } });
    expect(ports.waits).toEqual([1000, 2000]);
  });

  it("gives up on a body that comes byte by byte", async () => {
    const server = await started(
      serveRaw((socket) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n");
        const timer = setInterval(() => socket.write("v"), 1000);
        socket.on("close", () => clearInterval(timer));
      }),
    );
    const answer = await askChannel(questionFor(`http://127.0.0.1:${server.port}`), fakePorts({ wholeMs: 400 }));
    expect(answer).toMatchObject({
      kind: "fault",
      fault: { code: "channel-unreachable", message: expect.stringMatching(/not complete after 1 s/) },
    });
    expect(server.asked).toHaveLength(3);
  });

  it("begins no try once a minute has gone by", async () => {
    const server = await started(serve(() => ({ status: 503, headers: { "retry-after": "40" } })));
    const ports = fakePorts();
    const answer = await askChannel(questionFor(`http://127.0.0.1:${server.port}`), ports);
    expect(answer).toMatchObject({ kind: "fault", fault: { code: "channel-failing" } });
    expect(ports.waits).toEqual([41_000]);
    expect(server.asked).toHaveLength(2);
  });

  it("says that it was stopped, and asks no more", async () => {
    const server = await started(serveSilence());
    const stopping = new AbortController();
    const asking = askChannel(questionFor(`http://127.0.0.1:${server.port}`), fakePorts({ signal: stopping.signal }));
    stopping.abort();
    expect(await asking).toMatchObject({ kind: "fault", fault: { code: "stopping" } });
    expect(server.asked).toHaveLength(0);
  });
});

describe("askChannel asks whether an update is critical", () => {
  const asked = [`${base}/version`, `${base}/critical`];
  const cases: readonly [
    string,
    { readonly critical: ReturnType<Answering>; readonly isCritical: boolean; readonly warnings: number },
  ][] = [
    ["yes", { critical: { status: 200, body: "yes" }, isCritical: true, warnings: 0 }],
    ["no", { critical: { status: 200, body: "no" }, isCritical: false, warnings: 0 }],
    ["404", { critical: { status: 404 }, isCritical: false, warnings: 0 }],
    ["a page", { critical: { status: 200, body: "<html>yes" }, isCritical: false, warnings: 1 }],
    ["500", { critical: { status: 500, body: "yes" }, isCritical: false, warnings: 1 }],
  ];
  it.each(cases)("%s", async (_title, { critical, isCritical, warnings }) => {
    const headers = { "x-svc-version": "v15.4.6" };
    const server = await started(
      serve((path) => (path.endsWith("/version") ? { status: 200, body: "v15.4.6", headers } : { headers, ...critical })),
    );
    const ports = fakePorts();
    const answer = await askChannel(questionFor(`http://127.0.0.1:${server.port}`), ports);
    expect(answer).toMatchObject({ kind: "served", isCritical });
    expect(server.asked.slice(0, 2)).toEqual(asked);
    expect(ports.lines.filter(({ level }) => level === "warning")).toHaveLength(warnings);
  });

  it("and says that it was stopped, rather than taking the update as not critical", async () => {
    const stopping = new AbortController();
    const server = await started(
      serveRaw((socket, head) => {
        if (head.includes("/critical")) stopping.abort();
        else socket.end("HTTP/1.1 200 OK\r\n\r\nv15.4.6");
      }),
    );
    const answer = await askChannel(questionFor(`http://127.0.0.1:${server.port}`), fakePorts({ signal: stopping.signal }));
    expect(answer).toMatchObject({ kind: "fault", fault: { code: "stopping" } });
  });

  it.each([
    { title: "of a newer version", body: "v15.4.6", installed: "15.4.5", questions: 2 },
    { title: "of an older version", body: "v15.4.4", installed: "15.4.5", questions: 2 },
    { title: "where nothing is installed", body: "v15.4.6", installed: undefined, questions: 2 },
    { title: "never of the installed version", body: "v15.4.5", installed: "15.4.5", questions: 1 },
    { title: "never of another build of the installed version", body: "v15.4.5", installed: "15.4.5+fips", questions: 1 },
    { title: "never of none", body: "none", installed: "15.4.5", questions: 1 },
  ])("$title", async ({ body, installed, questions }) => {
    const headers = { "x-svc-version": body };
    const server = await started(serve((path) => ({ status: 200, headers, body: path.endsWith("/version") ? body : "yes" })));
    const question = questionFor(`http://127.0.0.1:${server.port}`, {
      installed: Promise.resolve(installed === undefined ? undefined : version(installed)),
    });
    expect(await askChannel(question, fakePorts())).toMatchObject({ kind: "served", isCritical: questions === 2 });
    expect(server.asked).toHaveLength(questions);
  });

  const channels = { "of-one": "a".repeat(64), "of-other": "b".repeat(64) };
  const doubted = (doubt: object): object => ({ isCritical: false, doubt });
  /** What is asked for and answered in turn, with the version that the answer names, and the configuration that it is of. */
  it.each<[title: string, says: string, expected: object]>([
    ["which counts where it names the version", "version v15.4.6, critical yes v15.4.6", { isCritical: true }],
    [
      "which is asked for again where it is about another one, for the next instance may be the right one",
      "version v15.4.6, critical no v15.4.5, critical yes v15.4.6",
      { isCritical: true },
    ],
    [
      "which does not count where it is about another one, nor at the second time",
      "version v15.4.6, critical yes v15.4.7, critical yes v15.4.7",
      doubted({ kind: "another", named: { kind: "version", version: "15.4.7" } }),
    ],
    [
      "which is none where the right one says no",
      "version v15.4.6, critical yes v15.4.7, critical no v15.4.6",
      { isCritical: false },
    ],
    [
      "which is none where another one says no, and that is all there is to hear",
      "version v15.4.6, critical no v15.4.7, critical no v15.4.7",
      { isCritical: false },
    ],
    [
      "of a server that names none, which is asked for twice and may count with the next pass",
      "version v15.4.6, critical yes, critical yes, version v15.4.6",
      doubted({ kind: "unnamed" }),
    ],
    [
      "of a server that names none, and then serves another one",
      "version v15.4.6, critical yes, critical yes, version v15.4.7",
      doubted({ kind: "disagreeing" }),
    ],
    [
      "of a server that names none, and then serves none",
      "version v15.4.6, critical yes, critical yes, version none",
      doubted({ kind: "disagreeing" }),
    ],
    [
      "of a server that names none, and then says no",
      "version v15.4.6, critical yes, critical no, version v15.4.6",
      doubted({ kind: "disagreeing" }),
    ],
    [
      "of a server that names none, and then another one",
      "version v15.4.6, critical yes, critical yes v15.4.7, version v15.4.6",
      doubted({ kind: "disagreeing" }),
    ],
    [
      "of a server that names none, of two configurations",
      "version v15.4.6 of-one, critical yes of-other, critical yes of-one, version v15.4.6 of-one",
      doubted({ kind: "disagreeing" }),
    ],
  ])("%s", async (_title, says, expected) => {
    const all = says.split(", ").map((said) => said.split(" "));
    const left = [...all];
    const server = await started(
      serve((path) => {
        const [about = "version", body = "asked too often", ...more] = left.shift() ?? [];
        // Past every cache, where it is asked for the second time.
        const wasAsked = all.slice(0, -left.length - 1).some(([before]) => before === about);
        if (!path.endsWith(wasAsked ? `/${about}?again=0` : `/${about}`)) return { status: 400 };
        const headers = more.map((said) =>
          said === "of-one" || said === "of-other" ? ["x-svc-channels", channels[said]] : ["x-svc-version", said],
        );
        return { status: 200, body, headers: Object.fromEntries(headers) as Record<string, string> };
      }),
    );
    const answer = await askChannel(questionFor(`http://127.0.0.1:${server.port}`), fakePorts());
    expect(answer).toMatchObject({ kind: "served", served: { version: "15.4.6" }, ...expected });
    expect(answer.kind === "served" && answer.doubt === undefined).toBe(!("doubt" in expected));
    expect(left).toEqual([]);
  });

  it("and hears that the server may not know of a newer decision, and does not ask whether the version is critical", async () => {
    const paths: string[] = [];
    const server = await started(
      serve((path) => {
        paths.push(path);
        return { status: 200, body: "v15.4.6", headers: { "x-svc-unconfirmed": "yes" } };
      }),
    );
    const answer = await askChannel(questionFor(`http://127.0.0.1:${server.port}`), fakePorts());
    expect([answer, paths.length]).toMatchObject([{ kind: "served", isUnconfirmed: true, isCritical: false }, 1]);
  });

  it("and hears by which decision the version is served", async () => {
    const headers = { "x-svc-decision": "3.1204" };
    const server = await started(serve((path) => ({ status: 200, headers, body: path.endsWith("/version") ? "v15.4.6" : "no" })));
    expect(await askChannel(questionFor(`http://127.0.0.1:${server.port}`), fakePorts())).toMatchObject({ decision: "3.1204" });
  });

  it.each([
    [
      404,
      "application/json",
      '{"fault": {"message": "there is no such channel"}}',
      ', answers with status 404: "there is no such channel"',
    ],
    [
      403,
      "text/plain",
      "sign in at http://ann:hunter2@login.example",
      ', answers with status 403: "sign in at http://***@login.example"',
    ],
    [
      400,
      "text/plain",
      "no".repeat(300),
      `, answers with status 400: "${"no".repeat(100)}…" and a text of 600 bytes, which is not a version`,
    ],
    [404, "text/html", "<html>hunter2</html>", ", answers with status 404"],
  ])("says of status %i why the server refuses, masked, where that is a sentence: %s %j", async (status, type, body, end) => {
    const server = await started(serve(() => ({ status, headers: { "content-type": type }, body })));
    const answer = await askChannel(questionFor(`http://127.0.0.1:${server.port}`), fakePorts());
    if (answer.kind !== "fault") throw new Error("it was refused");
    expect(answer.fault.message.slice(-end.length)).toBe(end);
    expect(JSON.stringify(answer.fault)).not.toContain("hunter2");
  });

  it.each(["hunter 2", "hunter%202", "YW5uOmh1bnRlciAy"])(
    "says nothing of what repeats the proxy's password, as %s",
    async (secret) => {
      const said = [`ann may not come with ${secret}`, "ann may not come"];
      const messages = await Promise.all(
        said.map(async (body) => {
          const proxy = await started(serve(() => ({ status: 403, headers: { "content-type": "text/plain" }, body })));
          const route: Route = {
            kind: "proxy",
            proxy: { scheme: "http", host: "127.0.0.1", port: proxy.port, credentials: { user: "ann", password: "hunter 2" } },
            rule: "HTTP_PROXY",
          };
          const question = questionFor("http://svc.example", { allowPlainHttp: true });
          const answer = await askChannel(question, fakePorts({ routeOf: () => route }));
          return answer.kind === "fault" ? answer.fault.message : "";
        }),
      );
      expect(messages.map((message) => / answers with status 403(.*)$/.exec(message)?.[1])).toEqual(["", ': "ann may not come"']);
    },
  );

  it("leaves the failure of looking up the installed version to those who look", async () => {
    const server = await started(serve(() => ({ status: 404 })));
    const installed = Promise.reject(new Error("the package database is broken"));
    const answer = await askChannel(questionFor(`http://127.0.0.1:${server.port}`, { installed }), fakePorts());
    expect(answer).toMatchObject({ kind: "fault", fault: { code: "channel-unknown" } });
  });
});

describe("askChannel and names", () => {
  it("says which name does not resolve, and that a proxy may be missing", async () => {
    const answer = await askChannel(
      questionFor("http://nowhere.invalid", { allowPlainHttp: true }),
      fakePorts({
        lookup: (name, _options, done) =>
          done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" }), ""),
      }),
    );
    expect(answer).toMatchObject({
      kind: "fault",
      fault: {
        code: "channel-unreachable",
        message: expect.stringMatching(/no name server knows the name nowhere\.invalid/),
        hint: expect.stringMatching(/getent ahosts nowhere\.invalid.*set HTTP_PROXY in \/etc\/default\/svc: `echo 'HTTP_PROXY=/),
      },
    });
  });

  it("tries the other addresses of a name", async () => {
    const server = await started(serve(() => ({ status: 200, body: "15.4.5" })));
    const lookup: NonNullable<Parameters<typeof askChannel>[1]["lookup"]> = (_name, _options, done) =>
      done(null, [
        { address: "::1", family: 6 },
        { address: "127.0.0.1", family: 4 },
      ]);
    const answer = await askChannel(questionFor(`http://two.localhost:${server.port}`), fakePorts({ lookup }));
    expect(answer).toMatchObject({ kind: "served" });
  });

  it("names every address that refused", async () => {
    const lookup: NonNullable<Parameters<typeof askChannel>[1]["lookup"]> = (_name, _options, done) =>
      done(null, [
        { address: "::1", family: 6 },
        { address: "127.0.0.1", family: 4 },
      ]);
    const answer = await askChannel(questionFor(`http://two.localhost:${closedPort}`), fakePorts({ lookup }));
    expect(answer).toMatchObject({ kind: "fault", fault: { message: expect.stringMatching(/::1.*127\.0\.0\.1/) } });
  });
});

describe("askChannel and plain http", () => {
  it.each(["http://10.0.0.1", "http://proxy.example.com", "http://localhost.example.com"])(
    "refuses %s unless it is allowed",
    async (endpoint) => {
      const answer = await askChannel(questionFor(endpoint), fakePorts());
      expect(answer).toMatchObject({
        kind: "fault",
        fault: { code: "settings-invalid", hint: expect.stringMatching(/allow_plain_http/) },
      });
    },
  );

  it("asks another host where it is allowed", async () => {
    const server = await started(serve(() => ({ status: 200, body: "15.4.5" })));
    const answer = await askChannel(
      questionFor(`http://proxy.example.com:${server.port}`, { allowPlainHttp: true }),
      fakePorts({ lookup: (_name, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]) }),
    );
    expect(answer).toMatchObject({ kind: "served" });
  });
});
