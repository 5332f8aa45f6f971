import { expect } from "vitest";
import { encodeState } from "../../../src/updater/record/encode-state.ts";
import { emptyState, type State } from "../../../src/updater/record/state.ts";
import { servedBefore } from "../../rules/channel/given.ts";
import { buildAgent } from "../lab/agent.ts";
import type { Family } from "../lab/base.ts";
import type { Host } from "../lab/host.ts";
import { buildPackage, packageVersion } from "../lab/package.ts";
import { installPackage, refreshLists, removePackage } from "../lab/package-tools.ts";
import { until } from "../lab/until.ts";
import { expectRunning, holdPackage, lastPass } from "../moves.ts";
import type { Scene } from "../table/scene.ts";
import { configure, journalOfLastRun, runNow, schedule, tick } from "../updater.ts";
import type { HintRow, NotStaged } from "./row.ts";

const everywhere: readonly Family[] = ["apt", "yum", "zypper"];
const stateFile = "/var/lib/svc-upgrade-decide/state.json";
const environment = "/etc/default/svc";
const now = (): number => Math.floor(Date.now() / 1000);

type Answered = {
  readonly decision?: { readonly kind: string; readonly why?: string; readonly lift?: string };
  readonly fault?: { readonly code: string; readonly hint: string };
};

async function dryRun({ host }: Pick<Scene, "host">): Promise<Answered> {
  return JSON.parse((await host.run(["svc-upgrade", "dry-run", "--json"])).stdout) as Answered;
}

/** As a look prints it: what lifts the stay, or what helps against the fault. */
async function looked(scene: Scene): Promise<string> {
  const { decision, fault } = await dryRun(scene);
  return fault?.hint ?? decision?.lift ?? "";
}

/** As the last pass has it. */
async function ofPass({ host }: Scene): Promise<string> {
  const { decision, outcome } = (await lastPass(host)) as { decision: { lift?: string }; outcome: { fault?: { hint: string } } };
  return outcome.fault?.hint ?? decision.lift ?? "";
}

/** As a command prints it that ends in a fault. */
function complained(...argv: readonly string[]): HintRow["printed"] {
  return async ({ host }) => (await host.run(argv)).stderr.trim();
}

/** What the last pass told the journal. */
async function lineOf(host: Host, word: string): Promise<string> {
  return (await journalOfLastRun(host)).find((line) => line.includes(word)) ?? "";
}

/** What doctor prints as a line to type. */
async function fixOf({ host }: Scene, check: string): Promise<string> {
  const { stdout } = await host.run(["svc-upgrade", "doctor", "--json"]);
  const { checks } = JSON.parse(stdout) as { readonly checks: readonly { readonly name: string; readonly fix?: string }[] };
  const fix = checks.find(({ name }) => name === check)?.fix;
  return fix === undefined ? "" : `\`${fix}\``;
}

async function expectWhy(scene: Scene, why: string): Promise<void> {
  expect((await dryRun(scene)).decision).toMatchObject({ why });
}

async function expectOther(scene: Scene, why: string): Promise<void> {
  const { decision } = await dryRun(scene);
  expect(decision?.kind).toBeDefined();
  expect(decision?.why).not.toBe(why);
}

const moved: HintRow["helps"] = ({ host }) => expectRunning(host, "15.4.6");

/** The next pass by itself, in an open window. */
async function movesByItself({ host }: Scene): Promise<void> {
  await schedule(host, "open");
  await tick(host);
  await expectRunning(host, "15.4.6");
}

async function answersAgain(scene: Scene): Promise<void> {
  expect((await dryRun(scene)).fault).toBeUndefined();
}

async function remember(host: Host, state: Partial<State>): Promise<void> {
  await host.write(stateFile, encodeState({ ...emptyState, ...state }), { mode: "0600" });
  await host.mustRun(["chown", "svc-upgrade:", stateFile]);
}

