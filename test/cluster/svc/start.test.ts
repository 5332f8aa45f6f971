import { spawn } from "node:child_process";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { configured } from "./configured.ts";
import { place, service, textOf, typed, typedIn } from "./process.ts";

describe("svc start", () => {
  test("begins a cluster, serves its channels and root's calls, and ends in order", async () => {
    const text = await configured();
    using at = place(text);
    const pidFile = join(at.directory, "svc.pid");
    await using svc = await service(at.config, `--pid-file=${pidFile}`);
    expect(svc.log()).toMatch(/^serving services="auth of the cluster example on port \d+; proxy on port \d+" data_dir=/m);
    expect(textOf(pidFile)).toMatch(/^\d+\n$/);
    const { status, out, error } = await typed("tctl", "status", "-c", at.config);
    expect([status, error]).toEqual([0, ""]);
    expect(out).toContain("Cluster  example\n");
    const web = /web_listen_addr: 127\.0\.0\.1:(\d+)/.exec(text)?.[1];
    const served = await fetch(`http://127.0.0.1:${web}/v1/webapi/automaticupgrades/channel/default/version`);
    expect(await served.text()).toMatch(/^v0\.0\.0-source\n?$/);
    expect(statSync(join(at.directory, "data")).mode & 0o777).toBe(0o700);
    svc.kill("SIGTERM");
    expect(await svc.ended).toBe(0);
    expect(textOf(pidFile)).toBe("");
  });

  test.each([
    ["a plain host", () => "svc: {data_dir: DIR/data}\n"],
    ["a host of auth and a proxy", configured],
  ])("keeps a second one out of the directory of %s, until the first is gone", async (_what, text) => {
    using at = place(await text());
    {
      await using first = await service(at.config);
      const { status, error } = await typed("start", "-c", at.config);
      expect(first.log()).toContain("serving");
      expect([status, error]).toEqual([
        75,
        expect.stringMatching(/^process \d+ \(node\) runs with the data_dir .*\/data; .* fault=store-in-use$/m),
      ]);
    }
    await using next = await service(at.config);
    expect(next.log()).toContain("serving");
  });

  test("serves even if it cannot lock out a second one, and says so", async () => {
    using at = place("svc: {data_dir: DIR}\n");
    mkdirSync(join(at.directory, "svc.lock"));
    await using svc = await service(at.config);
    expect(svc.log()).toMatch(/^a second svc is not kept out of .*svc\.lock.* fault=store-failed$/m);
  });

  test("runs no service if one cannot start, and closes what was opened", async () => {
    const text = await configured();
    using at = place(text);
    await using first = await service(at.config);
    expect(first.log()).toContain("serving");
    const proxy = /^proxy_service:.*$/m.exec(text)?.[0] ?? "";
    using second = place((await configured()).replace(/^proxy_service:.*$/m, proxy));
    const { status, error } = await typed("start", "-c", second.config);
    expect(status).toBe(71);
    expect(error).toContain("EADDRINUSE");
    expect(existsSync(join(second.directory, "data", "auth", "cluster.db"))).toBe(true);
    expect(existsSync(join(second.directory, "data", "auth", "cluster.db.open"))).toBe(false);
    expect(existsSync(join(second.directory, "data", "root", "auth.sock"))).toBe(false);
  });

  test("makes its directory, but not the parent", async () => {
    using at = place("svc: {data_dir: DIR/none/data}\nauth_service: {cluster_name: example}\n");
    const { status, error } = await typed("start", "-c", at.config);
    expect(status).toBe(74);
    expect(error).toContain("mkdir -p");
  });

  test("tells every fault of its file, each in a line of the log", async () => {
    using at = place("auth_service: {listen_addr: a b}\nproxy_service: {public_addr: 7}\n");
    const { status, error } = await typed("start", "-c", at.config);
    expect(status).toBe(78);
    expect(error.split("\n").length).toBeGreaterThanOrEqual(4);
    expect(error).toContain('auth_service.listen_addr: "a b"');
    expect(error).toContain(`\`sudo svc check --config ${at.config}\``);
  });
});

