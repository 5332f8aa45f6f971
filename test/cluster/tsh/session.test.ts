import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { invitation, password, token } from "../session/cluster.ts";
import { fileFor, said, startPerson, type Person, testPerson as it } from "./running.ts";

function profileOf({ home, cluster }: Person): string {
  return join(home, ".svc", `127.0.0.1_${cluster.port}.json`);
}

describe("signing in", () => {
  it("leaves a session that is the user's alone, and tells who one is now", async ({ person }) => {
    const { status, out, error } = await person.signIn();
    expect([status, error]).toEqual([0, ""]);
    expect(out).toMatch(/^signed in\ncluster +example\n/);
    expect(out).toContain("roles    editor\n");
    expect(statSync(join(person.home, ".svc")).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(person.home, ".svc")).toSorted()).toEqual([`127.0.0.1_${person.cluster.port}.json`, "current"]);
    for (const name of readdirSync(join(person.home, ".svc"))) {
      expect(statSync(join(person.home, ".svc", name)).mode & 0o777).toBe(0o600);
    }
    person.cluster.now.roles = ["editor", "maintenance-manager"];
    const now = await person.tsh(["status", "-f", "json"]);
    expect(JSON.parse(now.out)).toMatchObject({
      schema: 1,
      active: { username: "alice", roles: ["editor", "maintenance-manager"], cluster: "example", proxy: person.proxy },
      asked: true,
    });
    expect((await person.tsh(["status"])).out).toContain("roles    editor,maintenance-manager\n");
  });

  it("proves each call with its body, and shows no secret but to whom it is for", async ({ person }) => {
    const all = [await person.signIn(), await person.tsh(["status"]), await person.tsh(["logout"])];
    expect(person.cluster.asked.map(({ path, proof }) => [path.replace(/^.*\//, ""), proof?.kind])).toEqual([
      ["Greet", undefined],
      ["SignIn", "proven"],
      ["GetStatus", "proven"],
      ["GetSession", "proven"],
      ["SignOut", "proven"],
    ]);
    const keys = person.cluster.asked.flatMap(({ proof }) => (proof?.kind === "proven" ? [proof.key] : []));
    expect(new Set(keys).size).toBe(1);
    expect(person.cluster.asked.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      undefined,
      `DPoP ${token}`,
      `DPoP ${token}`,
      `DPoP ${token}`,
    ]);
    for (const { out, error } of all) {
      for (const secret of [password, token, "123456", "PRIVATE KEY"]) expect(`${out}${error}`).not.toContain(secret);
    }
  });

  it.for(["", "example\n    ProxyCommand x", "-example"])(
    "takes no cluster called %j, as ssh's settings hold the name",
    async (name, { person }) => {
      person.cluster.now.clusterName = name;
      const { status, error } = await person.signIn();
      expect([status, error]).toEqual([expect.any(Number), expect.stringContaining("no cluster's name")]);
      expect(status).not.toBe(0);
    },
  );

  it("is refused in auth's words, and leaves nothing", async ({ person }) => {
    const argv = ["login", `--proxy=${person.proxy}`, "--user=alice", `--ca-file=${person.cluster.caFile}`, "--password-file=-"];
    const wrong = await person.tsh(argv, "wrong\n123456\n");
    expect(wrong.status).toBe(77);
    expect(wrong.error).toContain("do not fit together");
    expect(existsSync(join(person.home, ".svc"))).toBe(false);
    const half = await person.tsh(argv, `${password}\n`);
    expect(half.status).toBe(65);
    expect(half.error).toContain("standard input ends before the one-time code");
  });

  it("needs no words that were said before", async ({ person }) => {
    await person.signIn();
    const again = await person.tsh(["login", "--password-file=-"], `${password}\n123456\n`);
    expect([again.status, again.error]).toEqual([0, ""]);
  });

  it("takes a password from a file that nobody else may read", async ({ person }) => {
    const login = (file: string): ReturnType<Person["tsh"]> =>
      person.tsh([
        "login",
        `--proxy=${person.proxy}`,
        "--user=alice",
        `--ca-file=${person.cluster.caFile}`,
        "--password-file",
        file,
      ]);
    expect((await login(fileFor(person, "good", `${password}\n123456`))).status).toBe(0);
    const open = await login(fileFor(person, "open", `${password}\n123456`, 0o644));
    expect([open.status, open.error]).toEqual([65, expect.stringContaining("is open to other users")]);
    expect((await login(join(person.home, "none"))).error).toContain("does not exist");
    expect((await login(person.home)).error).toContain("it is a directory");
  });

  it("asks nobody for a password where there is no terminal", async ({ person }) => {
    const { status, error } = await person.tsh([
      "login",
      `--proxy=${person.proxy}`,
      "--user=alice",
      `--ca-file=${person.cluster.caFile}`,
    ]);
    expect(status).toBe(65);
    expect(error).toContain("no terminal");
    expect(error).toContain("--password-file -");
  });

  const mistakes: readonly (readonly [readonly string[], string])[] = [
    [["login"], "which cluster?"],
    [["login", "--proxy=proxy.example.com"], "as whom?"],
    [["login", "--proxy=http://proxy.example.com", "--user=alice"], "no address of a proxy"],
    [["login", "--proxy=alice:secret@proxy.example.com", "--user=alice"], "--proxy is no address"],
    [["login", "--proxy=proxy.example.com", "--user=a b"], "cannot be a user's name"],
    [["invite", "https://proxy.example.com/web/invite/abc"], "no link of an invitation"],
  ];
  it.each(mistakes)("says of %j what is missing or wrong", async (argv, message) => {
    const { status, error } = await said([...argv, "--password-file=-"]);
    expect([status, error]).toEqual([64, expect.stringContaining(message)]);
    expect(error).not.toContain("secret");
  });
});

