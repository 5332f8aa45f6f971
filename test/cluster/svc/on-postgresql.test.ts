import { chmodSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noPostgres, startPostgres, type PostgresServer } from "../storage/postgres-server.ts";
import { freePort, place, service, typed } from "./process.ts";

describe.skipIf(noPostgres !== undefined)("auth on PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => server[Symbol.asyncDispose]());

  async function configured(storage: string): Promise<string> {
    return `svc: {data_dir: DIR/data}
auth_service:
  cluster_name: example
  listen_addr: 127.0.0.1:${await freePort()}
  diag_addr: 127.0.0.1:${await freePort()}
${storage}`;
  }

  async function onPostgres(): Promise<string> {
    const { user, host, port, database } = await server.database();
    return `  storage:
    type: postgresql
    conn_string: postgresql://${user}@${host}:${port}/${database}?sslmode=disable
    password_file: DIR/password
`;
  }

  function withPassword(at: { readonly directory: string }): string {
    const file = join(at.directory, "password");
    writeFileSync(file, `${server.place.password}\n`, { mode: 0o600 });
    return file;
  }

  test("begins a cluster there, goes on after the database was killed, and shows its password nowhere", async () => {
    using at = place(await configured(await onPostgres()));
    withPassword(at);
    const said: string[] = [];
    const tctl = async (...words: readonly string[]): Promise<string> => {
      const { status, out, error } = await typed("tctl", ...words, "-c", at.config);
      said.push(out, error);
      return `${status} ${out}${error}`;
    };
    {
      await using svc = await service(at.config);
      expect(await tctl("status", "--format", "json")).toContain('"store": "postgresql"');
      expect(await tctl("users", "add", "alice", "--roles=editor", "--proxy=proxy.example.com")).toMatch(/^0 /);
      await server.kill();
      const gone = await tctl("users", "ls");
      expect(gone).toMatch(/^7\d .*the store postgresql:\/\/svc@127\.0\.0\.1:\d+\/store_\d+ cannot be used: /s);
      await server.start();
      expect(await tctl("users", "ls")).toContain("alice");
      expect(await tctl("backup", join(at.directory, "cluster.backup"))).toMatch(/^0 /);
      said.push(svc.log());
    }
    const check = await typed("check", "-c", at.config);
    expect(check.out).toMatch(/store: postgresql:\/\/svc@127\.0\.0\.1:\d+\/store_\d+\n/);
    expect([...said, check.out, check.error].join("")).not.toContain(server.place.password);
    // A person can read it with psql.
    const [name] = /store_\d+/.exec(readFileSync(at.config, "utf8")) ?? [];
    expect(await server.run("SELECT name FROM svc.item WHERE kind = 'user'", name)).toEqual([{ name: "alice" }]);
    // But no key of the cluster, and no word that an invitation gives.
    const sealed = "SELECT DISTINCT kind FROM svc.item WHERE body::jsonb ? 'sealed' ORDER BY kind";
    expect((await server.run(sealed, name)).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["authority", "invitation", "ssh-authority", "ticket-keys"]),
    );
    const all = JSON.stringify(await server.run("SELECT kind, body FROM svc.item", name));
    expect(all).toContain("alice");
    expect(all).not.toMatch(/PRIVATE KEY|"secret/);

    // The key lies on the auth host: without it nothing is lost, and nothing new begins.
    const keyFile = join(at.directory, "data/auth/sealing.key");
    const key = readFileSync(keyFile, "utf8");
    rmSync(keyFile);
    expect((await typed("start", "-c", at.config)).error).toContain(
      `of the cluster example in the database are sealed, and ${keyFile} does not exist`,
    );
    symlinkSync("/etc/hostname", keyFile);
    expect((await typed("start", "-c", at.config)).error).toMatch(/sealing\.key it is a symbolic link; look at it: `sudo ls -l /);
    rmSync(keyFile);
    writeFileSync(keyFile, key.replaceAll(/[0-9a-f]/g, "0"), { mode: 0o600 });
    expect((await typed("start", "-c", at.config)).error).toContain(`not by the key in ${keyFile}`);
    writeFileSync(keyFile, "half\n");
    expect((await typed("start", "-c", at.config)).error).toContain(`${keyFile} does not hold a key`);
    writeFileSync(keyFile, key);

    await server.run("UPDATE svc.item SET body = '{}' WHERE kind = 'ticket-keys'", name);
    expect((await typed("start", "-c", at.config)).error).toContain("ticket-keys current is not: somebody else has written it");

    // Back into a file, and from there into another database.
    const inFile = place(await configured(""));
    const there = place(await configured(await onPostgres()));
    withPassword(there);
    let backup = join(at.directory, "cluster.backup");
    for (const next of [inFile, there]) {
      using to = next;
      const restored = await typed("tctl", "restore", backup, "-c", to.config);
      expect([restored.status, restored.out]).toEqual([0, expect.stringContaining("cluster example is as it was")]);
      await using svc = await service(to.config);
      expect((await typed("tctl", "users", "ls", "-c", to.config)).out).toContain("alice");
      backup = join(at.directory, `again-${next === there}.backup`);
      expect((await typed("tctl", "backup", backup, "-c", to.config)).status).toBe(0);
      expect(svc.log()).toContain("serving");
      if (next !== there) continue;
      using beside = place(readFileSync(there.config, "utf8").replaceAll(there.directory, "DIR"));
      withPassword(beside);
      await server.run("DROP SCHEMA svc CASCADE", /store_\d+/.exec(readFileSync(there.config, "utf8"))?.[0]);
      const early = await typed("tctl", "restore", backup, "-c", beside.config);
      expect(early.error).toMatch(/an auth service at 127\.0\.0\.1 works in the store .*stop all auth services/s);
    }
    const again = await typed("tctl", "restore", backup, "-c", at.config);
    expect([again.status, again.error]).toEqual([expect.any(Number), expect.stringContaining("is not empty")]);
    expect(again.status).not.toBe(0);
  });

  test("taken out of the configuration without a restore gets a warning that the old file is older", async () => {
    using at = place(await configured(""));
    await (await service(at.config))[Symbol.asyncDispose]();
    writeFileSync(join(at.directory, "data/auth/cluster.db.epoch"), "2\n", { mode: 0o600 });
    await using svc = await service(at.config);
    expect(svc.log()).toMatch(/older than the last restore on this host.* epoch=1 restored=2/);
  });

  test("says what is wrong with the database or its settings, and what to do", async () => {
    const right = await onPostgres();
    const start = async (storage: string, password = server.place.password): Promise<string> => {
      using at = place(await configured(storage));
      writeFileSync(join(at.directory, "password"), `${password}\n`, { mode: 0o600 });
      const { status, error } = await typed("start", "-c", at.config);
      expect(status).not.toBe(0);
      expect(error).not.toContain(server.place.password);
      return error;
    };
    expect(await start(right, "wrong-word")).toContain("it refuses the role or its password");
    expect(await start(right.replace(/store_\d+/, "nothing"))).toContain("there is no such database");
    expect(await start(right.replace(/:\d+\//, `:${await freePort()}/`))).toContain("ECONNREFUSED");
    expect(await start(right.replace("sslmode=disable", "sslmode=verify-full"))).toContain("it does not speak TLS");
    expect(await start(right.replace("sslmode=disable", "sslrootcert=DIR/password"))).toContain("holds no certificate in PEM");
    expect(await start(right.replace("DIR/password", "DIR/none"))).toContain("does not exist");
    expect(await start(right.replace("svc@", `svc:${server.place.password}@`))).toContain("a password in it (not shown)");
    expect(await start(right.replace("sslmode", "target_session_attrs"))).toContain('"target_session_attrs"');
    expect(await start("  storage: {type: postgresql}\n")).toContain("auth_service.storage.conn_string");
    using at = place(await configured(right));
    chmodSync(withPassword(at), 0o644);
    expect((await typed("start", "-c", at.config)).error).toContain("others may read the password");
  });
});
