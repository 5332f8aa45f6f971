import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { namesOf } from "../../../packaging/product.ts";
import { products } from "../../../packaging/products/products.ts";
import { server } from "../../../packaging/products/server.ts";
import { cluster } from "../../../packaging/products/cluster.ts";
import { kubeUpdater } from "../../../packaging/products/kube-updater.ts";
import { tctl } from "../../../packaging/products/tctl.ts";
import { tsh } from "../../../packaging/products/tsh.ts";
import { updater } from "../../../packaging/products/updater.ts";
import { isInstalled, shellNames, shellsFor } from "./shells.ts";

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "svc-upgrade-completions-"));
  mkdirSync(join(place, "inside of it"));
  writeFileSync(join(place, "inside"), "nop\n");
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

for (const name of shellNames.filter((shell) => !isInstalled(shell))) {
  console.warn(`SKIPPED: the completions of ${name}: it is not installed`);
}

/** What each shell must offer at the end of a line; files by their last name. */
type Cases = readonly { readonly line: string; readonly offers: readonly string[] }[];

const updaterCases: Cases = [
  { line: "svc-upgrade ho", offers: ["hold"] },
  { line: "svc-upgrade un", offers: ["unenroll", "unhold", "unpin"] },
  { line: "svc-upgrade pin 15.4.6 --re", offers: ["--reason"] },
  { line: "svc-upgrade hold 2d --re", offers: ["--reason"] },
  { line: "svc-upgrade --v", offers: ["--version"] },
  { line: "svc-upgrade dry-run --ex", offers: ["--exit-code"] },
  { line: "svc-upgrade hold --json --re", offers: ["--reason"] },
  { line: "svc-upgrade run --log-format ", offers: ["json", "text"] },
  { line: "svc-upgrade run --log-format=j", offers: ["json"] },
  { line: "svc-upgrade run --log-level=", offers: ["debug", "error", "info", "notice", "warning"] },
  { line: "svc-upgrade enroll --agent-user roo", offers: ["root"] },
  { line: "svc-upgrade status --root PLACE/ins", offers: ["inside of it"] },
  { line: "svc-upgrade status --root=PLACE/ins", offers: ["inside of it"] },
  { line: "svc-upgrade schedule PLACE/ins", offers: ["inside", "inside of it"] },
  { line: "svc-upgrade schedule --at", offers: ["--at"] },
  // Nothing of these is a file, or anything that could be known.
  { line: "svc-upgrade status PLACE/ins", offers: [] },
  { line: "svc-upgrade hold --reason PLACE/ins", offers: [] },
  { line: "svc-upgrade dry-run --endpoint ", offers: [] },
  // A command's name is no command where it is a value.
  { line: "svc-upgrade hold --reason run --inst", offers: [] },
  { line: "svc-upgrade nonsense ", offers: [] },
  // The units' own commands are for nobody to type.
  { line: "svc-upgrade pas", offers: [] },
  { line: "svc-upgrade ask", offers: [] },
];

const serverCases: Cases = [
  { line: "svc-proxy ch", offers: ["check"] },
  { line: "svc-proxy con", offers: ["config"] },
  { line: "svc-proxy --v", offers: ["--version"] },
  { line: "svc-proxy config ", offers: ["digest"] },
  { line: "svc-proxy config digest --js", offers: ["--json"] },
  { line: "svc-proxy check --config PLACE/ins", offers: ["inside", "inside of it"] },
  { line: "svc-proxy config digest --config=PLACE/ins", offers: ["inside", "inside of it"] },
  { line: "svc-proxy export PLACE/ins", offers: ["inside of it"] },
  { line: "svc-proxy serve --log-format=j", offers: ["json"] },
  { line: "svc-proxy check PLACE/ins", offers: [] },
  { line: "svc-proxy config digest dig", offers: [] },
  { line: "svc-proxy config nonsense --", offers: [] },
  { line: "svc-proxy digest --", offers: [] },
];

const tctlCases: Cases = [
  { line: "tctl us", offers: ["users"] },
  { line: "tctl users ", offers: ["add", "ls", "reset", "rm", "update"] },
  { line: "tctl users update --set", offers: ["--set-roles"] },
  { line: "tctl create PLACE/ins", offers: ["inside", "inside of it"] },
  { line: "tctl create -f PLACE/ins", offers: ["inside", "inside of it"] },
  // The same option takes other words with another command.
  { line: "tctl get --format ", offers: ["json", "text", "yaml"] },
  { line: "tctl get role --format=y", offers: ["yaml"] },
  { line: "tctl status --format ", offers: ["json", "text"] },
  { line: "tctl users ls --format=", offers: ["json", "text"] },
  { line: "tctl instances ls --kind ", offers: ["auth", "node", "proxy"] },
  { line: "tctl inventory ls --upgrader ", offers: ["kube", "none", "unit"] },
  { line: "tctl audit ls --kind cl", offers: ["cluster", "cluster_maintenance_config"] },
  { line: "tctl audit ls -f json --kind cl", offers: ["cluster", "cluster_maintenance_config"] },
  { line: "tctl get ro", offers: ["role", "rollout"] },
  { line: "tctl edit cl", offers: ["cluster_maintenance_config"] },
  { line: "tctl status -c PLACE/ins", offers: ["inside", "inside of it"] },
  { line: "tctl tokens add --type=p", offers: ["proxy"] },
];

