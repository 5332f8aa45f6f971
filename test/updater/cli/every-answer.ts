import { encodeState } from "../../../src/updater/record/encode-state.ts";
import { encodeHistory } from "../../../src/updater/record/history.ts";
import { encodeLedger } from "../../../src/updater/record/ledger.ts";
import { sumOf } from "../../../src/updater/store/schedule-file.ts";
import { printSchedule } from "../../../src/rules/window/print-schedule.ts";
import { withSum } from "../../../src/rules/window/schedule-sum.ts";
import { emptyState } from "../../../src/updater/record/state.ts";
import { cutOff } from "../record/given.ts";
import { fullHistory, fullLedger, fullMemory } from "./full-memory.ts";
import { makeRoot, never, program, start, type Root, type Versions } from "./given.ts";

/** Runs the program with --json on a host, and looks at what it answers. */
export type Say = (root: Root, ...args: readonly string[]) => Promise<void>;

/**
 * What has to be typed, and done to a host, until its answers have had every key that the schema of that name documents. In the
 * repository the package script of 15.4.8 fails.
 */
export function waysToEveryKey(versions: Versions): Readonly<Record<string, (say: Say) => Promise<void>>> {
  function host(installed: string | undefined, settings: string = ""): Root {
    const root = makeRoot(installed);
    root.write("etc/svc-upgrade/10-test.yaml", `endpoint: ${versions.url}\n${settings}`);
    root.write("etc/apt/sources.list.d/test.list", `deb [trusted=yes] ${versions.url}/packages ./\n`);
    versions.serve({ version: "v15.4.6" });
    return root;
  }

  return {
    async status(say) {
      const remembering = host("15.4.5", "blackouts: [{from: 2026-01-01, to: 2100-01-01, reason: freeze}]\n");
      remembering.write("etc/svc-upgrade.d/schedule", "1 2\n");
      remembering.write("var/lib/svc-upgrade-decide/state.json", encodeState(fullMemory));
      remembering.write("var/lib/svc-upgrade/ledger.json", encodeLedger(fullLedger));
      const held =
        "window: {utc_start_hour: 3, weekdays: [Tue]}\nhold: {until: 2100-01-01, reason: freeze}\npin: {version: 15.4.6, reason: audit}\n";
      const damaged = host("15.4.5", held);
      damaged.write("var/lib/dpkg/status", damaged.read("var/lib/dpkg/status").replace("ok installed", "ok half-configured"));
      damaged.write("etc/svc-upgrade.d/schedule", "one two\n");
      const proxied = makeRoot("15.4.5");
      const night = 'window: {start: "02:30", duration: 2h, timezone: Europe/Berlin}\n';
      proxied.write("etc/svc-upgrade/10-test.yaml", `endpoint: https://cluster.example\n${night}`);
      proxied.write("etc/default/svc", "HTTPS_PROXY=http://proxy.example:3128\n");
      const told = host("15.4.5");
      const text = printSchedule({ cluster: "example.com", hasWindow: false, openings: [], note: "update auth first" }, 1);
      told.write("etc/svc-upgrade.d/schedule", withSum(text, sumOf(text)));
      await Promise.all([told, remembering, damaged, proxied, host("15.4.5", "chanel: x\n")].map((root) => say(root, "status")));
      const passing = host("15.4.5");
      passing.schedule("closed");
      await program(["run", "--root", passing.path]);
      await say(passing, "status");
      passing.schedule("open");
      await say(passing, "status");
      versions.serve({ version: "15.4.6", after: never });
      const asked = versions.nextAsked();
      const pass = start(["run", "--root", passing.path]);
      await asked;
      await say(passing, "status");
      pass.signal("SIGTERM");
      await pass.ended;
      versions.serve({ version: "15.4.6" });
      await program(["run", "--root", passing.path]);
      await say(passing, "status");
    },
    async history(say) {
      const root = host("15.4.5");
      root.write("var/lib/svc-upgrade-decide/history.json", encodeHistory(fullHistory));
      root.write("var/lib/svc-upgrade-decide/state.json", encodeState(fullMemory));
      await say(root, "history");
      await say(host("15.4.5"), "history");
    },
    async doctor(say) {
      await say(host("15.4.5"), "doctor");
      await say(host(undefined, "chanel: x\n"), "doctor");
    },
    async answer(say) {
      const root = host("15.4.5");
      root.schedule("closed");
      await say(root, "dry-run");
      await say(root, "dry-run", "--at", "+2h");
      root.lists("15.4.5");
      await say(root, "dry-run");
      root.write("etc/apt/sources.list.d/test.list", `deb [trusted=yes] ${versions.url}/packages ./\n`);
      versions.serve({ version: "v15.4.6", critical: "yes", names: "nothing" });
      await say(root, "dry-run");
      versions.serve({ version: "v15.4.6" });
      await say(root, "run");
      await say(root, "run", "--now");
      const recovering = host("15.4.5");
      recovering.write(
        "var/lib/svc-upgrade-decide/state.json",
        encodeState({ ...emptyState, step: cutOff("keep", { changingSince: undefined }) }),
      );
      await say(recovering, "run");
      const failing = host("15.4.5");
      versions.serve({ version: "15.4.8" });
      await say(failing, "run", "--now");
      await say(host("15.4.5", "pin: {version: 15.4.5}\n"), "dry-run");
    },
    async hold(say) {
      await say(host("15.4.5"), "hold");
      await say(host("15.4.5"), "hold", "--until", "2h", "--reason", "freeze");
    },
    async unhold(say) {
      const root = host("15.4.5");
      await say(root, "unhold");
      await program(["hold", "--root", root.path]);
      await say(root, "unhold");
    },
    async pin(say) {
      const root = host("15.4.5");
      await say(root, "pin", "15.4.5");
      root.schedule("open");
      await say(root, "pin", "15.4.6", "--reason", "audit");
      root.schedule("closed");
      await say(root, "pin", "15.4.6");
    },
    async unpin(say) {
      const root = host("15.4.5");
      await say(root, "unpin");
      await program(["pin", "15.4.5", "--root", root.path]);
      root.schedule("closed");
      await program(["run", "--root", root.path]);
      await say(root, "unpin");
      root.schedule("open");
      await say(root, "unpin");
    },
    async retry(say) {
      const root = host("15.4.5");
      await say(root, "retry");
      root.write("var/lib/svc-upgrade-decide/state.json", "{ not json");
      await say(root, "retry");
    },
    async schedule(say) {
      const blackouts = "blackouts: [{from: 2026-01-01, to: 2100-01-01, reason: freeze}]\n";
      const texts = ["", "nop\n", "1 2\n", "one two\n", "1 9000000000\n", "9000000000 9000000001\n"];
      const holders = texts.map((text) => {
        const root = host("15.4.5", blackouts);
        root.write("etc/svc-upgrade.d/schedule", text);
        return root;
      });
      const windowed = host("15.4.5", "window: {utc_start_hour: 3}\n");
      await Promise.all([...holders, windowed, host("15.4.5")].map((root) => say(root, "schedule", "--at", "tomorrow")));
      const zoned = host("15.4.5", 'window: {start: "02:30", duration: 2h, timezone: Europe/Berlin}\n');
      await say(zoned, "schedule", "--at", "2027-03-28");
    },
    async route(say) {
      const root = host("15.4.5");
      await say(root, "route");
      root.write("etc/default/svc", "HTTPS_PROXY=http://user:planted@proxy.example:3128\n");
      await say(root, "route", "https://cluster.example");
    },
    async config(say) {
      const values = "window: {utc_start_hour: 3, weekdays: [Tue]}\nblackouts: [{from: 2026-12-24, to: 2027-01-02}]\nhold: {}\n";
      await say(host("15.4.5", values), "config");
    },
    async enroll(say) {
      const root = makeRoot("15.4.5");
      versions.serve({ version: "v15.4.6" });
      const enrolled = (): Promise<void> => say(root, "enroll", "--endpoint", versions.url);
      await enrolled();
      root.schedule("closed");
      await enrolled();
      root.schedule("open");
      await enrolled();
      root.lists("15.4.5");
      await enrolled();
      root.write("var/lib/dpkg/status", root.read("var/lib/dpkg/status").replace("15.4.5", "five"));
      await enrolled();
      await say(root, "unenroll");
      await say(makeRoot(), "enroll", "--endpoint", versions.url);
    },
    async version(say) {
      await say(host("15.4.5"), "version");
    },
    async fault(say) {
      await say(host(undefined), "dry-run");
      await say(host("15.4.5"), "schedule", "/proc/nowhere");
      await say(host("15.4.5", "chanel: x\n"), "config");
    },
  };
}
