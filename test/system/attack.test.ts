import { describe, expect, test } from "vitest";
import { suites } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { attackFrom, attackIn, installAttack, outcomesIn } from "./sandbox/attack.ts";
import { configure, outdatedHost, schedule, stopTimer, tick, withUpdater } from "./updater.ts";

/**
 * What code can reach (x) that got into the place of a unit's program, or of the agent's binary while that tells its version.
 *     root     the deciding unit as uid 0, the agent's binary in there, and the acting unit
 *     user     the deciding unit as the user svc-upgrade; agent: the agent's binary in there, which has the user and not the capability
 *     acting   the acting unit where the deciding one is that user
 */
const table = `
                            root  user  agent acting asking
start-unit                   x     .     .      x      .
start-unit-by-bus            x     .     .      x      .
run-through-manager          x     .     .      x      .
reload-manager               x     .     .      x      .
speak-to-manager             x     .     .      x      .
connect-roots-socket         x     .     .      x      .
connect-acting-unit          x     x     x      .      .
connect-asking-unit          .     x     x      .      .
signal-manager               x     .     .      x      .
signal-roots-process         x     .     .      x      .
signal-another-users         .     .     .      .      .
trace-roots-process          .     .     .      .      .
trace-another-users          .     .     .      .      .
read-roots-environment       .     .     .      .      .
become-root                  .     .     .      .      .
become-another-user          .     .     .      .      .
gain-by-setuid-program       .     .     .      .      .

write-own-state              .     x     x      .      .
write-roots-state            x     .     .      x      .
write-own-tmp                x     x     x      x      x
fill-tmp                     x     x     x      x      .
write-etc                    .     .     .      .      .
write-usr                    .     .     .      .      .
write-units                  .     .     .      .      .
write-run                    .     .     .      .      .
write-root                   .     .     .      .      .
write-home                   .     .     .      .      .
write-shared-memory          .     .     .      .      .
change-passwd                .     .     .      .      .
change-program               .     .     .      .      .
change-kernel                .     .     .      .      .
make-setuid-file             .     .     .      .      .
give-file-away               .     .     .      .      .
make-device                  .     .     .      .      .
hard-link-of-roots           .     .     .      .      .

read-shadow                  x     .     .      x      .
read-host-key                x     .     .      x      .
read-roots-settings          x     x     .      x      .
read-another-users           x     x     .      x      .
read-home-of-root            .     .     .      .      .
see-tmp-of-others            .     .     .      .      .

inet                         .     .     .      .      x
inet6                        .     .     .      .      x
netlink                      .     .     .      .      .
packet                       .     .     .      .      .
vsock                        .     .     .      .      .
io_uring                     .     .     .      .      .

core-file                    x     x     x      x      .
mount                        .     .     .      .      .
unmount                      .     .     .      .      .
chroot                       .     .     .      .      .
load-module                  .     .     .      .      .
bpf                          .     .     .      .      .
join-namespace               .     .     .      .      .
new-network-namespace        .     .     .      .      .
new-mount-namespace          .     .     .      .      .
new-user-namespace           .     .     .      .      .
`;

type Column = "root" | "user" | "agent" | "acting" | "asking";

/** Which column counts for which place as the units are shipped now. */
const today = { deciding: "root", agent: "root", acting: "root", asking: "asking" } as const satisfies Record<string, Column>;

/**
 * The deciding unit as a user: what its file and those of the sockets are going to say. The day they do, this goes, and `today` changes.
 */
const asUser = {
  "svc-upgrade.service.d": `[Service]
User=svc-upgrade
AmbientCapabilities=CAP_DAC_READ_SEARCH
StateDirectory=
StateDirectory=svc-upgrade-decide
RuntimeDirectory=
SystemCallFilter=capset
InaccessiblePaths=-/etc/shadow -/etc/gshadow -/etc/ssh -/etc/ssl/private -/etc/pki/tls/private -/var/lib/private
`,
  "svc-upgrade-act.socket.d": "[Socket]\nSocketUser=svc-upgrade\n",
  "svc-upgrade-ask.socket.d":
    "[Socket]\nListenStream=\nListenStream=/run/svc-upgrade-ask.socket\nSocketUser=svc-upgrade\nSocketMode=0600\n",
} as const;