const svcCases: Cases = [
  { line: "svc st", offers: ["start"] },
  { line: "svc check --config PLACE/ins", offers: ["inside", "inside of it"] },
  { line: "svc start --pid-file=PLACE/ins", offers: ["inside", "inside of it"] },
  { line: "svc start --log-format=j", offers: ["json"] },
  // The unit's own command is for nobody to type.
  { line: "svc rel", offers: [] },
  { line: "svc check PLACE/ins", offers: [] },
];

const tshCases: Cases = [
  { line: "tsh ve", offers: ["version"] },
  { line: "tsh version --js", offers: ["--json"] },
  { line: "tsh log", offers: ["login", "logout"] },
  { line: "tsh ss", offers: ["ssh"] },
  { line: "tsh proxy ", offers: ["certify", "ssh"] },
];

const kubeUpdaterCases: Cases = [
  { line: "svc-kube-updater st", offers: ["start", "status"] },
  { line: "svc-kube-updater run --n", offers: ["--now"] },
  { line: "svc-kube-updater check --config PLACE/ins", offers: ["inside", "inside of it"] },
  { line: "svc-kube-updater start --log-format=j", offers: ["json"] },
  // An object is no file.
  { line: "svc-kube-updater retry PLACE/ins", offers: [] },
];

const behindSudo: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  "svc-upgrade": [
    ["ho", "hold"],
    ["hold --un", "--until"],
  ],
  "svc-proxy": [
    ["ch", "check"],
    ["config digest --js", "--json"],
  ],
  tctl: [
    ["st", "status"],
    ["users update --set", "--set-roles"],
  ],
};

const completed = (
  [
    [updater, updaterCases],
    [server, serverCases],
    [cluster, svcCases],
    [tctl, tctlCases],
    [tsh, tshCases],
    [kubeUpdater, kubeUpdaterCases],
  ] as const
).flatMap(([called, cases]) =>
  shellsFor(called).map((shell) => ({ shell, called, cases, title: `${shell.name} for ${called.program}` })),
);

test("every name of every program is completed in some case", () => {
  const names = products.flatMap(namesOf).map(({ program }) => program);
  const seen = new Set(completed.map(({ called }) => called.program));
  expect(names.filter((name) => !seen.has(name))).toEqual([]);
});

describe.each(completed)("the completion of $title", ({ shell, called, cases }) => {
  const offered = (line: string): readonly string[] =>
    shell
      .offers(line.replace("PLACE", place), place)
      .map((offer) => basename(offer.replace(/^--[a-z-]+=/, "").replaceAll("\\ ", " ")))
      .toSorted();

  describe.skipIf(!isInstalled(shell.name))("in the real shell", () => {
    test("is understood by it", () => {
      const file = join(place, `syntax.${shell.name}`);
      writeFileSync(file, shell.script());
      const [program = "", ...rest] = shell.checks;
      expect(spawnSync(program, [...rest, file], { encoding: "utf8" })).toMatchObject({ status: 0, stdout: "", stderr: "" });
    });

    test.each(cases)("offers $offers for $line", ({ line, offers }) => {
      expect(offered(line)).toEqual(offers);
    });

    test("offers every command of the program", () => {
      const names = new Set(called.commands.map(({ name }) => name.replace(/ .*/, "")));
      expect(offered(`${called.program} `).filter((offer) => !offer.startsWith("-"))).toEqual([...names].toSorted());
    });

    test("offers every option of every command, and no other", () => {
      for (const { name, options } of called.commands) {
        const flags = [...options.map(({ flag }) => flag), "--help"];
        expect([name, ...offered(`${called.program} ${name} --`)]).toEqual([name, ...flags.toSorted()]);
      }
    });

    test.skipIf(shell.name === "bash")("works behind sudo", () => {
      for (const [line, offer] of behindSudo[called.program] ?? []) {
        expect(offered(`sudo ${called.program} ${line}`)).toContain(offer);
      }
    });
  });
});

describe.skipIf(!isInstalled("shellcheck"))("the completion of bash", () => {
  test.each(products.flatMap(namesOf))("for $program gives shellcheck nothing to say", (called) => {
    const input =
      shellsFor(called)
        .find(({ name }) => name === "bash")
        ?.script() ?? "";
    expect(spawnSync("shellcheck", ["--shell=bash", "-"], { encoding: "utf8", input })).toMatchObject({ status: 0, stdout: "" });
  });
});
