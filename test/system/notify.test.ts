import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { actingUnit, beginPass, decidingUnit, endOfPass } from "../faults/pass.ts";
import { cgroupOf, killAll } from "../faults/strike.ts";
import { complaints } from "../updater/cli/documented.ts";
import { excerpt } from "../documents.ts";
import { buildAgent } from "./lab/agent.ts";
import { rpmSuites, suites } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { listen } from "./lab/server.ts";
import { until } from "./lab/until.ts";
import { configure, outdatedHost, schedule, tick, withUpdater } from "./updater.ts";

const token = "t0ken-of-the-receiver";
const queue = "/var/lib/svc-upgrade-decide/notifications.json";
const state = "/var/lib/svc-upgrade-decide/state.json";

type Event = {
  readonly id: string;
  readonly kind: string;
  readonly told: string;
  readonly move?: object;
  readonly fault?: { readonly code: string };
};

type Receiver = {
  readonly url: string;
  /** Whatever came with the token, accepted or not. */
  readonly came: readonly Event[];
  /** How many it turns away from now on. */
  readonly fail: (times: number) => void;
};

/** Where notifications go: it demands the token, and answers nothing else. */
async function serveReceiver(host: Host): Promise<Receiver> {
  const came: Event[] = [];
  let failing = 0;
  const server = await listen({ address: host.network.outerAddress }, (request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      if (request.headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end();
      came.push(JSON.parse(body) as Event);
      failing -= 1;
      response.writeHead(failing >= 0 ? 503 : 200).end();
    });
  });
  host.atStop(server.goDown);
  return { url: `http://outer.test:${server.port}/hook`, came, fail: (times) => void (failing = times) };
}

/** As the recipe has it. */
async function notifyBy(host: Host, { url }: Receiver): Promise<void> {
  await host.mustRun(["sh", "-euc", excerpt("notify-webhook").replaceAll("https://hooks.example.com/svc-upgrade", url)], {
    input: `Authorization: Bearer ${token}\n`,
  });
}

/** Its ends are known only once nothing of it runs any more. */
async function quiet(host: Host): Promise<void> {
  await until("no notification is under way", 120_000, async () => {
    const { stdout } = await host.enter(["systemctl", "list-units", "--no-legend", "--all", "svc-upgrade-notify-*"]);
    return stdout.trim() === "" ? true : undefined;
  });
}

async function pass(host: Host): Promise<number> {
  const status = await tick(host);
  await quiet(host);
  return status;
}

async function waits(host: Host): Promise<boolean> {
  return (await host.enter(["test", "-e", queue])).status === 0;
}

/** A day has gone by since the server was last heard. */
async function dayOfSilence(host: Host): Promise<void> {
  const known = JSON.parse(await host.read(state)) as object;
  const silent = { ...known, silentSince: Math.floor(Date.now() / 1000) - 90_000 };
  await host.write(state, JSON.stringify(silent), { owner: "svc-upgrade:svc-upgrade" });
}