/** Which column counts for which place then. */
const then = { deciding: "user", agent: "agent", acting: "acting", asking: "asking" } as const satisfies Record<string, Column>;

/** There is no such socket and directory yet; and the host is a container, whose kernel is another's. */
const notEvenRoot = ["connect-asking-unit", "write-own-state", "change-kernel", "load-module", "bpf"];

const deciding = "svc-upgrade.service";

function expected(column: Column): Readonly<Record<string, string>> {
  const [heads = [], ...rows] = table
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.trim().split(/\s+/));
  return Object.fromEntries(
    rows.map(([attempt, ...marks]) => [attempt, marks[heads.indexOf(column)] === "x" ? "reached" : "refused"]),
  );
}

async function attackedHost(stage: Stage): Promise<readonly string[]> {
  const { host } = stage;
  await outdatedHost(stage);
  await schedule(host, "closed");
  await stopTimer(host);
  expect(await tick(host)).toBe(0);
  await host.write("/etc/svc-upgrade/60-secret.yaml", "# secret\n", { mode: "0600" });
  return installAttack(host);
}

async function attackFromAll(host: Host, pids: readonly string[]): Promise<void> {
  await attackFrom(host, deciding, attackIn("deciding", pids));
  await attackFrom(host, "svc-upgrade-ask.service", attackIn("asking", pids));
  await attackFrom(host, "svc-upgrade-act.service", attackIn("acting", pids));
}

describe.each([...suites, "yum"] as const)("on %s, code reaches what the table says", (suite) => {
  test(
    "in the place of each unit's program, and of the agent's binary",
    scenario(withUpdater({ suite }), async (stage) => {
      const { host } = stage;
      const pids = await attackedHost(stage);
      // Its eyes are open: root in no sandbox reaches all but what is not there, and what the host itself may not do.
      await host.run(attackIn("free", pids));
      const free = Object.entries(await outcomesIn(host, "free"));
      expect(free.flatMap(([attempt, outcome]) => (outcome === "reached" ? [] : [attempt]))).toEqual(notEvenRoot);

      await attackFromAll(host, pids);
      await configure(host, `agent: {version_command: ${JSON.stringify(attackIn("agent", pids))}}\n`, "70-attack");
      expect(await tick(host)).toBe(0);
      for (const [place, column] of Object.entries(today))
        expect([place, await outcomesIn(host, place)]).toEqual([place, expected(column)]);
    }),
  );

  test(
    "in the same places once the deciding unit is a user",
    scenario(withUpdater({ suite }), async (stage) => {
      const { host } = stage;
      const pids = await attackedHost(stage);
      for (const [folder, text] of Object.entries(asUser)) await host.write(`/etc/systemd/system/${folder}/user.conf`, text);
      if ((await host.run(["systemctl", "cat", "svc-upgrade-ask.socket"])).status !== 0)
        await host.write("/etc/systemd/system/svc-upgrade-ask.socket", "[Unit]\nDescription=asks\n");
      await host.mustRun(["systemctl", "daemon-reload"]);
      await host.mustRun(["systemctl", "restart", "svc-upgrade-act.socket", "svc-upgrade-ask.socket"]);
      await attackFromAll(host, pids);
      const withoutRights = ["/usr/bin/setpriv", "--ambient-caps=-all", "--inh-caps=-all", "--"];
      await attackFrom(host, deciding, [...withoutRights, ...attackIn("agent", pids)]);
      for (const [place, column] of Object.entries(then))
        expect([place, await outcomesIn(host, place)]).toEqual([place, expected(column)]);
    }),
  );
});