describe("a proxy whose certificate is not trusted", () => {
  it("is told nothing, and what to do is said", async ({ person }) => {
    const { status, error } = await person.tsh(
      ["login", `--proxy=${person.proxy}`, "--user=alice", "--password-file=-"],
      `${password}\n123456\n`,
    );
    expect(status).toBe(69);
    expect(error).toContain("is not trusted, and nothing was sent to it");
    expect(error).toContain("cluster authority");
    expect(error).toContain(`\`tsh login --proxy=${person.proxy} --user=NAME --ca-file=FILE\``);
    // Who takes an invitation has no password yet.
    const invited = await person.tsh(["invite", `https://${person.proxy}/web/invite/${"0".repeat(64)}`, "--password-file=-"]);
    expect(invited.error).toContain("`tsh invite --ca-file=FILE`");
    expect(person.cluster.asked).toEqual([]);
  });

  it("is not made trusted by a file without an authority", async ({ person }) => {
    const argv = ["login", `--proxy=${person.proxy}`, "--user=alice", "--password-file=-"];
    for (const [file, words] of [
      ["/nowhere/ca.pem", "does not exist"],
      [fileFor(person, "text", "no certificate"), "holds no certificate"],
    ] as const) {
      const { status, error } = await person.tsh([...argv, `--ca-file=${file}`], `${password}\n123456\n`);
      expect([status, error]).toEqual([69, expect.stringContaining(words)]);
    }
    expect(person.cluster.asked).toEqual([]);
  });
});