describe.each([...suites, ...rpmSuites])("notifications on %s", (suite) => {
  test(
    "arrive once for each event, over failures, boots and days without contact",
    scenario(withUpdater({ suite }), async (stage) => {
      const { host, repository, versions } = stage;
      await outdatedHost(stage);
      await schedule(host, "open");
      const receiver = await serveReceiver(host);
      await notifyBy(host, receiver);
      receiver.fail(2);

      expect(await pass(host)).toBe(0);
      expect(await pass(host)).toBe(0);
      expect(await waits(host)).toBe(true);
      expect(await pass(host)).toBe(0);
      expect(await pass(host)).toBe(0);
      expect(await waits(host)).toBe(false);
      expect(receiver.came).toHaveLength(3);
      expect(new Set(receiver.came.map(({ id }) => id)).size).toBe(1);
      expect(receiver.came[0]).toMatchObject({ kind: "moved", package: "svc-ent", move: { kind: "upgrade", why: "window" } });
      expect(receiver.came[0]?.told).toMatch(/^upgraded svc-ent from \S*15\.4\.5\S* to \S*15\.4\.6\S* in \d+ seconds?$/);
      const log = await host.journal("svc-upgrade.service");
      expect(log.match(/a notification did not arrive: notify\.command ended with status 22; it is sent again/g)).toHaveLength(1);

      await repository.publish(await buildAgent(host, { version: "15.4.7", start: "crashes" }));
      versions.serve("default", { version: "v15.4.7" });
      expect(await pass(host)).toBe(10);
      expect(await pass(host)).toBe(0);
      expect(receiver.came.slice(3)).toMatchObject([{ kind: "undone", move: { kind: "upgrade" } }]);
      expect(receiver.came[3]?.fault?.code).toMatch(/^(?:unhealthy|activate-failed)$/);

      await versions.http.goDown();
      expect(await pass(host)).toBe(75);
      await dayOfSilence(host);
      expect(await pass(host)).toBe(69);
      await host.powerCut();
      await host.boot();
      expect(await pass(host)).toBe(69);
      expect(await pass(host)).toBe(69);
      await versions.http.comeUp();
      versions.serve("default", { version: "v15.4.6" });
      expect(await pass(host)).toBe(0);
      expect(await pass(host)).toBe(0);

      await host.write(state, "{", { owner: "svc-upgrade:svc-upgrade" });
      versions.serve("default", { version: "v15.4.8" });
      expect(await pass(host)).toBe(0);
      expect(await pass(host)).toBe(0);
      const ids = new Map(receiver.came.map((event) => [event.id, event.kind]));
      expect([...ids.values()]).toEqual(["moved", "undone", "contact-lost", "contact-regained", "needs-operator"]);
      // One was under way when the power went, and nobody knows whether it arrived.
      expect(receiver.came.length).toBeLessThanOrEqual(8);
      for (const event of receiver.came) expect(complaints("event", event)).toEqual([]);
      expect(await waits(host)).toBe(false);
      const told = `${await host.read(state)}${await host.journal("svc-upgrade.service")}`;
      expect(told).not.toContain(token);
    }),
  );

  test(
    "are tried with a test event, which tells what its command did",
    scenario(withUpdater({ suite }), async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      const unset = await host.run(["svc-upgrade", "notify"]);
      expect([unset.status, unset.stdout]).toEqual([78, ""]);
      expect(unset.stderr).toContain("notify.command is not set: nobody is notified of anything");
      const receiver = await serveReceiver(host);
      await notifyBy(host, receiver);
      const sent = await host.run(["svc-upgrade", "notify"]);
      expect([sent.status, sent.stderr]).toEqual([0, ""]);
      expect(sent.stdout).toContain("it ended with status 0, which counts as delivered\n");
      expect(receiver.came).toMatchObject([{ kind: "test", host: "agent-host" }]);
      receiver.fail(1);
      const refused = await host.run(["svc-upgrade", "notify", "--json"]);
      expect(refused.status).toBe(69);
      const answer: unknown = JSON.parse(refused.stdout);
      expect(complaints("notify", answer)).toEqual([]);
      expect(answer).toMatchObject({ delivered: false, why: "notify.command ended with status 22" });
      expect((answer as { lines: readonly string[] }).lines.join("\n")).toContain("503");
      const ordinary = await host.run(["svc-upgrade", "notify"], { user: "ordinary" });
      expect([ordinary.status, ordinary.stdout]).toEqual([77, ""]);
      expect((await host.run(["svc-upgrade", "doctor"])).stdout).toMatch(/ok\s+notify\s+\S*notify is told of events/);
    }),
  );
});

const bookworm = withUpdater({ suite: "bookworm" });

/** A host that has just moved, and a command that is told of it. */
async function movedWith({ host, ...stage }: Stage, script: string, settings: string = ""): Promise<number> {
  await outdatedHost({ host, ...stage });
  await schedule(host, "open");
  await host.write("/usr/local/bin/notify", script, { mode: "0755" });
  await configure(host, `notify:\n  command: [notify]\n${settings}`, "60-notify");
  return tick(host);
}

async function sizes(host: Host): Promise<number> {
  return Number((await host.mustRun(["sh", "-c", "journalctl --quiet -t svc-upgrade-notify -o cat | wc -l"])).trim());
}

const unusable = [
  ["is missing", "notify:\n  command: [/usr/local/bin/nowhere]\n", /notify\.command cannot be started: .*nowhere/],
  ["may not be executed", "notify:\n  command: [/etc/hostname]\n", /notify\.command cannot be started: .*hostname/],
  [
    "lacks a credential",
    "notify:\n  command: [/bin/true]\n  credentials: {token: /etc/svc-upgrade/nowhere}\n",
    /notify\.credentials names files that cannot be used: token \(\/etc\/svc-upgrade\/nowhere\): it is not there/,
  ],
  [
    "has a device for a credential, which systemd would read for ever",
    "notify:\n  command: [/bin/true]\n  credentials: {token: /dev/zero}\n",
    /notify\.credentials names files that cannot be used: token \(\/dev\/zero\): it is not a regular file/,
  ],
] as const;

