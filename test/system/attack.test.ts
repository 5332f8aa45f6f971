import { describe, expect, test } from "vitest";
import { suites } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { attackFrom, attackIn, installAttack, outcomesIn } from "./sandbox/attack.ts";
import { configure, outdatedHost, schedule, stopTimer, tick, withUpdater } from "./updater.ts";

/**
 * What code can reach (x) that got into the place of a unit's program, or of the agent's binary while that tells its version: it has the
 * user of the deciding unit, and not the capability.
 */
const table = `
                           deciding  agent  acting  asking
start-unit                     .        .       x       .
start-unit-by-bus              .        .       x       .
run-through-manager            .        .       x       .
reload-manager                 .        .       x       .
speak-to-manager               .        .       x       .
connect-roots-socket           .        .       x       .
connect-acting-unit            x        x       .       .
connect-asking-unit            x        x       .       .
signal-manager                 .        .       x       .
signal-roots-process           .        .       x       .
signal-another-users           .        .       .       .
trace-roots-process            .        .       .       .
trace-another-users            .        .       .       .
read-roots-environment         .        .       .       .
become-root                    .        .       .       .
become-another-user            .        .       .       .
gain-by-setuid-program         .        .       .       .

write-own-state                x        x       .       .
write-roots-state              .        .       x       .
write-own-tmp                  x        x       x       .
fill-tmp                       x        x       x       .
write-etc                      .        .       .       .
write-usr                      .        .       .       .
write-units                    .        .       .       .
write-run                      .        .       .       .
write-root                     .        .       .       .
write-home                     .        .       .       .
write-shared-memory            .        .       .       .
change-passwd                  .        .       .       .
change-program                 .        .       .       .
change-kernel                  .        .       .       .
make-setuid-file               .        .       .       .
give-file-away                 .        .       .       .
make-device                    .        .       .       .
hard-link-of-roots             .        .       .       .

read-shadow                    .        .       x       .
read-host-key                  .        .       x       .
read-roots-settings            x        .       x       .
read-another-users             x        .       x       .
read-home-of-root              .        .       .       .
see-tmp-of-others              .        .       .       .

inet                           .        .       .       x
inet6                          .        .       .       x
netlink                        .        .       .       .
packet                         .        .       .       .
vsock                          .        .       .       .
io_uring                       .        .       .       .

core-file                      .        .       .       .
mount                          .        .       .       .
unmount                        .        .       .       .
chroot                         .        .       .       .
load-module                    .        .       .       .
bpf                            .        .       .       .
join-namespace                 .        .       .       .
new-network-namespace          .        .       .       .
new-mount-namespace            .        .       .       .
new-user-namespace             .        .       .       .
`;

const places = ["deciding", "agent", "acting", "asking"] as const;
type Place = (typeof places)[number];

/** The host is a container, whose kernel is another's. */
const notEvenRoot = ["change-kernel", "load-module", "bpf"];

const deciding = "svc-upgrade.service";

function expected(place: Place): Readonly<Record<string, string>> {
  const [heads = [], ...rows] = table
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.trim().split(/\s+/));
  return Object.fromEntries(
    rows.map(([attempt, ...marks]) => [attempt, marks[heads.indexOf(place)] === "x" ? "reached" : "refused"]),
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
      for (const place of places) expect([place, await outcomesIn(host, place)]).toEqual([place, expected(place)]);
    }),
  );
});
