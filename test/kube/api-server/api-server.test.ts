import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { openApiServer, type ApiTimes, type Followed, type Sight } from "../../../src/kube/api-server/api-server.ts";
import { decodeValue } from "../../../src/rules/shape/read.ts";
import { record, word } from "../../../src/rules/shape/shape.ts";
import { closedPort } from "../../machine/network/fixture/closed-port.ts";
import { item, json, nothing, page, played, refusal, watch, type Answer, type Played } from "./played.ts";

const client = { name: "svc-kube-updater", toOthers: "force" } as const;
const times: Partial<ApiTimes> = {
  idleMs: 1000,
  firstWaitMs: 2,
  longestWaitMs: 50,
  headersMs: 10_000,
  wholeMs: 2000,
  connectMs: 10_000,
};

const named = record({ metadata: record({ name: word }), say: word });
const things: Followed<string> = {
  path: "/apis/things",
  fieldSelector: "metadata.name=a",
  read: (found) => {
    const reading = decodeValue(found, named, "ignored");
    return reading.kind === "read" ? { kind: "read", value: reading.value.say } : reading;
  },
};

const one = item("a", "5", { say: "one" });
const frame = (type: string, object: object): object => ({ type, object });
const bookmark = frame("BOOKMARK", { metadata: { resourceVersion: "9" }, spec: { containers: null } });
const changed = frame("MODIFIED", item("a", "6", { say: "two" }));

/** What is seen, in words: the things that are there, or the failure. */
function inWords(sight: Sight<string>): string {
  if (sight.kind === "known") return [...sight.items].map(([name, say]) => `${name}=${say}`).join(" ") || "nothing";
  return sight.kind === "refused" ? `${sight.status} ${sight.message}` : sight.message;
}

/** Follows until enough is seen and asked. */
async function follow(server: Pick<Played, "place">, enough: (seen: readonly string[]) => boolean): Promise<readonly string[]> {
  const api = openApiServer(server.place, client, times);
  const stopping = new AbortController();
  const seen: string[] = [];
  const following = api.follow(things, (sight) => void seen.push(inWords(sight)), stopping.signal);
  try {
    await expect.poll(() => enough(seen), { message: "enough is seen" }).toBe(true);
  } finally {
    stopping.abort();
    await api.close();
    await following;
  }
  return seen;
}

async function lives(...answers: readonly Answer[]) {
  await using server = await played(...answers);
  const seen = await follow(server, () => server.requests.length >= answers.length);
  const asked = server.requests.map(({ query }) => (query.has("watch") ? `watch ${query.get("resourceVersion")}` : "list"));
  return { seen, asked };
}