describe("a session", () => {
  it("that the cluster cannot tell of is shown as last known, and marked", async ({ person }) => {
    await person.signIn();
    person.cluster.now.away = true;
    const { status, out, error } = await person.tsh(["status"]);
    expect(status).toBe(75);
    expect(out).toContain("roles    editor (as last known)\n");
    expect(error).toContain("auth is away");
    const json = await person.tsh(["status", "--format=json"]);
    expect(JSON.parse(json.out)).toMatchObject({ active: { username: "alice" }, asked: false, why: "auth is away" });
  });

  it("that has ended is nobody's, and how to begin another is said", async ({ person }) => {
    await person.signIn();
    person.cluster.now.ended = true;
    const { status, out, error } = await person.tsh(["status", "-f", "json"]);
    expect(status).toBe(77);
    expect(JSON.parse(out)).toMatchObject({ fault: { code: "session-ended" } });
    expect(error).toContain(
      `sign in again: \`tsh login --proxy=${person.proxy} --user=alice --ca-file=${person.cluster.caFile}\``,
    );
  });

  it("goes by a clock that is wrong: auth's counts", async ({ person }) => {
    person.cluster.now.aheadSeconds = 3000;
    expect((await person.signIn()).status).toBe(0);
    // The clock is set right meanwhile, or auth's is.
    person.cluster.now.aheadSeconds = -500;
    person.cluster.asked.length = 0;
    expect((await person.tsh(["status"])).status).toBe(0);
    expect(person.cluster.asked.map(({ proof }) => (proof?.kind === "refused" ? proof.why : proof?.kind))).toEqual([
      "not-fresh",
      "proven",
    ]);
  });

  it("ends with tsh logout, and nothing of it is left", async ({ person }) => {
    await person.signIn();
    writeFileSync(join(person.home, ".svc", `.127.0.0.1_${person.cluster.port}.json.77.tmp`), "half of a key");
    // Of the lines of tsh config, and of a tsh ssh that was killed.
    for (const name of ["ssh/root@web1.example", "ssh-1a2b3c"]) {
      mkdirSync(join(person.home, ".svc", name), { recursive: true });
      writeFileSync(join(person.home, ".svc", name, "key"), "a key");
    }
    const { status, out } = await person.tsh(["logout"]);
    expect([status, out]).toEqual([0, `alice is signed out at ${person.proxy}\n`]);
    expect(readdirSync(join(person.home, ".svc"))).toEqual([]);
    const after = await person.tsh(["status"]);
    expect([after.status, after.error]).toEqual([77, expect.stringContaining("`tsh login --proxy=HOST --user=NAME`")]);
    expect((await person.tsh(["logout"])).out).toBe("nobody was signed in\n");
  });

  it("leaves the next one no certificate for a host", async ({ person }) => {
    mkdirSync(join(person.home, ".svc", "ssh", "root@web1.example"), { recursive: true, mode: 0o700 });
    chmodSync(join(person.home, ".svc"), 0o700);
    await person.signIn();
    expect(readdirSync(join(person.home, ".svc"))).not.toContain("ssh");
  });

  it("goes from here also where the cluster cannot be told", async ({ person }) => {
    await person.signIn();
    person.cluster.now.away = true;
    const { status, error } = await person.tsh(["logout"]);
    expect(status).toBe(0);
    expect(error).toContain("`tctl sessions rm fedcba9876543210`");
    expect(readdirSync(join(person.home, ".svc"))).toEqual([]);
  });
});