describe("a command", () => {
  test(
    "that hangs, forks and floods is ended, and nothing waits for it or is filled by it",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      const script = [
        "#!/bin/sh",
        "trap '' TERM",
        "for n in $(seq 60); do (trap '' TERM; sleep 4321) & done 2>/dev/null",
        "i=0; while [ $i -lt 20000 ]; do echo flood; i=$((i+1)); done",
        "dd if=/dev/zero of=/tmp/large bs=1M count=50 2>/dev/null",
        "touch /etc/x /usr/x /var/lib/x /run/x 2>/dev/null",
        "sleep 4321",
      ].join("\n");
      expect(await movedWith(stage, `${script}\n`)).toBe(0);
      // The pass is over, and its command is not.
      const active = await host.enter(["systemctl", "is-active", "svc-upgrade-notify-1.service"]);
      expect(active.stdout.trim()).toBe("active");
      expect((await host.run(["svc-upgrade", "run"])).status).toBe(0);
      await quiet(host);
      expect((await host.enter(["pgrep", "--full", "sleep 4321"])).status).toBe(1);
      expect(await sizes(host)).toBeLessThan(500);
      expect((await host.enter(["sh", "-c", "ls -d /tmp/*/tmp/large /etc/x /usr/x /var/lib/x /run/x"])).stdout).toBe("");
      expect(await tick(host)).toBe(0);
      expect(await host.journal("svc-upgrade.service")).toMatch(
        /a notification did not arrive: notify\.command was ended by SIG(?:TERM|KILL); it has 60 seconds; it is sent again/,
      );
      await host.mustRun(["systemctl", "is-active", "svc.service"]);
    }),
  );

  for (const [what, settings, told] of unusable) {
    test(
      `that ${what} is told as such, once, and the event waits until it is put right`,
      scenario(bookworm, async (stage) => {
        const { host } = stage;
        await outdatedHost(stage);
        await schedule(host, "open");
        await configure(host, settings, "60-notify");
        expect(await tick(host)).toBe(0);
        expect(await tick(host)).toBe(0);
        const log = await host.journal("svc-upgrade.service");
        expect(log).toMatch(told);
        expect(log.match(/a notification could not be sent/g)).toHaveLength(1);
        const tried = await host.run(["svc-upgrade", "notify"]);
        expect([tried.status, tried.stdout]).toEqual([78, ""]);
        expect(tried.stderr).toMatch(told);
        const doctor = await host.run(["svc-upgrade", "doctor"]);
        expect(doctor.stdout).toMatch(/notify[^]*notifications do\s+not\s+arrive/);
        expect(await waits(host)).toBe(true);
        await configure(host, "notify:\n  command: [/bin/cat]\n", "60-notify");
        expect(await pass(host)).toBe(0);
        expect(await tick(host)).toBe(0);
        expect(await waits(host)).toBe(false);
      }),
    );
  }

  for (const suite of [...suites, ...rpmSuites]) {
    test(
      `is heard of, and told once, where units are read anew while it runs, on ${suite}`,
      scenario(withUpdater({ suite }), async (stage) => {
        const { host } = stage;
        expect(await movedWith(stage, "#!/bin/sh\nsleep 20\necho over\n")).toBe(0);
        await host.mustRun(["systemctl", "daemon-reload"]);
        expect(await tick(host)).toBe(0);
        await quiet(host);
        expect((await host.enter(["sh", "-c", "ls /run/svc-upgrade | grep -c '^notify-.*json$'"])).stdout.trim()).toBe("0");
        expect(await tick(host)).toBe(0);
        expect(await waits(host)).toBe(false);
        const said = await host.mustRun(["journalctl", "--quiet", "-t", "svc-upgrade-notify", "-o", "cat"]);
        expect(said.trim()).toBe("over");
        expect(await host.journal("svc-upgrade.service")).not.toContain("did not arrive");
      }),
    );
  }

  test(
    "has no rights, no secrets but its own, and no variable of ours, and its event stands in no argument",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      await host.write("/etc/svc-upgrade/other.token", "hidden\n", { mode: "0600" });
      await host.write("/etc/svc-upgrade/mine.token", "mine\n", { mode: "0600" });
      const script = [
        "#!/bin/sh",
        "id -u | grep -Eq '^6[0-9]{4}$' || echo the user is $(id -u)",
        "grep -Eq '^CapBnd:.0+$' /proc/self/status || echo capabilities",
        "cat /etc/svc-upgrade/other.token /run/svc-upgrade/*.json 2>/dev/null && echo read what is not its own",
        'test "$(cat "$CREDENTIALS_DIRECTORY/mine")" = mine || echo without its own',
        "env | grep -E 'SVC_UPGRADE|NODE|PROXY' && echo variables",
        "tr '\\0' ' ' </proc/$$/cmdline | grep -q 15.4.6 && echo in its arguments",
        "grep -q 15.4.6 || echo no event",
        "for place in /run/lock /dev/shm /dev/mqueue; do touch $place/x 2>/dev/null && echo wrote to $place; done",
        "echo looked",
      ].join("\n");
      expect(await movedWith(stage, `${script}\n`, "  credentials: {mine: /etc/svc-upgrade/mine.token}\n")).toBe(0);
      await quiet(host);
      const said = await host.mustRun(["journalctl", "--quiet", "-t", "svc-upgrade-notify", "-o", "cat"]);
      expect(said.trim()).toBe("looked");
    }),
  );
});

