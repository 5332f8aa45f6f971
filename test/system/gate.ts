import type { Played } from "../gate-config.ts";

/**
 * The system tests of the gate, some five minutes of two processors; `npm run whole` plays all. What belongs here: each promise
 * once, by the cheapest test on a booted host that fails when it is broken.
 */
export const gate: readonly Played[] = [
  {
    file: "table/bookworm.test.ts",
    titles: ["bookworm "],
    proves: "What a pass decides and does with apt: windows, critical updates, mistakes, holds, repositories that lie.",
  },
  {
    file: "table/bookworm-offers.test.ts",
    titles: ["bookworm "],
    proves: "Which package apt is given, and what is in its way: locks, other packages, full disks, proxies with a password.",
  },
  ...(["yum", "zypper"] as const).map((suite): Played => ({
    file: `table/${suite}.test.ts`,
    titles: [
      `${suite} moves > ${suite} upgrades in its window`,
      `${suite} moves > ${suite} by hand says why it stays`,
      `${suite} goes by its repositories > ${suite} installs no package that is unsigned`,
    ],
    proves: `With ${suite} an agent moves in its window and by hand, and nothing unsigned is installed.`,
  })),
  {
    file: "power-cut.test.ts",
    titles: ["yum", "zypper"].map(
      (suite) =>
        `a power cut in the middle of a transaction of ${suite} leaves two versions, and the next pass > goes on to it, and back`,
    ),
    proves: "A half-way rpm transaction is completed, and the new version is rolled back from there.",
  },
  {
    file: "five-minutes.test.ts",
    titles: ["the README's five minutes"],
    proves: "The README's commands work as they are typed.",
  },
  {
    file: "trial.test.ts",
    titles: ["a trial is typed as the README has it", "a set-up that does not come to its end > because the unit does not start"],
    proves: "The trial sets itself up, shows an upgrade, and goes without a trace, also where it fails.",
  },
  {
    file: "package.test.ts",
    titles: ["the package on bullseye >", "the .deb >"],
    proves: "The .deb installs, upgrades, keeps an administrator's choices, and is removed and purged.",
  },
  {
    file: "rpm-package.test.ts",
    titles: ["the packages of ", "rpm refuses a host", "an upgrade of the updater on "],
    proves: "The .rpm holds what the list says, refuses hosts that are too old, and is upgraded under a running pass.",
  },
  {
    file: "rollback.test.ts",
    titles: ["rollback >"],
    proves: "An administrator's rollback brings the version before back, without a network.",
  },
  {
    file: "way-back.test.ts",
    titles: ["a bad version > that crashes at its start is undone, remembered, and told, on bookworm"],
    proves: "A version that crashes is undone and remembered.",
  },
  {
    file: "svc-proxy.test.ts",
    titles: ["the package svc-proxy on bullseye >", "svc-proxy.service >"],
    proves: "svc-proxy is installed, serves, reloads all or nothing, and drains.",
  },
  {
    file: "sandbox.test.ts",
    titles: ["on bookworm > the ", "on bookworm > each exposure", "the transaction is one command"],
    proves: "Each unit reaches only what SECURITY says.",
  },
  {
    file: "attack.test.ts",
    titles: ["on bookworm, code reaches"],
    proves: "Hostile code in the place of a unit's program reaches only what SECURITY says.",
  },
  {
    file: "taken-over.test.ts",
    titles: ["on bookworm > a taken-over asking unit"],
    proves: "The unit that meets the network leaves nothing on the host.",
  },
  {
    file: "other-architecture.test.ts",
    titles: [
      "the executables for arm64, in an emulator > are what the packages hold",
      "the executables for arm64, in an emulator > answer as",
    ],
    proves: "The arm64 executables run.",
  },
  {
    file: "quiet-path.test.ts",
    titles: ["a look that finds nothing to do"],
    proves: "A tick with nothing to do loads no more than the list.",
  },
  {
    file: "proxy.test.ts",
    titles: ["the package hop > goes by NO_PROXY=10.0.0.0/8"],
    proves: "apt goes by the same NO_PROXY rule as the updater.",
  },
  {
    file: "hold.test.ts",
    titles: ["a hold > stops passes"],
    proves: "A hold stops passes in an open window and ends by itself.",
  },
  {
    file: "install-script.test.ts",
    titles: ["install.sh on bookworm > takes a bare host"],
    proves: "install.sh takes a bare host to an enrolled agent.",
  },
  {
    file: "act.test.ts",
    titles: ["the acting unit > may be killed"],
    proves: "A killed acting unit leaves an installation that ends, and a pass that goes on from there.",
  },
  {
    file: "health.test.ts",
    titles: ["a change that another pass began > is taken over after a power cut"],
    proves: "A power cut after the installation does not lose the proof of health.",
  },
  {
    file: "pin.test.ts",
    titles: ["a pinned host, on bookworm > goes to the pinned version"],
    proves: "A pinned host stays at its version whatever the channel serves.",
  },
  {
    file: "local-window.test.ts",
    titles: ["a local window on bookworm > is the host's own time"],
    proves: "A window in the host's own time follows the host's zone.",
  },
  {
    file: "history.test.ts",
    titles: ["what has changed on bookworm > is told"],
    proves: "The history names each change.",
  },
  {
    file: "notify.test.ts",
    titles: ["notifications on bookworm > arrive once"],
    proves: "Each event is notified once, over failures and boots.",
  },
  {
    file: "cluster.test.ts",
    titles: [
      "a cluster begins with its file",
      "only root may administer",
      "a reload takes the new file",
      "the cluster outlives a kill",
    ],
    proves: "A cluster begins, keeps its secrets, reloads all or nothing, and comes back out of a backup.",
  },
  {
    file: "cluster-joining.test.ts",
    titles: ["root makes the host's proxy a part of the cluster"],
    proves: "A host's proxy joins its cluster.",
  },
  {
    file: "cluster-hosts.test.ts",
    titles: ["one window of the cluster reaches the updater of a host"],
    proves: "svc in its sandbox writes the cluster's window where the updater reads it, and the inventory has its decision.",
  },
  {
    file: "cluster-moves.test.ts",
    titles: ["the agent of the cluster's own on bookworm"],
    proves: "The cluster's own agent moves in its window, a version of it that crashes is taken back, and the inventory tells.",
  },
  {
    file: "cluster-one-port.test.ts",
    titles: ["a host joins, reports and renews its certificate through the one port"],
    proves:
      "A host needs the proxy's port 443 alone to join, have the window and renew, and a site's proxy with a password may be in between.",
  },
  {
    file: "shells.test.ts",
    titles: ["a person opens a shell, copies and forwards a port"],
    proves: "tsh ssh reaches a host without an open port, behind squid, with the host's own sshd and the laptop's own ssh.",
  },
  {
    file: "rollout.test.ts",
    titles: ["a rollout on bookworm >"],
    proves:
      "A version that crashes halts in the canary stage, and the next one goes on: proxy, updater, apt and auth as they run.",
  },
  {
    file: "sign-in.test.ts",
    titles: ["a person signs in with chromium >"],
    proves: "A real browser comes through the provider's pages to the code, and auth reaches the provider through squid.",
  },
  {
    file: "cluster-enrolment.test.ts",
    titles: ["enrols an agent word by word"],
    proves: "The platform's words enrol an agent, from the role to the dry run, and the host leaves the list of none.",
  },
  {
    file: "cluster-package.test.ts",
    titles: ["the package svc-ent on bullseye >"],
    proves: "svc-ent is installed, upgraded and removed, and the cluster stays.",
  },
];