async function exported(host: Host, text: string): Promise<void> {
  await host.write("/etc/svc-upgrade.d/schedule", text);
  // Old enough that nobody waits for the rest of it.
  await host.mustRun(["touch", "-d", "30 seconds ago", "/etc/svc-upgrade.d/schedule"]);
}

/** One that only asks to move at once. */
function stayAtOnce(of: HintRow["of"], stage: HintRow["stage"], names: HintRow["names"] = ["svc-upgrade run --now"]): HintRow {
  return {
    of,
    stage: async (scene) => {
      await stage(scene);
      await expectWhy(scene, of);
    },
    printed: looked,
    names,
    helps: moved,
  };
}

/** What the version server says that is no version: the command of the hint shows it. */
function answering(
  of: HintRow["of"],
  answer: string | { readonly status: number; readonly body?: string },
  shows: RegExp,
): HintRow {
  return {
    of,
    stage: async ({ versions }) => versions.serve("default", { version: answer }),
    printed: looked,
    names: [/^curl -v http:\/\/outer\.test:\d+\/v1\/webapi\/automaticupgrades\/channel\/default\/version$/],
    helps: async (_scene, [typed]) => {
      expect(`${typed?.result.stdout}${typed?.result.stderr}`).toMatch(shows);
    },
  };
}

const unhold: Readonly<Record<Family, string>> = {
  apt: "sudo apt-mark unhold svc-ent",
  yum: "sudo dnf versionlock delete svc-ent",
  zypper: "sudo zypper removelock svc-ent",
};

const lookUp = /^(?:apt-cache policy|dnf list --showduplicates|zypper search --details --match-exact) svc-ent$/;