describe("whoever is killed", () => {
  test(
    "loses no event, and makes no second one of it",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      await schedule(host, "open");
      const receiver = await serveReceiver(host);
      await notifyBy(host, receiver);
      receiver.fail(Infinity);
      // The pass, as soon as the event is queued; then the acting unit, while it starts the command.
      await beginPass(host);
      await until("the event is queued", 60_000, async () => ((await waits(host)) ? true : undefined));
      await killAll(await cgroupOf(host, decidingUnit));
      await endOfPass(host);
      for (const unit of [actingUnit, decidingUnit, actingUnit, decidingUnit]) {
        await quiet(host);
        await beginPass(host);
        await until(`${unit} runs`, 60_000, async () => ((await killAll(await cgroupOf(host, unit))) ? true : undefined)).catch(
          () => undefined,
        );
        await endOfPass(host);
      }
      await quiet(host);
      receiver.fail(0);
      expect(await pass(host)).toBe(0);
      expect(await pass(host)).toBe(0);
      expect(await waits(host)).toBe(false);
      expect(new Set(receiver.came.map(({ id, kind }) => `${kind} ${id}`)).size).toBe(1);
    }),
  );
});

/** As much of a mail server as takes one mail. */
async function serveMail(host: Host): Promise<{ readonly port: number; readonly mails: readonly string[] }> {
  const mails: string[] = [];
  const server = createServer((socket) => {
    let text = "";
    socket.write("220 test\r\n");
    socket.on("data", (chunk) => {
      const isBody = /^DATA\r$/m.test(text);
      text += chunk.toString();
      if (isBody) {
        if (!text.endsWith("\r\n.\r\n")) return;
        mails.push(text);
        text = "";
      }
      socket.write(text.endsWith("DATA\r\n") ? "354 go on\r\n" : "250 ok\r\n");
    });
  });
  server.listen(0, host.network.outerAddress);
  await once(server, "listening");
  host.atStop(async () => void server.close());
  return { port: (server.address() as AddressInfo).port, mails };
}

test(
  "a mail goes out by the recipe for it",
  scenario(bookworm, async (stage) => {
    const { host } = stage;
    await outdatedHost(stage);
    const { port, mails } = await serveMail(host);
    await host.mustRun(["sh", "-euc", excerpt("notify-mail").replace("mail.example.com", `outer.test:${port}`)]);
    const sent = await host.run(["svc-upgrade", "notify"]);
    expect([sent.status, sent.stderr, sent.stdout.includes("delivered")]).toEqual([0, "", true]);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain("Subject: svc-upgrade on agent-host");
    expect(mails[0]).toContain('"kind":"test"');
  }),
);

test(
  "without units nothing is started, and that is said",
  scenario(bookworm, async (stage) => {
    const { host } = stage;
    await outdatedHost(stage);
    await schedule(host, "open");
    await configure(host, "notify:\n  command: [/usr/bin/touch, /run/told]\n", "60-notify");
    await host.mustRun(["mkdir", "-p", "/opt/root/etc", "/opt/root/var"]);
    const tried = await host.run(["svc-upgrade", "notify", "--root", "/opt/root"]);
    expect([tried.status, tried.stdout]).toEqual([78, ""]);
    expect(tried.stderr).toContain("systemd starts none below another root");
  }),
);

test(
  "systemd's own way tells of a pass that ends red, and of no other",
  scenario(bookworm, async (stage) => {
    const { host, versions } = stage;
    await outdatedHost(stage);
    await schedule(host, "closed");
    await host.mustRun([
      "sh",
      "-euc",
      excerpt("notify-on-failure").replace(/ExecStart=.*/, "ExecStart=/usr/bin/touch /run/told"),
    ]);
    const isTold = async (): Promise<boolean> => (await host.enter(["test", "-e", "/run/told"])).status === 0;
    expect(await tick(host)).toBe(0);
    expect(await isTold()).toBe(false);
    await versions.http.goDown();
    expect(await tick(host)).toBe(75);
    expect(await isTold()).toBe(false);
    await configure(host, "chanel: x\n", "70-wrong");
    expect(await tick(host)).toBe(78);
    await until("systemd has told", 20_000, async () => ((await isTold()) ? true : undefined));
  }),
);
