import { userInfo } from "node:os";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import type { Profile } from "../../../src/cluster/session/profile.ts";
import { tellFailure } from "../../../src/cluster/tsh/commands/ssh.ts";
import { sshPath, targetIn, type Signed } from "../../../src/cluster/tsh/shell.ts";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { said } from "./running.ts";

test("says its version, in words and in JSON", async () => {
  expect(await said(["version"])).toEqual({ status: 0, out: "tsh 0.0.0-source\n", error: "" });
  expect(JSON.parse((await said(["version", "--json"])).out)).toEqual({ schema: 1, version: "0.0.0-source" });
});

test.each([["ssh", "root@web1", "uptime"], ["proxy", "ssh", "root@web1"], ["proxy", "certify", "root@web1"], ["config"]])(
  "opens no shell for nobody: %s %s",
  async (...words) => {
    const { status, error } = await said(words);
    expect([status, error]).toEqual([77, expect.stringContaining("nobody has signed in here")]);
  },
);

test.each(["-oProxyCommand=x@web1", "root@-oProxyCommand=x", "root@web1 x", "@web1", "root@"])(
  "takes %j for no host, as it would become words of ssh",
  (typed) => {
    expect(() => targetIn(typed, { cluster: { id: "" as never, name: "example.com" } })).toThrow("is no host to log in at");
  },
);

test("says where options of ssh belong", () => {
  const typing = (): unknown => targetIn("-L", { cluster: { id: "" as never, name: "example.com" } });
  expect(typing).toThrow(expect.objectContaining({ hint: expect.stringContaining("behind --") }));
});

test("takes a host by its name, its id, and its name with the cluster's behind it", () => {
  const { host, login } = targetIn("alice@web1.example.com", { cluster: { id: "" as never, name: "example.com" } });
  expect([host, login]).toEqual(["web1", "alice"]);
  expect(targetIn("web1", { cluster: { id: "" as never, name: "example.com" } })).toEqual({
    host: "web1",
    login: userInfo().username,
  });
});

test("gives ssh paths with blanks, quotes and percent signs as one word", () => {
  expect(sshPath("/home/a b/50%/.svc", "ssh", "%r@%h")).toBe('"/home/a b/50%%/.svc/ssh/%r@%h"');
  expect(sshPath('/home/"x\\')).toBe('"/home/\\"x\\\\"');
});

test("shows what there is on one screen", async () => {
  const { status, out } = await said([]);
  expect(status).toBe(0);
  expect(out).toContain("  login          sign in, for 12 hours\n");
  expect(out).toContain("  ssh            open a shell on a host");
  expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(out.split("\n").length).toBeLessThanOrEqual(24);
  expect((await said(["logni"])).status).toBe(64);
});

const profile = {
  proxy: { host: "proxy.example.com", port: 443 },
  user: "alice",
  hostAuthorities: ["one"],
} as unknown as Profile;

/** Answers each call so. */
function answering(status: number, body: object): Signed["transport"] {
  const answer = { status, contentType: "application/json", retryAfter: undefined, date: undefined };
  return {
    post: () => Promise.resolve({ ...answer, body: Readable.from([Buffer.from(JSON.stringify(body))]) }),
    whom: "the proxy",
    explain: (thrown: unknown) => thrown as Error,
  } as unknown as Signed["transport"];
}

test.each([
  ["nothing of a command that ended so itself", 200, { sshHostAuthorities: ["one"] }, ""],
  [
    "that hosts have a newer key",
    200,
    { sshHostAuthorities: ["one", "two"] },
    "note: hosts may be trusted by a newer key than when you signed in: `tsh login --proxy=proxy.example.com --user=alice`\n",
  ],
  ["nothing that it does not know", 503, { code: "unavailable", message: "busy" }, ""],
])("says after ssh's own failure %s", async (_what, status, body, says) => {
  expect(await tellFailure({ profile, transport: answering(status, body) }, new AbortController().signal)).toBe(says);
});

test("says after ssh's own failure that the session is over", async () => {
  const over = new Fault("session-ended", { message: "the session is over, or unknown", hint: "sign in again" });
  const transport = { ...answering(200, {}), post: () => Promise.reject(over) };
  expect(await tellFailure({ profile, transport }, new AbortController().signal)).toBe(
    "note: the session is over, or unknown; sign in again\n",
  );
});
