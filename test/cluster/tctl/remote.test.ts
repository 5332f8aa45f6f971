import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeAt, parseBase32, stepAt } from "../../../src/cluster/identity/one-time-code.ts";
import { browserTrusting } from "../auth/browser.ts";
import { startReachable } from "../session/relay.ts";
import { said as tshSaid } from "../tsh/running.ts";
import { maintenance, role, said, type Said } from "./running.ts";

const password = "correct horse battery staple";

const connector = `kind: github
version: v3
metadata: {name: teams}
spec:
  client_id: Iv1
  client_secret: hush
  redirect_url: https://proxy.example.com/v1/webapi/github/callback
  teams_to_roles: [{organization: acme, team: ops, roles: [editor]}]
`;
const keeper = `kind: role
version: v7
metadata: {name: connector-keeper}
spec: {allow: {rules: [{resources: [github, oidc, saml], verbs: [secrets]}]}}
`;

type Stage = Awaited<ReturnType<typeof startReachable>> & {
  readonly home: string;
  readonly tsh: (argv: readonly string[], input?: string) => Promise<Said>;
  readonly tctl: (...argv: readonly string[]) => Promise<Said>;
  readonly root: (...argv: readonly string[]) => Promise<Said>;
  readonly file: (name: string, text: string) => string;
  readonly signIn: () => Promise<Said>;
  readonly takeInvitation: (link: string) => Promise<Said>;
};

/** A computer far from the cluster, where one person works, and root on the auth host. */
async function startStage(): Promise<Stage> {
  const clock = { ahead: 0 };
  const now = (): number => Math.floor(Date.now() / 1000) + clock.ahead;
  const reachable = await startReachable({ now });
  const home = mkdtempSync(join(tmpdir(), "home-"));
  const { directory } = reachable.people;
  const config = join(directory, "svc.yaml");
  writeFileSync(config, `svc: {data_dir: ${directory}}\nproxy_service: {public_addr: "${reachable.address}"}\n`);
  let secret = "";
  const codeOfNow = (): string => {
    // No code is good twice.
    clock.ahead += 30;
    return codeAt(parseBase32(secret)!, stepAt(now()));
  };
  const tsh: Stage["tsh"] = (argv, input = "") => tshSaid(argv, { home, input });
  return {
    ...reachable,
    home,
    tsh,
    tctl: (...argv) => said(argv, { HOME: home }),
    root: (...argv) => said([...argv, "-c", config], { HOME: "/nowhere" }),
    file: (name, text) => {
      writeFileSync(join(home, name), text);
      return join(home, name);
    },
    signIn: () =>
      tsh(
        ["login", `--proxy=${reachable.address}`, "--user=alice", `--ca-file=${reachable.caFile}`, "--password-file=-"],
        `${password}\n${codeOfNow()}\n`,
      ),
    takeInvitation: (link) =>
      tshSaid(["invite", link, `--ca-file=${reachable.caFile}`, "--password-file=-"], {
        home,
        input: async function* (out) {
          yield `${password}\n`;
          secret = /or type it in: +([A-Z2-7]+)/.exec(out())?.[1] ?? "";
          yield `${codeOfNow()}\n`;
        },
      }),
    [Symbol.asyncDispose]: async () => {
      rmSync(home, { recursive: true, force: true });
      await reachable[Symbol.asyncDispose]();
    },
  };
}

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