describe("what is followed", () => {
  test("is listed in pages, and then watched", async () => {
    await using server = await played(
      page("5", [one], { continue: "more" }),
      page("5", [item("b", "4", { say: "three" })]),
      watch(
        [changed, bookmark, frame("ADDED", item("c", "10", { say: "four" })), frame("DELETED", item("b", "11"))],
        "is silent",
      ),
    );
    const seen = await follow(server, (all) => all.length >= 4);
    expect(seen).toEqual(["a=one b=three", "a=two b=three", "a=two b=three c=four", "a=two c=four"]);
    const [first, second, third] = server.requests.map(({ path, query }) => ({ path, ...Object.fromEntries(query) }));
    expect(first).toEqual({ path: "/apis/things", fieldSelector: "metadata.name=a", limit: "100" });
    expect(second).toEqual({ path: "/apis/things", fieldSelector: "metadata.name=a", limit: "100", continue: "more" });
    expect(third).toMatchObject({ watch: "true", allowWatchBookmarks: "true", resourceVersion: "5" });
    const seconds = Number(server.requests[2]?.query.get("timeoutSeconds"));
    expect(seconds).toBeGreaterThanOrEqual(240);
    expect(seconds).toBeLessThanOrEqual(480);
  });

  test.each([
    ["ends", watch([changed, bookmark], "ends"), ["list", "watch 5", "watch 9"]],
    ["is cut", watch([changed], "is cut"), ["list", "watch 5", "watch 6"]],
    ["falls silent", watch([changed], "is silent"), ["list", "watch 5", "watch 6"]],
    ["ends without a frame", watch([], "ends"), ["list", "watch 5", "list"]],
    ["is silent from the beginning", watch([], "is silent"), ["list", "watch 5", "list"]],
    ["is gone by its body", watch([frame("ERROR", { code: 410, reason: "Expired" })], "ends"), ["list", "watch 5", "list"]],
    ["is gone by its status", refusal(410, "too old"), ["list", "watch 5", "list"]],
    ["garbles a line", watch([changed, '{"type":"MODI', "FIED\n", bookmark], "is silent"), ["list", "watch 5", "list"]],
    ["says what is no frame", watch([changed, { kind: "Status" }], "is silent"), ["list", "watch 5", "list"]],
  ])("goes on where a watch %s", async (_, life, asked) => {
    const last = asked[2] === "list" ? page("5", [one]) : watch([], "is silent");
    const found = await lives(page("5", [one]), life, last);
    expect(found.asked.slice(0, 3)).toEqual(asked);
    // None of it is a failure that anybody is told.
    expect(found.seen.filter((words) => !words.startsWith("a="))).toEqual([]);
  });

  test.each([
    ["refused", refusal(403, 'things "a" is forbidden'), '403 things "a" is forbidden'],
    ["answered in no known way", json(500, "whatever"), "500 it answers 500"],
    ["answered with no JSON", (response) => void response.end("<html>"), "its answer is not JSON"],
    ["answered with another thing", json(200, { items: 1 }), "its answer is not what it should be: metadata is not an object"],
    ["cut", (response) => void response.destroy(), "other side closed"],
    ["not answered", nothing, "it does not answer in time"],
  ] satisfies readonly (readonly [string, Answer, string])[])(
    "is told where a list is %s, and is there again later",
    async (_, answer, words) => {
      await using server = await played(answer, page("5", [one]), watch([], "is silent"));
      expect(await follow(server, (seen) => seen.length >= 2)).toEqual([words, "a=one"]);
    },
  );

  test("is told where a thing in it cannot be read, in a list and in a watch", async () => {
    const wrong = item("a", "7", { say: 1 });
    const words = "a cannot be read: say is not a text of at most 513 characters";
    await using server = await played(
      page("5", [one]),
      watch([frame("MODIFIED", wrong)], "is silent"),
      page("7", [wrong]),
      page("8", [one]),
      watch([], "is silent"),
    );
    expect(await follow(server, (seen) => seen.length >= 3)).toEqual(["a=one", words, "a=one"]);
  });

  test("is told again once a watch that was refused is let through", async () => {
    await using server = await played(
      page("5", [one]),
      watch([bookmark], "ends"),
      refusal(403, "not any more"),
      page("9", [one]),
      watch([], "is silent"),
    );
    expect(await follow(server, (seen) => seen.length >= 3)).toEqual(["a=one", "403 not any more", "a=one"]);
  });

  test("is not followed where it may be listed and not watched", async () => {
    await using server = await played(page("5", [one]), refusal(403, "no watch"), page("5", [one]), refusal(403, "no watch"));
    const seen = await follow(server, () => server.requests.length >= 5);
    expect(new Set(seen)).toEqual(new Set(["403 no watch"]));
  });

  test("is told where nobody listens", async () => {
    const url = `https://127.0.0.1:${closedPort}`;
    await using server = await played(nothing);
    const [first] = await follow({ place: { ...server.place, url } }, (seen) => seen.length >= 2);
    expect(first).toMatch(/ECONNREFUSED/);
  });
});

describe("a token", () => {
  test("that is refused is read again, at once and once", async () => {
    await using server = await played(
      (response, request) => {
        server.giveToken("second");
        refusal(401, "Unauthorized")(response, request);
      },
      page("5", [one]),
      watch([], "is silent"),
    );
    expect(await follow(server, (seen) => seen.length >= 1)).toEqual(["a=one"]);
    expect(server.requests.slice(0, 2).map(({ token }) => token)).toEqual(["first", "second"]);
  });

  test("that is refused again is told", async () => {
    await using server = await played(refusal(401, "Unauthorized"));
    const [first] = await follow(server, (seen) => seen.length >= 1);
    expect(first).toBe("401 Unauthorized");
    expect(server.requests.length).toBeGreaterThanOrEqual(2);
  });

  test.each([
    ["", /token holds no token$/],
    ["a b", /token holds no token$/],
  ])("is none: %j", async (text, words) => {
    await using server = await played(nothing);
    server.giveToken(text);
    const [first] = await follow(server, (seen) => seen.length >= 1);
    expect(first).toMatch(words);
    expect(server.requests).toEqual([]);
  });
});