describe("a reload", () => {
  test("accepts a valid file as a whole, and nothing of a wrong one", async () => {
    const text = await configured();
    using at = place(text);
    const pidFile = join(at.directory, "svc.pid");
    await using svc = await service(at.config, `--pid-file=${pidFile}`);
    const reload = (): ReturnType<typeof typed> => typed("reload", "-c", at.config, `--pid-file=${pidFile}`);
    const url = `http://127.0.0.1:${/web_listen_addr: 127\.0\.0\.1:(\d+)/.exec(text)?.[1]}/v1/webapi/automaticupgrades/channel/default/version`;
    const served = async (): Promise<string> => (await (await fetch(url)).text()).trim();
    const versioned = text.replace("{public_addr:", "{version: v15.4.6, public_addr:");

    at.write(versioned);
    expect(await reload()).toMatchObject({ status: 0 });
    expect(await served()).toBe("v15.4.6");

    // The proxy's half is right, and auth's takes a restart.
    at.write(versioned.replace("v15.4.6", "v15.4.7").replace("cluster_name: example", "cluster_name: other"));
    const refused = await reload();
    expect(refused.status).toBe(78);
    expect(refused.error).toContain("a cluster keeps its name; write the old one again");
    expect(await served()).toBe("v15.4.6");
    expect(svc.log()).toContain("nothing was changed: auth_service.cluster_name is other, and this is the cluster example");

    at.write("auth_service: {cluster_name: [");
    expect((await reload()).status).toBe(78);
    expect(await served()).toBe("v15.4.6");

    at.write(text.replace(/^proxy_service.*$/m, ""));
    expect((await reload()).error).toContain("whether proxy_service is enabled");
    at.write(`${text}ssh_service: {enabled: yes}\n`);
    expect((await reload()).error).toContain("a reload cannot change ssh_service");
    expect(await served()).toBe("v15.4.6");
  });

  test("signals no other process that has the old process's number", async () => {
    using at = place("auth_service: {cluster_name: example}\n");
    const pidFile = join(at.directory, "svc.pid");
    const other = spawn("sleep", ["60"], { stdio: "ignore" });
    try {
      writeFileSync(pidFile, `${other.pid}\n`);
      const { status, error } = await typed("reload", "-c", at.config, `--pid-file=${pidFile}`);
      expect(status).toBe(71);
      expect(error).toContain("is another program");
      expect(other.exitCode ?? other.signalCode).toBeNull();
    } finally {
      other.kill("SIGKILL");
    }
  });

  test("says that no service runs", async () => {
    using at = place("auth_service: {cluster_name: example}\n");
    const none = await typed("reload", "-c", at.config, `--pid-file=${at.directory}/svc.pid`);
    expect(none.status).toBe(71);
    expect(none.error).toContain("svc does not run");
  });
});