/** The tests of a part go on where the one before has ended. */
describe("a person who administers from afar", () => {
  it("is invited by a link that root's tctl prints, and takes it", async () => {
    const { status, out } = await stage.root("users", "add", "alice", "--roles=editor");
    expect(status).toBe(0);
    const link = /https:\/\/\S+/.exec(out)?.[0] ?? "";
    expect(link).toMatch(new RegExp(`^https://${stage.address}/web/invite/[0-9a-f]{64}$`));
    expect(out).toContain("They type `tsh invite`");
    const page = await browserTrusting([stage.caFile]).open(link);
    expect([page.status, page.page]).toEqual([200, expect.stringContaining("<code>tsh invite</code>")]);
    const taken = await stage.takeInvitation(link);
    expect([taken.status, taken.error]).toEqual([0, ""]);
    expect(taken.out).toContain("the password of alice is set, and the codes are in use");
    const again = await stage.takeInvitation(link);
    expect(again.status).not.toBe(0);
    expect(again.error).not.toContain(link);
  });

  it("signs in, and is told who they are", async () => {
    const { status, out, error } = await stage.signIn();
    expect([status, error]).toEqual([0, ""]);
    expect(out).toContain("roles    editor\n");
  });

  it("does what their roles allow with the same words, and is refused the rest with what root can type", async () => {
    const seen = await stage.tctl("status");
    expect([seen.status, seen.error]).toEqual([0, ""]);
    expect(seen.out).toContain("Cluster  example\n");
    const refused = await stage.tctl("create", stage.file("window.yaml", maintenance));
    expect(refused.status).toBe(77);
    expect(refused.error).toContain("create");
    expect(refused.error).toContain("cluster_maintenance_config");
    expect(refused.error).toContain("sudo tctl");
  });

  it("may set the window once the role is theirs, as the documents say: role, roles of now, sign out and in", async () => {
    expect((await stage.root("create", stage.file("role.yaml", role))).status).toBe(0);
    const { active } = JSON.parse((await stage.tsh(["status", "-f", "json"])).out) as {
      active: { username: string; roles: string[] };
    };
    expect(active).toMatchObject({ username: "alice", roles: ["editor"] });
    const roles = [...active.roles, "maintenance-manager"].join(",");
    expect((await stage.root("users", "update", active.username, `--set-roles=${roles}`)).status).toBe(0);
    expect((await stage.tsh(["logout"])).status).toBe(0);
    expect((await stage.signIn()).out).toContain("roles    editor,maintenance-manager\n");
    const { status, out, error } = await stage.tctl("create", stage.file("window.yaml", maintenance));
    expect([status, error]).toEqual([0, ""]);
    expect(out).toContain("maintenance window has been updated\nIt opens next:\n");
    const audit = await stage.root("audit", "ls", "--actor=alice", "--format=json");
    expect((JSON.parse(audit.out) as { events: { event: string }[] }).events.map(({ event }) => event)).toContain(
      "cluster_maintenance_config.created",
    );
  });

  const forRoot: readonly (readonly string[])[] = [
    ["backup", "/nowhere/backup"],
    ["tokens", "add", "--type=proxy"],
    ["tokens", "add", "--type=auth"],
    ["ca", "rotate"],
  ];
  it.each(forRoot)("is told of %s %s that root alone may, before anything is asked", async (...argv) => {
    const before = stage.passed.length;
    const { status, error } = await stage.tctl(...argv);
    expect([status, error]).toEqual([
      77,
      expect.stringContaining("for root on the auth host alone, and you are asking as alice"),
    ]);
    expect(error).toContain(`next: on the auth host: \`sudo tctl ${argv.slice(0, 1).join(" ")}`);
    expect(stage.passed.length).toBe(before);
  });

  it("reads a connector's secret only with the verb for it, and the proxy on the way does not", async () => {
    const file = stage.file("teams.yaml", connector);
    expect((await stage.root("create", file)).status).toBe(0);
    const refused = await stage.tctl("get", "github/teams", "--with-secrets");
    expect([refused.status, refused.error]).toEqual([77, expect.stringContaining("secrets on github")]);
    expect((await stage.root("create", stage.file("keeper.yaml", keeper))).status).toBe(0);
    await stage.root("users", "update", "alice", "--set-roles=editor,maintenance-manager,connector-keeper");
    const before = stage.passed.length;
    const { status, out, error } = await stage.tctl("get", "github/teams", "--with-secrets");
    expect([status, error]).toEqual([0, expect.stringContaining("delete the file")]);
    expect(out).toContain("client_secret: hush");
    expect((await stage.tctl("get", "github", "--with-secrets")).out).toBe(out);
    const [one, ...more] = stage.passed.slice(before);
    expect([one, more.length]).toEqual([expect.stringContaining('{"sealed":"'), 1]);
    expect(stage.passed.slice(before).join("")).not.toContain("hush");
    const audit = await stage.root("audit", "ls", "--event=resource.secrets-read", "--actor=alice", "--format=json");
    expect(JSON.parse(audit.out)).toMatchObject({ events: [{ name: "teams" }, { kind: "github" }] });
    await stage.root("users", "update", "alice", "--set-roles=editor,maintenance-manager");
  });

  it("lets hosts join, through the proxy that they use themselves", async () => {
    const { status, out } = await stage.tctl("tokens", "add", "--type=node");
    expect(status).toBe(0);
    expect(out).toContain(`--auth-server ${stage.address} `);
  });

  it("invites others, with the proxy in the link that they use themselves", async () => {
    const { status, out } = await stage.tctl("users", "add", "bob", "--roles=editor", "--ttl=2h", "--format=json");
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      changed: [{ name: "bob", outcome: "created" }],
      invitation: { user: "bob", link: expect.stringContaining(`https://${stage.address}/web/invite/`) as unknown },
    });
    const { link } = (JSON.parse(out) as { invitation: { link: string } }).invitation;
    const token = link.split("/").at(-1)!;
    expect(stage.passed.join("\n")).not.toContain(token);
  });

  it("is told that root has to make a link for somebody with more rights", async () => {
    const { status, error } = await stage.tctl("users", "add", "eve", "--roles=auditor");
    expect([status, error]).toEqual([
      77,
      expect.stringContaining("next: root can on the auth host: `sudo tctl users reset eve`"),
    ]);
    expect((await stage.root("users", "rm", "eve")).status).toBe(0);
  });

  it("sees who is signed in, and may end it: then the next call says how to begin again", async () => {
    const { out } = await stage.tctl("sessions", "ls", "--user=alice");
    expect(out).toMatch(/^Session +User +Roles +Began +Until +From +By +Through\n/);
    expect(out).toMatch(/\n[0-9a-f]{16} +alice +editor,maintenance-manager .* 203\.0\.113\.7 +tsh\n/);
    const removed = await stage.root("sessions", "rm", "--user=alice");
    expect([removed.status, removed.out]).toEqual([0, "one session of alice ended\n"]);
    const after = await stage.tctl("status");
    expect(after.status).toBe(77);
    expect(after.error).toContain(`sign in again: \`tsh login --proxy=${stage.address} --user=alice`);
    expect((await stage.root("sessions", "ls")).out).toBe("nobody is signed in\n");
  });

  it("is signed out by a reset, and comes back by its link alone", async () => {
    await stage.signIn();
    const { status, out } = await stage.root("users", "reset", "alice");
    expect(status).toBe(0);
    expect(out).toContain("the password and the codes of alice are void");
    expect((await stage.tctl("status")).status).toBe(77);
    expect((await stage.signIn()).error).toContain("not right");
    expect((await stage.takeInvitation(/https:\/\/\S+/.exec(out)?.[0] ?? "")).status).toBe(0);
    expect((await stage.signIn()).status).toBe(0);
  });
});