export const rows: readonly HintRow[] = [
  {
    of: "no-version",
    stage: async ({ versions }) => versions.serve("default", { version: "none" }),
    printed: looked,
    names: [],
    byHand: async ({ versions }) => versions.serve("default", { version: "v15.4.6" }),
    helps: movesByItself,
  },
  {
    of: "unconfirmed",
    stage: async ({ versions }) =>
      versions.serve("default", { version: { body: "v15.4.6", headers: { "x-svc-unconfirmed": "yes" } } }),
    printed: looked,
    names: [],
    byHand: async ({ versions }) => versions.serve("default", { version: "v15.4.6" }),
    helps: movesByItself,
  },
  {
    of: "current",
    stage: async ({ versions }) => versions.serve("default", { version: "v15.4.5" }),
    printed: looked,
    names: [],
    byHand: async ({ versions }) => versions.serve("default", { version: "v15.4.6" }),
    helps: movesByItself,
  },
  {
    of: "needs-operator",
    stage: async ({ host }) => {
      await host.write(stateFile, "{ not json");
      await tick(host);
    },
    printed: looked,
    names: ["svc-upgrade retry"],
    helps: movesByItself,
  },
  {
    of: "pinned",
    stage: ({ host }) => host.mustRun(["svc-upgrade", "pin", "15.4.5"]),
    printed: looked,
    names: ["svc-upgrade unpin"],
    helps: movesByItself,
  },
  {
    of: "held",
    stage: ({ host }) => host.mustRun(["svc-upgrade", "hold", "--reason", "audit"]),
    printed: looked,
    names: ["svc-upgrade unhold"],
    helps: movesByItself,
  },
  {
    of: "package-held",
    families: everywhere,
    stage: ({ host }) => holdPackage(host, "svc-ent"),
    printed: looked,
    names: [/^sudo (?:apt-mark unhold|dnf versionlock delete|zypper removelock) svc-ent$/],
    helps: async (scene, [typed]) => {
      expect(typed?.command).toBe(unhold[scene.host.family]);
      await movesByItself(scene);
    },
  },
  {
    of: "rejected",
    stage: async ({ host, repository, versions }) => {
      await repository.publish(await buildAgent(host, { version: "15.6.2", scripts: "failing" }));
      versions.serve("default", { version: "v15.6.2" });
      await runNow(host);
    },
    printed: looked,
    names: ["svc-upgrade retry"],
    helps: (scene) => expectOther(scene, "rejected"),
  },
  {
    of: "backing-off",
    stage: async (scene) => {
      await scene.repository.server.goDown();
      await runNow(scene.host);
      await expectWhy(scene, "backing-off");
    },
    printed: looked,
    names: ["svc-upgrade run --now"],
    byHand: ({ repository }) => repository.server.comeUp(),
    helps: moved,
  },
  {
    of: "downgrade-refused",
    stage: async ({ host, repository, versions }) => {
      await repository.publish(await buildAgent(host, { version: "15.4.4" }));
      versions.serve("default", { version: "v15.4.4" });
    },
    printed: looked,
    names: [],
    byHand: ({ host }) => configure(host, "downgrade: allow\n", "60-downgrade"),
    helps: async ({ host }) => {
      await runNow(host);
      await expectRunning(host, "15.4.4");
    },
  },
  {
    of: "major-refused",
    stage: async ({ host, versions }) => {
      versions.serve("default", { version: "v17.0.0" });
      await configure(host, "major: one-step\n", "60-major");
    },
    printed: looked,
    names: [],
    byHand: ({ host }) => configure(host, "major: any\n", "60-major"),
    helps: (scene) => expectOther(scene, "major-refused"),
  },
  {
    of: "alternating",
    stage: async ({ host, versions }) => {
      // A server that gives its decisions no number, and so may only waver.
      versions.serve("default", { version: { body: "v15.4.6", headers: { "x-svc-decision": "" } } });
      await configure(host, "downgrade: allow\n", "60-downgrade");
      await remember(host, { heard: servedBefore(now() - 2, ["15.4.6", "15.4.5"]) });
    },
    printed: looked,
    names: ["svc-upgrade retry"],
    helps: (scene) => expectOther(scene, "alternating"),
  },
  stayAtOnce("never", ({ host }) => exported(host, "nop\n"), ["svc-upgrade run --now"]),
  {
    of: "clock",
    stage: ({ host }) => remember(host, { clock: { now: now() + 90_000, sinceBootSeconds: 1, bootId: "another" } }),
    printed: looked,
    names: ["svc-upgrade doctor"],
    statuses: [69],
    // The hosts of the lab have the clock of the machine around them, and nobody may set it there.
    helps: async (_scene, [typed]) => {
      expect(typed?.result.stdout.replaceAll(/\s+/g, " ")).toMatch(/clock .*of the machine around this container: set it there/);
    },
  },
  stayAtOnce("blackout", ({ host }) =>
    configure(host, 'blackouts: [{from: "2020-01-01", to: "2099-01-01", reason: "audit"}]\n', "60-blackout"),
  ),
  stayAtOnce("window-too-short", ({ host }) => exported(host, `${now() - 3300} ${now() + 300}\n`)),
  stayAtOnce("outside-window", ({ host }) => schedule(host, "closed")),
  stayAtOnce("schedule-missing", () => Promise.resolve()),
  stayAtOnce("schedule-empty", ({ host }) => exported(host, "# exported by the agent\n")),
  stayAtOnce("schedule-invalid", ({ host }) => exported(host, "next tuesday\n")),
  stayAtOnce("schedule-stale", ({ host }) => exported(host, `${now() - 800_000} ${now() - 796_400}\n`)),

  {
    of: "usage",
    stage: () => Promise.resolve(),
    printed: complained("svc-upgrade", "route", "proxy.example.com"),
    names: ["svc-upgrade route https://proxy.example.com"],
    helps: async (_scene, [typed]) => {
      expect(typed?.result.stdout).toBe("direct (no HTTPS_PROXY is set)\n");
    },
  },
  answering("answer-invalid", "<!DOCTYPE html><title>Log in</title>", /<title>Log in/),
  answering("channel-refused", { status: 403, body: "go away\n" }, /(?=.* 403 )(?=.*go away)/s),
  answering("channel-failing", { status: 500, body: "out of order\n" }, /(?=.* 500 )(?=.*out of order)/s),
  answering("channel-unknown", { status: 404, body: "no such channel\n" }, /(?=.* 404 )(?=.*no such channel)/s),
  {
    of: "redirect-refused",
    stage: async ({ versions }) => {
      const location = `${versions.httpEndpoint}/v1/webapi/automaticupgrades/channel/default/version`;
      versions.serve("default", { version: { status: 302, headers: { location }, body: "" } });
    },
    printed: looked,
    names: [/^curl -sSIL http:\/\/outer\.test:\d+\/v1\/.*\/version$/],
    // It follows them until it has enough.
    statuses: [47],
    helps: async (_scene, [typed]) => {
      expect(typed?.result.stdout).toMatch(/ 302 /);
    },
  },
  {
    of: "channel-unreachable",
    stage: ({ host }) => configure(host, "endpoint: https://outer.test:9\n"),
    printed: looked,
    names: ["svc-upgrade config", "echo 'HTTPS_PROXY=http://HOST:PORT' | sudo tee -a /etc/default/svc"],
    fills: () => ({ HOST: "outer.test", PORT: "8" }),
    helps: async (scene, [config]) => {
      expect(config?.result.stdout).toMatch(/endpoint.*outer\.test:9/);
      expect((await dryRun(scene)).fault?.code).toBe("proxy-unreachable");
    },
  },
  {
    of: "tls-untrusted",
    stage: ({ host, versions }) => configure(host, `endpoint: ${versions.httpsEndpoint}\n`),
    printed: looked,
    names: ["echo 'ca_file: /etc/svc-upgrade/ca.pem' | sudo tee /etc/svc-upgrade/90-ca.yaml"],
    byHand: ({ host, versions }) => host.copyIn(versions.authority.caFile, "/etc/svc-upgrade/ca.pem", { mode: "0644" }),
    helps: answersAgain,
  },
  {
    of: "ca-file-unusable",
    stage: async ({ host, versions }) => {
      await configure(host, `endpoint: ${versions.httpsEndpoint}\nca_file: /etc/svc-upgrade/ca.pem\n`);
      await host.copyIn(versions.authority.caFile, "/etc/svc-upgrade/ca.pem", { mode: "0600" });
      await tick(host);
    },
    printed: ofPass,
    names: ["sudo chmod 0644 /etc/svc-upgrade/ca.pem"],
    helps: async ({ host }) => {
      expect(await tick(host)).toBe(0);
    },
  },
  {
    of: "proxy-unreachable",
    stage: ({ host }) => host.write(environment, "HTTP_PROXY=http://outer.test:9\n"),
    printed: looked,
    names: ["sudoedit /etc/default/svc"],
    byHand: ({ host }) => host.write(environment, ""),
    helps: answersAgain,
  },
  {
    of: "proxy-invalid",
    stage: ({ host }) => host.write(environment, "HTTP_PROXY=socks5://outer.test:1080\n"),
    printed: looked,
    names: ["sudoedit /etc/default/svc"],
    byHand: ({ host }) => host.write(environment, ""),
    helps: answersAgain,
  },
  {
    of: "package-absent",
    families: everywhere,
    stage: ({ host }) => removePackage(host, "svc-ent"),
    printed: looked,
    names: ["svc-upgrade run --now --install"],
    helps: async ({ host }) => {
      expect(await host.mustRun(["svc", "version"])).toContain("15.4.6");
    },
  },
  {
    of: "package-unreadable",
    stage: async ({ host, repository }) => {
      await repository.publish(await buildPackage(host, { name: "strange", version: "20261121" }));
      await refreshLists(host);
      await installPackage(host, "strange", "20261121");
      await configure(host, "agent: {package: strange, unit: svc.service}\n", "60-strange");
    },
    printed: looked,
    names: ["svc-upgrade config"],
    helps: async ({ host }, [typed]) => {
      expect(typed?.result.stdout).toMatch(/package: "?strange/);
      await removePackage(host, "strange");
    },
  },
  {
    of: "plan-refused",
    families: everywhere,
    stage: async ({ host, repository }) => {
      await repository.publish(await buildPackage(host, { name: "companion", version: "1.0", depends: ["svc-ent (<< 15.4.6)"] }));
      await refreshLists(host);
      await installPackage(host, "companion", "1.0");
      await runNow(host);
    },
    printed: ofPass,
    names: [/^(?:apt-get -s|dnf --assumeno|yum --assumeno|sudo zypper).* install/],
    statuses: [0, 1, 4],
    helps: async (scene, [typed]) => {
      expect(`${typed?.result.stdout}${typed?.result.stderr}`).toContain("companion");
      await removePackage(scene.host, "companion");
      await runNow(scene.host);
      await expectRunning(scene.host, "15.4.6");
    },
  },
  {
    of: "database-broken",
    stage: async ({ host }) => {
      await host.copyIn(await buildPackage(host, { name: "unfinished", version: "1.0" }), "/root/unfinished.deb");
      await host.mustRun(["dpkg", "--unpack", "/root/unfinished.deb"]);
    },
    // A pass leaves alone what is another program's, and what it would say itself is the first half of this.
    printed: (scene) => fixOf(scene, "manager"),
    names: ["sudo dpkg --configure -a && sudo apt-get -f install"],
    helps: async (scene) => {
      expect(await fixOf(scene, "manager")).toBe("");
      await removePackage(scene.host, "unfinished");
    },
  },
  {
    of: "no-way-back",
    stage: () => Promise.resolve(),
    printed: complained("svc-upgrade", "rollback"),
    names: ["svc-upgrade status", "svc-upgrade retry", "svc-upgrade run --now"],
    helps: moved,
  },
  {
    of: "unhealthy-host",
    stage: ({ host }) => host.mustRun(["systemctl", "stop", "svc-upgrade.timer"]),
    printed: (scene) => fixOf(scene, "timer"),
    names: ["sudo systemctl start svc-upgrade.timer"],
    helps: async ({ host }) => {
      expect((await host.run(["systemctl", "is-active", "svc-upgrade.timer"])).stdout).toBe("active\n");
      await host.mustRun(["systemctl", "stop", "svc-upgrade.timer"]);
    },
  },
  {
    of: "os-failed",
    stage: async ({ host }) => {
      await host.mustRun(["systemctl", "mask", "--now", "svc-upgrade-act.socket"]);
      await runNow(host);
    },
    printed: async ({ host }) => (await journalOfLastRun(host)).join("\n"),
    names: [
      "systemctl status svc-upgrade-act.socket",
      "sudo systemctl unmask svc-upgrade-act.socket",
      "sudo systemctl start svc-upgrade-act.socket",
    ],
    statuses: [0, 3, 4],
    helps: async ({ host }) => {
      expect((await host.run(["systemctl", "is-active", "svc-upgrade-act.socket"])).stdout).toBe("active\n");
      await runNow(host);
      await expectRunning(host, "15.4.6");
    },
  },
  {
    of: "ask-failed",
    stage: ({ host }) => host.mustRun(["systemctl", "mask", "--now", "svc-upgrade-ask.socket"]),
    printed: async ({ host }) => {
      await tick(host);
      return (await journalOfLastRun(host)).join("\n");
    },
    names: [
      "systemctl status svc-upgrade-ask.socket svc-upgrade-ask.service",
      "sudo systemctl unmask svc-upgrade-ask.socket svc-upgrade-ask.service",
      "sudo systemctl start svc-upgrade-ask.socket",
    ],
    statuses: [0, 3, 4],
    helps: async ({ host }) => {
      expect(await tick(host)).toBe(0);
    },
  },
  {
    of: "state-unwritable",
    stage: async ({ host }) => {
      const folder = "/var/lib/svc-upgrade-decide";
      await tick(host);
      await host.mustRun(["mount", "-t", "tmpfs", "-o", "size=64k,mode=0755", "tmpfs", folder]);
      await host.mustRun(["chown", "svc-upgrade:", folder]);
      await host.run([
        "sh",
        "-c",
        `touch ${folder}/lock; chown svc-upgrade: ${folder}/lock; dd if=/dev/zero of=${folder}/full bs=1k`,
      ]);
      await tick(host);
    },
    printed: ({ host }) => lineOf(host, "state-unwritable"),
    names: ["df -h /var/lib/svc-upgrade-decide"],
    helps: async ({ host }, [typed]) => {
      expect(typed?.result.stdout).toContain("100%");
      await host.mustRun(["umount", "/var/lib/svc-upgrade-decide"]);
      expect(await tick(host)).toBe(0);
    },
  },
  {
    of: "busy",
    stage: async ({ host }) => {
      await tick(host);
      const lock = "/var/lib/svc-upgrade-decide/lock";
      await host.mustRun(["systemd-run", "--quiet", "--unit=holder", "--uid=svc-upgrade", "flock", lock, "sleep", "120"]);
      await until("the lock to be held", 10_000, async () =>
        (await host.run(["flock", "-n", lock, "true"])).status === 0 ? undefined : true,
      );
      await tick(host);
    },
    printed: ({ host }) => lineOf(host, "fault=busy"),
    names: ["journalctl -fu svc-upgrade"],
    helps: async ({ host }, [typed]) => {
      expect(typed?.result.stdout).toContain("another pass is running");
      await host.mustRun(["systemctl", "stop", "holder"]);
    },
  },
  {
    of: "settings-invalid",
    stage: ({ host }) => configure(host, "chanel: default\n", "60-typo"),
    printed: looked,
    names: ["svc-upgrade config"],
    byHand: ({ host }) => host.mustRun(["rm", "/etc/svc-upgrade/60-typo.yaml"]),
    helps: answersAgain,
  },
  {
    of: "settings-untrusted",
    stage: ({ host }) => host.write("/etc/svc-upgrade/60-open.yaml", "downgrade: allow\n", { mode: "0666", owner: "1000:1000" }),
    printed: looked,
    names: ["sudo chown 0 /etc/svc-upgrade/60-open.yaml && sudo chmod go-w /etc/svc-upgrade/60-open.yaml"],
    helps: answersAgain,
  },
  {
    of: "endpoint-missing",
    stage: ({ host }) => host.mustRun(["rm", "/etc/svc-upgrade/50-test.yaml"]),
    printed: looked,
    names: ["sudo svc-upgrade enroll --endpoint https://proxy.example.com"],
    // Its last line is a look at the example's server, which nobody reaches from here.
    fills: ({ versions }) => ({ "https://proxy.example.com": versions.httpsEndpoint }),
    byHand: ({ host, versions }) => versions.authority.trustIn(host),
    helps: async (scene) => {
      await answersAgain(scene);
      await scene.host.mustRun(["svc-upgrade", "unenroll"]);
      await scene.host.mustRun(["systemctl", "stop", "svc-upgrade.timer"]);
    },
  },
  {
    of: "not-permitted",
    stage: () => Promise.resolve(),
    printed: async ({ host }) => (await host.run(["svc-upgrade", "hold"], { user: "ordinary" })).stderr.trim(),
    names: ["sudo svc-upgrade hold", "svc-upgrade dry-run"],
    helps: (scene) => expectWhy(scene, "held"),
  },
  {
    of: "not-offered",
    families: everywhere,
    stage: async ({ host, versions }) => {
      versions.serve("default", { version: "v15.9.9" });
      await runNow(host);
    },
    printed: ofPass,
    names: [lookUp],
    byHand: async ({ host, repository }) => repository.publish(await buildAgent(host, { version: "15.9.9" })),
    helps: async (scene, [typed]) => {
      const { host, repository } = scene;
      expect(typed?.result.stdout).toContain(packageVersion(host, "15.4.6"));
      expect(await ofPass(scene)).toContain(`${repository.sourcesFile} (${repository.url}`);
      await runNow(host);
      await expectRunning(host, "15.9.9");
    },
  },
  {
    of: "refresh-failed",
    families: everywhere,
    stage: async ({ host, repository }) => {
      await repository.server.goDown();
      await runNow(host);
    },
    printed: ofPass,
    names: [/^(?:sudo )?(?:apt-get update|(?:dnf|yum) makecache|zypper refresh)$/],
    byHand: ({ repository }) => repository.server.comeUp(),
    helps: async ({ host }) => {
      await runNow(host);
      await expectRunning(host, "15.4.6");
    },
  },
  {
    of: "install-failed",
    stage: async ({ host, repository, versions }) => {
      await repository.publish(await buildAgent(host, { version: "15.6.1", scripts: "refusing" }));
      versions.serve("default", { version: "v15.6.1" });
      await runNow(host);
    },
    printed: ofPass,
    names: ["sudo apt-get install svc-ent=15.6.1"],
    statuses: [100],
    helps: async ({ host, versions }, [typed]) => {
      expect(`${typed?.result.stdout}${typed?.result.stderr}`).toContain("the preinst fails");
      versions.serve("default", { version: "v15.4.6" });
      await runNow(host);
      await expectRunning(host, "15.4.6");
    },
  },
  {
    of: "activate-failed",
    stage: async ({ host, repository, versions }) => {
      await repository.publish(await buildAgent(host, { version: "15.6.3", start: "crashes" }));
      versions.serve("default", { version: "v15.6.3" });
      await runNow(host);
    },
    printed: ofPass,
    names: ["journalctl -u svc.service", "systemctl status svc.service"],
    helps: async ({ host }, [journal]) => {
      expect(journal?.result.stdout).toMatch(/svc\.service: (?:Failed with result|Main process exited)/);
      await expectRunning(host, "15.4.5");
    },
  },
];

/** What is left out, and why. */
export const notStaged: NotStaged = {
  "hand-over-invalid": "an asking unit of another release is what does it; its hint is a look at the journal, as in other rows",
  "proxy-refused": "the chapter about proxies plays it; its hint is a line in a file that the row of proxy-unreachable edits too",
  "contact-lost": "takes a day; its hint is that of channel-unreachable",
  "manager-unclear": "no host of the lab has two package managers that both have the agent",
  "package-untrusted":
    "its hints ask for a signed repository and name no command that would change something; the chapter about repositories plays it",
  "package-mislabelled": "its hint names no command: the repository has to be corrected; the campaign plays it",
  "state-unreadable": "the pass that finds it goes on as needs-operator, whose row types what is to be typed",
  "file-failed":
    "a directory that is missing, full or read-only: unit tests read its hints by what the system throws, and the row of state-unwritable types one",
  "proxies-unread": "its hint names no command: a regular file has to take the place of what is there",
  "download-failed": "its hint is that of refresh-failed",
  "manager-busy": "its hint names no command: to wait",
  "no-space": "the chapter about a small disk plays it; where which file system is full is the row of state-unwritable's to show",
  "read-only": "the host's own /usr would have to become read-only for the acting unit alone",
  stopping: "its hint names no command: the next pass goes on",
  overtaken: "its hint names no command: a later pass goes on",
  interrupted: "its hint is a look at the journal; the campaign kills managers in every step",
  "not-kept": "its hint names a setting, and no command",
  "path-untrusted": "its hint is a look, which changes nothing",
  "mount-untrusted": "needs a FUSE file system that does not answer, which the scenarios about what is silent have",
  "trust-store-missing": "needs a repository with ca-certificates, which the lab's has not",
  "host-unsupported": "a host without flock or systemd is none of the lab's",
  "verify-failed": "its hint is a look at the journal, as in the row of os-failed",
  unhealthy: "its hint is that of activate-failed",
  "way-back-failed": "its hint is that of the fault of the rollback, and `svc-upgrade retry`, which other rows type",
  bug: "nobody knows how to bring one about",
};
