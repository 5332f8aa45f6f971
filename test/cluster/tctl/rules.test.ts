import { createHash } from "node:crypto";
import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { updateUser } from "../../../src/cluster/tctl/commands/users.ts";
import { contextFor, type TctlContext } from "../../../src/cluster/tctl/context.ts";
import { faultLines } from "../../../src/rules/fault/fault-lines.ts";
import { printJson } from "../../../src/rules/shape/print-json.ts";
import { table } from "../../../src/rules/text/table.ts";
import { tellShort, tellTime } from "../../../src/machine/clocks/tell-time.ts";
import { role, said, startTctl, testTctl as it } from "./running.ts";

const connector = `kind: github
metadata: {name: teams}
spec:
  client_id: example
  client_secret: hush
  redirect_url: https://proxy.example.com/v1/webapi/github/callback
  teams_to_roles:
    - {organization: example, team: ops, roles: [access]}
`;

describe("tctl", () => {
  it("sends auth a token's digest alone, and a file of it is nobody else's", async ({ on }) => {
    const path = join(on.directory, "token");
    const came = await on.tctl("tokens", "add", "--type=node", "--format=json", `--out=${path}`);
    const token = readFileSync(path, "utf8").trim();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const answer = JSON.parse(came.out) as { readonly token: { readonly name: string }; readonly secret?: string };
    expect(answer.token.name).toBe(createHash("sha256").update(token).digest("hex").slice(0, 16));
    expect(answer.secret).toBeUndefined();
    const kept = readFileSync(join(on.directory, "store", "cluster.db"), "latin1");
    expect([kept.includes(token), JSON.stringify(on.lines).includes(token), came.out.includes(token)]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("prints both pins while the authority is rotated, so that the line fits after the second step too", async ({ on }) => {
    await on.tctl("ca", "rotate");
    const pins = (JSON.parse((await on.tctl("status", "--format=json")).out) as { readonly ca_pins: readonly string[] }).ca_pins;
    expect(pins.length).toBe(2);
    expect((await on.tctl("tokens", "add", "--type=node")).out).toContain(` --ca-pin ${pins.join(",")}\n`);
  });

  it("leaves no file of a token that auth refused, and follows no link to one", async ({ on }) => {
    const path = join(on.directory, "token");
    expect((await on.tctl("tokens", "add", "--type=node", "--ttl=90d", `--out=${path}`)).status).toBe(65);
    expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
    symlinkSync(join(on.directory, "elsewhere"), path);
    expect((await on.tctl("tokens", "add", "--type=node", `--out=${path}`)).status).toBe(74);
    expect(statSync(join(on.directory, "elsewhere"), { throwIfNoEntry: false })).toBeUndefined();
  });

  it("shows secrets where they are asked for, says to delete them, and keeps those that are absent", async ({ on }) => {
    await on.tctl("create", on.file("teams.yaml", connector));
    const plain = await on.tctl("get", "github/teams");
    expect(plain.out).not.toContain("hush");
    expect((await on.tctl("create", "-f", on.file("back.yaml", plain.out.replace("ops", "dev")))).status).toBe(0);
    const whole = await on.tctl("get", "github/teams", "--with-secrets");
    expect(whole.out).toContain("client_secret: hush");
    expect(whole.out).toContain("team: dev");
    expect(whole.error).toBe("note: this holds secrets; delete the file that you put it in as soon as it was used\n");
    expect((await on.tctl("audit", "ls")).out).toContain("secrets");
    expect((await on.tctl("get", "role", "--with-secrets")).error).toBe("");
  });

  it("takes a role from elsewhere, and says what has no effect here", async ({ on }) => {
    const spec = "spec: {options: {max_session_ttl: 8h}, allow: {logins: [root], rules: [{resources: [user], verbs: [read]}]}}";
    const { out } = await on.tctl(
      "create",
      on.file("role.yaml", `kind: role\nversion: v6\nmetadata: {name: r, description: d}\n${spec}\n`),
    );
    expect(out).toBe(
      'role "r" has been created\nnote: kept, but without effect here: allow.logins without allow.node_labels, options\n',
    );
    expect((await on.tctl("get", "role/r")).out).toMatch(/logins:\n +- root\n/);
  });

  it("takes -f for --format, for a fault too, and not where -f means force", async ({ on }) => {
    expect(JSON.parse((await on.tctl("get", "role", "-f", "json")).out)).toEqual(
      JSON.parse((await on.tctl("get", "role", "--format", "json")).out),
    );
    expect(JSON.parse((await on.tctl("get", "role/x", "-f", "json")).out)).toMatchObject({ fault: { code: "resource-missing" } });
    const forced = await on.tctl("create", "-f", "json");
    expect([forced.status, forced.out]).toEqual([74, ""]);
  });

  it("says of a window that is called by another name that there is one without", async ({ on }) => {
    const { status, error } = await on.tctl("get", "cluster_maintenance_config/foo");
    expect([status, error]).toEqual([
      69,
      expect.stringContaining('"foo": a cluster has one, which needs no name\nnext: `tctl -c'),
    ]);
  });

  it("takes back whatever it prints of everything, in both formats", async ({ on }) => {
    await on.tctl("create", on.file("role.yaml", `${role}---\n${connector}`));
    for (const format of ["yaml", "json"]) {
      const { out } = await on.tctl("get", "all", `--format=${format}`);
      const came = await on.tctl("create", "-f", on.file(`all.${format}`, out));
      expect(came.error).toBe("");
      expect(
        came.out
          .trim()
          .split("\n")
          .filter((line) => !line.startsWith("note: "))
          .every((line) => line.endsWith("is as it was")),
      ).toBe(true);
    }
  });

  it("says document by document what became of a file that auth refused in the middle", async ({ on }) => {
    const user = (name: string, of: string): string => `kind: user\nmetadata: {name: ${name}}\nspec: {roles: [${of}]}\n`;
    const path = on.file("users.yaml", [user("a", "access"), user("b", "nobody"), user("c", "access")].join("---\n"));
    const came = await on.tctl("create", path);
    expect(came.status).toBe(65);
    expect(came.error).toContain('user "a" has been created');
    expect(came.error).toContain(`line 7: .spec.roles[0]: the role "nobody", which does not exist`);
    expect(came.error).toContain('user "c" was not sent');
    expect((await on.tctl("users", "ls")).out).toContain("a     access");
  });

  it("does not take roles away that somebody else gave meanwhile", async ({ on }) => {
    await on.tctl("users", "add", "alice", "--roles=access");
    const config = on.file("svc.yaml", `svc: {data_dir: ${on.directory}}\n`);
    const surroundings = {
      argv: [],
      environment: {},
      out: () => undefined,
      error: () => undefined,
      isTerminal: false,
      stopping: new AbortController().signal,
    };
    const given = {
      arguments: ["alice"],
      text: (name: string) => ({ config, setRoles: "editor" })[name],
      isSet: () => false,
      format: "text",
    };
    const context = contextFor(given, surroundings);
    const meanwhile: TctlContext = {
      ...context,
      call: async (method, request) => {
        if (method === "ResourceService/UpsertResource") await on.tctl("users", "update", "alice", "--set-roles=access,auditor");
        return context.call(method, request);
      },
    };
    await expect(updateUser(meanwhile, given)).rejects.toMatchObject({ code: "resource-overtaken" });
    expect((await on.tctl("users", "ls")).out).toContain("access,auditor");
  });

  it("answers in JSON for a fault too, with every place", async ({ on }) => {
    const came = await on.tctl("create", on.file("bad.yaml", "kind: role\nmetadata: {}\n"), "--format=json");
    const { fault } = JSON.parse(came.out) as { readonly fault: { readonly code: string; readonly wrong: readonly unknown[] } };
    expect([fault.code, fault.wrong.length]).toEqual(["resource-invalid", 2]);
  });

  it("reads as many users as there are", async ({ on }) => {
    const users = Array.from({ length: 230 }, (_, index) => `kind: user\nmetadata: {name: u${index}}\nspec: {roles: []}\n`);
    expect((await on.tctl("create", on.file("users.yaml", users.join("---\n")))).status).toBe(0);
    const { out } = await on.tctl("users", "ls", "--format=json");
    expect((JSON.parse(out) as { readonly users: readonly unknown[] }).users).toHaveLength(230);
    const audit = await on.tctl("audit", "ls", "--limit=231");
    expect(audit.out.match(/user\.created/g)).toHaveLength(230);
  });
});

describe("what tctl prints", () => {
  const nasty = "a\u001B[2Jb\u009Bc\u202Ed\ne";

  it("sends nothing to a terminal that others wrote, but what can be read", () => {
    const texts = [
      table(["Name"], [[nasty]]),
      printJson({ [nasty]: nasty }),
      faultLines({ message: nasty, hint: nasty, wrong: [{ at: nasty, found: nasty, allowed: nasty }] }),
      tellTime(nasty),
      tellShort(nasty),
    ];
    for (const text of texts) expect(text).not.toMatch(/[^\n\P{C}]/u);
    expect(JSON.parse(texts[1] ?? "")).toEqual({ [nasty]: nasty });
  });

  it("tells a time for a column in the reader's zone", () => {
    const told = tellTime("2026-12-01T02:00:00Z");
    const [, day, clock] = /^\w{3} (\S+) (\S+)/.exec(told) ?? [];
    expect(tellShort("2026-12-01T02:00:00Z")).toBe(`${day} ${clock}`);
  });

  it("lines columns up, whatever is in them", () => {
    const lines = table(
      ["Name", "Of"],
      [
        ["ä𝒳", "1"],
        ["long name", "22"],
      ],
    ).split("\n");
    expect(lines).toEqual(["Name       Of", "---------  --", "ä𝒳         1", "long name  22", ""]);
  });
});

describe("where auth is", () => {
  const places: readonly (readonly [string, string | undefined, string])[] = [
    ["a file that is not there", undefined, "does not exist"],
    ["a file that is no YAML", "svc: [", "cannot be read"],
    ["a data_dir that is no text", "svc: {data_dir: 7}", "svc.data_dir in"],
    ["a socket that is not there", "svc: {data_dir: /nowhere}", "there is no socket /nowhere/root/auth.sock"],
  ];
  it.each(places)("is told by the file: %s", async (_what, text, told) => {
    await using on = await startTctl();
    const path = join(on.directory, "other.yaml");
    if (text !== undefined) writeFileSync(path, text);
    const came = await said(["-c", path, "status"]);
    expect(came.error).toContain(told);
    expect(came.error).toMatch(/\nnext: .+\n$/);
  });

  const addresses: readonly (readonly [string, string])[] = [
    ["{public_addr: auth.example.com}", "auth.example.com:3025"],
    ["{public_addr: [a.example.com, b.example.com], listen_addr: 0.0.0.0:4025}", "a.example.com:4025,b.example.com:4025"],
    ['{public_addr: "auth.example.com:443"}', "auth.example.com:443"],
    ['{public_addr: "[2001:db8::1]:443"}', "'[2001:db8::1]:443'"],
    ["{listen_addr: 192.0.2.7:4025}", "192.0.2.7:4025"],
    ['{listen_addr: "[::]:4025"}', `${hostname()}:4025`],
  ];
  it.each(addresses)("is told to who joins: %s", async (section, address) => {
    await using on = await startTctl();
    const path = on.file("other.yaml", `svc: {data_dir: ${on.directory}}\nauth_service: ${section}\n`);
    expect((await said(["-c", path, "tokens", "add", "--type=node"])).out).toContain(`svc join --auth-server ${address} --token`);
  });
});