describe("which way tctl goes", () => {
  it("names both where neither is there", async () => {
    const nobody = await said(["status"], { HOME: "/nowhere" });
    expect([75, 77]).toContain(nobody.status);
    expect(nobody.error).toContain("nobody has signed in here with tsh");
    expect(nobody.error).toContain("`sudo tctl …`; from elsewhere: `tsh login --proxy=HOST --user=NAME`");
    expect(existsSync("/var/lib/svc/root/auth.sock")).toBe(false);
  });

  it("takes the session at the proxy that is named, and no other", async () => {
    await stage.signIn();
    expect((await stage.tctl("status", `--proxy=${stage.address}`)).status).toBe(0);
    expect((await stage.tctl(`--proxy=${stage.address}`, "status")).status).toBe(0);
    const other = await stage.tctl("status", "--proxy=other.example");
    expect([other.status, other.error]).toEqual([77, expect.stringContaining("nobody has signed in here at other.example")]);
  });

  it("does not guess which of two is meant", async () => {
    const both = await stage.root("status", `--proxy=${stage.address}`);
    expect([both.status, both.error]).toEqual([64, expect.stringContaining("they exclude each other")]);
  });

  it("has the proxy that root names stand in a link", async () => {
    const { out } = await stage.root("users", "reset", "bob", "--proxy=proxy.example.com");
    expect(out).toContain("  https://proxy.example.com/web/invite/");
  });
});