describe("the server's certificate", () => {
  test("is believed by the file alone, which is read again", async () => {
    await using server = await played(page("5", [one]), watch([], "is silent"));
    await using other = await played(nothing);
    const caFile = `${server.place.caFile}.copy`;
    writeFileSync(caFile, readFileSync(other.place.caFile));
    const seen = await follow({ place: { ...server.place, caFile } }, (all) => {
      if (all.length >= 1) writeFileSync(caFile, readFileSync(server.place.caFile));
      return all.at(-1) === "a=one";
    });
    expect(seen[0]).toMatch(/certificate/);
  });

  test("is told where the file is not there", async () => {
    await using server = await played(nothing);
    const [first] = await follow({ place: { ...server.place, caFile: "/nowhere/ca" } }, (seen) => seen.length >= 1);
    expect(first).toBe("/nowhere/ca cannot be read: it is missing");
  });
});

/** What one call comes to, the request that it made, and the server's clock. */
async function called<T>(answer: Answer, call: (api: ReturnType<typeof openApiServer>, signal: AbortSignal) => Promise<T>) {
  await using server = await played(answer);
  const api = openApiServer(server.place, client, times);
  expect(api.clock()).toBeUndefined();
  const outcome = await call(api, new AbortController().signal);
  await api.close();
  const { query, body, ...request } = server.requests[0]!;
  return { outcome, request: { ...request, query: Object.fromEntries(query), body: JSON.parse(body) }, clock: api.clock() };
}

describe("what is applied", () => {
  const applied = { kind: "Thing", metadata: { name: "a", resourceVersion: "5" } };

  test("is sent with our own field manager, and its answer comes back", async () => {
    const apply = await called(json(201, item("a", "6")), (api, signal) => api.apply("/apis/things/a", applied, signal));
    expect(apply.outcome).toEqual({ kind: "done", answer: item("a", "6") });
    const query = { fieldManager: "svc-kube-updater", force: "true" };
    expect(apply.request).toMatchObject({ method: "PATCH", path: "/apis/things/a", query });
    expect([apply.request.query, apply.request.body]).toEqual([query, applied]);
    // Its clock is the second witness.
    expect(Math.abs((apply.clock ?? 0) - Date.now() / 1000)).toBeLessThan(5);
  });

  test("is told where it is not taken", async () => {
    const message = "the object has been modified";
    const { outcome } = await called(refusal(409, message), (api, signal) => api.apply("/apis/things/a", applied, signal));
    expect(outcome).toEqual({ kind: "refused", status: 409, message, causes: [] });
  });
});

describe("a change", () => {
  test("of a JSON patch is sent as one, in our name", async () => {
    const body = [{ op: "test", path: "/metadata/uid", value: "a" }];
    const patch = await called(json(200, item("a", "6")), (api, signal) => api.patch("/apis/things/a", body, signal));
    expect(patch.outcome).toMatchObject({ kind: "done" });
    expect(patch.request).toMatchObject({ method: "PATCH", path: "/apis/things/a", type: "application/json-patch+json" });
    expect([patch.request.query, patch.request.body]).toEqual([{ fieldManager: "svc-kube-updater" }, body]);
  });

  test("that is refused says by which fields", async () => {
    const causes = [{ reason: "FieldValueInvalid", message: "no such thing", field: "spec.image" }, {}];
    const invalid = json(422, { message: "invalid", details: { name: "a", causes } });
    const { outcome } = await called(invalid, (api, signal) => api.patch("/apis/things/a", [], signal));
    const [field, message] = ["spec.image", "no such thing"];
    const told = [
      { field, message },
      { field: "", message: "" },
    ];
    expect(outcome).toEqual({ kind: "refused", status: 422, message: "invalid", causes: told });
  });

  test("that deletes is one of the very thing that was seen", async () => {
    const preconditions = { uid: "a", resourceVersion: "5" };
    const gone = await called(json(200, item("a", "6")), (api, signal) => api.remove("/apis/things/a", preconditions, signal));
    expect(gone.outcome).toMatchObject({ kind: "done" });
    expect(gone.request.method).toBe("DELETE");
    expect(gone.request.body).toEqual({ apiVersion: "v1", kind: "DeleteOptions", preconditions });
  });
});