describe("what lies in ~/.svc", () => {
  it.each([
    ["is open to others", (home: string) => mkdirSync(join(home, ".svc"), { mode: 0o755 }), 78, "is open to other users"],
    ["cannot be made", (home: string) => rmSync(home, { recursive: true }), 74, "could not be written"],
  ] as const)("nobody is signed in where it %s", async (_what, spoil, exit, message) => {
    await using person = await startPerson();
    spoil(person.home);
    const login = ["login", `--proxy=${person.proxy}`, "--user=alice", `--ca-file=${person.cluster.caFile}`];
    const { status, error } = await person.tsh([...login, "--password-file=-"], `${password}\n123456\n`);
    expect([status, error]).toEqual([exit, expect.stringContaining(message)]);
    expect(person.cluster.asked).toEqual([]);
  });

  const spoilt: readonly (readonly [string, (person: Person) => void, string])[] = [
    ["a file that others may read", (person) => chmodSync(profileOf(person), 0o640), "is open to other users (mode 0640)"],
    [
      "a directory that others may look into",
      ({ home }) => chmodSync(join(home, ".svc"), 0o755),
      "is open to other users (mode 0755)",
    ],
    [
      "a link",
      (person) => {
        const path = profileOf(person);
        const text = readFileSync(path, "utf8");
        writeFileSync(join(person.home, "elsewhere"), text, { mode: 0o600 });
        rmSync(path);
        symlinkSync(join(person.home, "elsewhere"), path);
      },
      "symbolic link",
    ],
    ["half a file", (person) => writeFileSync(profileOf(person), '{"proxy":'), "no session that this release can read"],
    [
      "the file of another proxy",
      (person) =>
        writeFileSync(profileOf(person), readFileSync(profileOf(person), "utf8").replace('"proxy": "127', '"proxy": "128')),
      "no session that this release can read",
    ],
  ];
  it.each(spoilt)("is not used where it is %s", async (_what, spoil, message) => {
    await using person = await startPerson();
    await person.signIn();
    spoil(person);
    const { status, error } = await person.tsh(["status"]);
    expect([status, error]).toEqual([78, expect.stringContaining(message)]);
    expect(error).toContain("next: ");
  });

  it.skipIf(process.geteuid?.() !== 0)("is not used where it is somebody else's", async () => {
    await using person = await startPerson();
    await person.signIn();
    chownSync(profileOf(person), 1, 1);
    const theirs = await person.tsh(["status"]);
    expect([theirs.status, theirs.error]).toEqual([78, expect.stringContaining("belongs to another user")]);
    chownSync(join(person.home, ".svc"), 1, 1);
    expect((await person.signIn()).error).toContain("belongs to another user");
  });

  it("is written whole or not at all", async ({ person }) => {
    await person.signIn();
    const before = readFileSync(profileOf(person), "utf8");
    rmSync(join(person.home, ".svc", "current"));
    mkdirSync(join(person.home, ".svc", "current"));
    const { status } = await person.signIn();
    expect(status).not.toBe(0);
    const after = JSON.parse(readFileSync(profileOf(person), "utf8")) as object;
    expect(Object.keys(after)).toEqual(Object.keys(JSON.parse(before) as object));
    expect(readdirSync(join(person.home, ".svc")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("may have what a later release has added", async ({ person }) => {
    await person.signIn();
    const path = profileOf(person);
    writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, "utf8")) as object), later: { deep: [1] } }));
    expect((await person.tsh(["status"])).status).toBe(0);
  });
});

describe("an invitation", () => {
  it("shows for whom it is and the secret in three forms, and is taken with a code", async ({ person }) => {
    const link = `https://${person.proxy}/web/invite/${invitation}`;
    const argv = ["invite", link, `--ca-file=${person.cluster.caFile}`, "--password-file=-"];
    const { status, out, error } = await person.tsh(argv, "a new long password\n123 456\n");
    expect([status, error]).toEqual([0, ""]);
    expect(out).toContain("invitation of alice to the cluster example, good until");
    expect(out).toContain("or type it in:  JBSWY3DPEHPK3PXP\n");
    expect(out).toContain(
      "otpauth://totp/example:alice?secret=JBSWY3DPEHPK3PXP&issuer=example&algorithm=SHA1&digits=6&period=30",
    );
    expect(out).toMatch(/[▀▄█]{10}/);
    expect(out).toContain(`\`tsh login --proxy=${person.proxy} --user=alice`);
    expect(out).not.toContain("a new long password");
    expect(person.cluster.asked.at(-1)?.body).toEqual({ token: invitation, password: "a new long password", code: "123456" });
  });

  it("is not taken by a wrong code, and its link can come unseen", async ({ person }) => {
    const link = `https://${person.proxy}/web/invite/${invitation}`;
    const argv = ["invite", `--ca-file=${person.cluster.caFile}`, "--password-file=-"];
    const { status, error } = await person.tsh(argv, `${link}\na new long password\n000000\n`);
    expect([status, error]).toEqual([77, expect.stringContaining("does not fit")]);
    expect(error).not.toContain(invitation);
  });
});