describe("svc check", () => {
  test.each([
    ["HTTPS_PROXY", "http://127.0.0.1:3128"],
    ["HTTP_PROXY", "http://localhost:3128"],
  ])("refuses %s=%s, which no service could use", async (name, value) => {
    using at = place("svc: {data_dir: DIR}\n");
    const { status, error } = await typedIn({ [name]: value }, "check", "-c", at.config);
    expect([status, error]).toEqual([
      78,
      expect.stringContaining(`${name} is not a usable proxy: its host is ${new URL(value).hostname}`),
    ]);
  });

  test("refuses a password's file of the store that is not there", async () => {
    using at = place(
      "svc: {data_dir: DIR}\nauth_service: {cluster_name: e, storage: {type: postgresql, conn_string: 'postgresql://svc@db/svc', password_file: DIR/none}}\n",
    );
    const { status, error } = await typed("check", "-c", at.config);
    expect([status, error]).toEqual([78, expect.stringContaining("/none of auth_service.storage does not exist")]);
  });

  test("shows what would run, in words and in JSON", async () => {
    using at = place("svc: {data_dir: DIR}\nauth_service: {cluster_name: example, public_addr: auth.example.com}\n");
    const { status, out } = await typed("check", "-c", at.config);
    expect([status, out]).toEqual([
      0,
      `${at.config} is right:\n  auth_service   the cluster example, on 0.0.0.0:3025\n  data_dir       ${at.directory}\n`,
    ]);
    const json = JSON.parse((await typed("check", "--json", "-c", at.config)).out);
    expect(json).toMatchObject({ auth_service: { cluster_name: "example", public_addr: ["auth.example.com"] } });
    expect(json.remarks).toEqual([expect.stringMatching(/^it was not looked at whether svc\.service may read these files: /)]);
    expect(json).not.toHaveProperty("proxy_service");
  });

  test("shows at which sshd it opens shells", async () => {
    using at = place("svc: {data_dir: DIR}\nssh_service: {enabled: yes, sshd_addr: 127.0.0.1:2222}\n");
    const { out } = await typed("check", "-c", at.config);
    expect(out).toBe(
      `${at.config} is right:\n  ssh_service    shells at the sshd on 127.0.0.1:2222\n  data_dir       ${at.directory}\n`,
    );
    const json = JSON.parse((await typed("check", "--json", "-c", at.config)).out);
    expect(json).toMatchObject({ ssh_service: { sshd_addr: "127.0.0.1:2222" } });
  });

  test("shows how a pod joins, and whose windows it exports", async () => {
    const pin = `sha256:${"0".repeat(64)}`;
    const joins = `join: {auth_server: auth.example.com:443, ca_pin: "${pin}", token_file: /etc/token}`;
    const api = "api_server: {url: https://127.0.0.1:6443, ca_file: /etc/ca.pem, token_file: /etc/token}";
    const kube = `kube: {object: {kind: StatefulSet, name: agent}, schedule_secret: shared, namespace: agents, ${api}}`;
    using at = place(`svc:\n  data_dir: DIR\n  ${joins}\n  ${kube}\nauth_service: {enabled: false}\n`);
    expect((await typed("check", "-c", at.config)).out).toContain(`
  join           by itself, at auth.example.com:443, with the token in /etc/token
  kube           a pod of statefulset/agent in agents, whose windows go into secret/shared
`);
    expect(JSON.parse((await typed("check", "--json", "-c", at.config)).out)).toMatchObject({
      join: { auth_server: "auth.example.com:443", ca_pin: pin, token_file: "/etc/token" },
      kube: { namespace: "agents", kind: "StatefulSet", name: "agent", schedule_secret: "shared" },
    });
  });

  test("tells the faults to people and to programs", async () => {
    using at = place("auth_servce: {cluster_name: example}\n");
    const { status, out, error } = await typed("check", "-c", at.config, "--json");
    expect(status).toBe(78);
    expect(error).toContain("auth_servce: unknown key, did you mean auth_service?");
    expect(error).toContain(`\nnext: correct that, then see what holds: \`sudo svc check --config ${at.config}\`\n`);
    expect(JSON.parse(out)).toMatchObject({ fault: { code: "settings-invalid" } });
  });

  test.skipIf(existsSync("/etc/svc.yaml"))("without a file says that there is none, and calls nothing right", async () => {
    const { status, out } = await typed("check");
    expect([status, out]).toEqual([0, expect.stringMatching(/^\/etc\/svc\.yaml does not exist, so this is:\n  a plain host /)]);
    const { remarks } = JSON.parse((await typed("check", "--json")).out) as { readonly remarks: readonly string[] };
    expect(remarks).toContain("/etc/svc.yaml does not exist: nothing is enabled");
  });

  test("says that its file is missing", async () => {
    const { status, error } = await typed("check", "-c", "/nowhere/svc.yaml");
    expect(status).toBe(78);
    expect(error).toContain("docs/cluster.md");
  });
});
