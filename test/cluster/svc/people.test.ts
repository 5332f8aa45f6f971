import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text as whole } from "node:stream/consumers";
import { expect, test } from "vitest";
import { codeAt, parseBase32, stepAt } from "../../../src/cluster/identity/one-time-code.ts";
import { createAuthority } from "../../machine/network/fixture/authority.ts";
import { maintenance, role } from "../tctl/running.ts";
import { freePort, place, service, typed } from "./process.ts";

const program = join(import.meta.dirname, "../../../src/svc.ts");
const password = "correct horse battery staple";

type Came = { readonly status: number | null; readonly out: string; readonly error: string };

/** Somebody at a computer of their own. `answers`: what is typed once something was said. */
async function person(
  home: string,
  words: readonly string[],
  answers: (said: string) => string | undefined = () => "",
): Promise<Came> {
  const child = spawn(process.execPath, [program, ...words], { env: { HOME: home }, stdio: "pipe" });
  try {
    let out = "";
    let given: string | undefined;
    const answer = (): void => {
      if (given === undefined && (given = answers(out)) !== undefined) child.stdin.end(given);
    };
    child.stdin.on("error", () => undefined);
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      out += piece;
      answer();
    });
    answer();
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    const [error, status] = await Promise.all([whole(child.stderr), ended]);
    return { status, out, error };
  } finally {
    child.kill("SIGKILL");
  }
}

test("a person is invited, signs in and administers through the cluster's own proxy", async () => {
  const authority = createAuthority("our own");
  const [auth, ops, web, look] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  using at = place("");
  try {
    const { cert, key } = authority.issue({ name: "proxy", altName: "DNS:localhost" });
    writeFileSync(join(at.directory, "proxy.pem"), cert);
    writeFileSync(join(at.directory, "proxy.key"), key, { mode: 0o600 });
    at.write(`svc: {data_dir: DIR/data}
auth_service: {cluster_name: example, listen_addr: 127.0.0.1:${auth}, diag_addr: 127.0.0.1:${ops}}
proxy_service:
  public_addr: localhost:${web}
  web_listen_addr: 127.0.0.1:${web}
  diag_addr: 127.0.0.1:${look}
  https_keypairs: [{key_file: DIR/proxy.key, cert_file: DIR/proxy.pem}]
`);
    await using svc = await service(at.config);
    await svc.said("has joined the cluster of its auth service");
    const root = (...words: readonly string[]) => typed("tctl", ...words, "-c", at.config);
    writeFileSync(join(at.directory, "role.yaml"), role);
    writeFileSync(join(at.directory, "window.yaml"), maintenance);
    expect((await root("create", join(at.directory, "role.yaml"))).status).toBe(0);
    const { out } = await root("users", "add", "alice", "--roles=maintenance-manager");
    const link = /https:\/\/\S+/.exec(out)?.[0] ?? "";
    expect(link).toContain(`https://localhost:${web}/web/invite/`);
    const home = at.directory;
    const trusting = [`--ca-file=${authority.file}`, "--password-file=-"];
    let secret: Uint8Array | undefined;
    const codeAfter = (steps: number): string => codeAt(secret!, stepAt(Math.floor(Date.now() / 1000)) + steps);
    const invited = await person(home, ["tsh", "invite", link, ...trusting], (said) => {
      secret = parseBase32(/or type it in: +([A-Z2-7]+)/.exec(said)?.[1] ?? "");
      return secret === undefined ? undefined : `${password}\n${codeAfter(0)}\n`;
    });
    expect([invited.status, invited.error]).toEqual([0, ""]);
    // That of now was used: no code is good twice.
    const login = ["tsh", "login", `--proxy=localhost:${web}`, "--user=alice", ...trusting];
    const signedIn = await person(home, login, () => `${password}\n${codeAfter(1)}\n`);
    expect([signedIn.status, signedIn.error]).toEqual([0, ""]);
    const created = await person(home, ["tctl", "create", join(at.directory, "window.yaml")]);
    expect([created.status, created.error]).toEqual([0, ""]);
    expect(created.out).toContain("maintenance window has been updated\n");
    const refused = await person(home, ["tctl", "users", "ls"]);
    expect([refused.status, refused.error]).toEqual([77, expect.stringContaining("sudo tctl")]);
    const sessions = await root("sessions", "ls");
    expect(sessions.out).toMatch(/\n[0-9a-f]{16} +alice +maintenance-manager .* 127\.0\.0\.1 +tsh\n/);
    expect((await person(home, ["tsh", "logout"])).status).toBe(0);
    expect((await root("sessions", "ls")).out).toBe("nobody is signed in\n");
  } finally {
    authority.remove();
  }
});
