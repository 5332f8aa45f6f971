import { withNoise } from "../noise.ts";
import { equal, notEqual } from "node:assert/strict";
import type { StayReason } from "../../../src/updater/plan/host-decision.ts";
import type { Random } from "../../fuzz/random.ts";
import { expectPass, expectStay } from "../expect-pass.ts";
import { onApt, type Row } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { serveNext } from "../staging.ts";

const file = "/etc/svc-upgrade.d/schedule";
const inHundredYears = 4_900_000_000;
const texts = 12;

type Case = { readonly script: string; readonly why: StayReason };

/** What the agent's user may do to its file, by the shell; `$1` is its path. */
const cases: Readonly<Record<string, Case>> = {
  "is missing": { script: 'rm "$1"', why: "schedule-missing" },
  "is empty": { script: ': >"$1"', why: "schedule-empty" },
  "says nop": { script: 'echo nop >"$1"', why: "never" },
  "is all in the past": { script: 'echo "1000 2000" >"$1"', why: "schedule-stale" },
  "ends before it starts": { script: `echo "${inHundredYears} 1000" >"$1"`, why: "schedule-invalid" },
  "has one bad line among good ones": { script: `printf '1 ${inHundredYears}\\nsoon\\n' >"$1"`, why: "schedule-invalid" },
  "breaks off in the middle of a number": { script: 'printf "1 49000000" >"$1"', why: "schedule-stale" },
  "has numbers that no clock shows": { script: 'echo "1 99999999999999999999999999" >"$1"', why: "schedule-invalid" },
  "is of random bytes": { script: 'noise | head -c 3000 >"$1"', why: "schedule-invalid" },
  "is of ten gigabytes": { script: 'truncate -s 10G "$1"', why: "schedule-invalid" },
  "is a link to a file of root's": { script: 'ln -sf /etc/shadow "$1"', why: "schedule-invalid" },
  "is a link to a good one": { script: 'mv "$1" /root/good && ln -s /root/good "$1"', why: "schedule-invalid" },
  "is a second name of a file": { script: 'ln "$1" "$1.other"', why: "schedule-invalid" },
  "is a pipe that nobody writes to": { script: 'rm "$1" && mkfifo "$1"', why: "schedule-invalid" },
  "is a device": { script: 'rm "$1" && mknod "$1" c 1 5', why: "schedule-invalid" },
  "is a directory": { script: 'rm "$1" && mkdir "$1"', why: "schedule-invalid" },
};

export const schedules: Row = {
  scenarios: [
    ...Object.entries(cases).flatMap(([name, { script, why }]) =>
      onApt(28, `the schedule ${name}`, async (stage, random) => {
        await serveNext(stage);
        await spoil(stage, withNoise(random, script));
        await expectStay(stage, why);
        await stage.host.mustRun(["rm", "-rf", file, `${file}.other`]);
      }),
    ),
    ...onApt(28, `the schedule is any of ${texts} texts of chance`, async (stage, random) => {
      await serveNext(stage);
      for (let each = 0; each < texts; each += 1) {
        await stage.host.write(file, text(random));
        await stage.host.mustRun(["touch", "--date=1 minute ago", file]);
        const pass = await expectPass(stage, { status: 0, outcome: { kind: "stayed" } });
        notEqual(pass.decision.kind, "move");
      }
    }),
    ...onApt(28, "the schedule is written while it is read", async (stage) => {
      const { host } = stage;
      const version = await serveNext(stage);
      const now = Math.floor(Date.now() / 1000);
      await host.write(file, "");
      await host.mustRun(["systemd-run", "--quiet", "sh", "-c", `sleep 2; echo "${now - 60} ${now + 86_400}" >${file}`]);
      equal((await expectPass(stage, { status: 0, outcome: { kind: "moved" }, version })).outcome.kind, "moved");
    }),
  ],
  unstaged: [],
};

/** Older than a file that may be half written. */
async function spoil({ host }: Stage, script: string): Promise<void> {
  await host.mustRun(["sh", "-c", script, "spoil", file]);
  await host.run(["touch", "--no-dereference", "--date=1 minute ago", file]);
}

/** None of these opens a window at present. */
function text(random: Random): string {
  const words = ["1000", "2000", "-5", "1e9", "nop", "->", "#", "\t", "0x10", "∞", "\u0000", "99999999999999999999", "\r"];
  return random.several(0, 40, () => random.pick([...words, " ", " ", "\n", "\n"])).join("");
}
