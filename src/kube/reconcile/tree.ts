import { logOptions, textOrJson, type Program, type RowOption } from "../../machine/command-line/row.ts";
import type { Called } from "./commands.ts";

const objectOf = ["[object]", "as kubectl names it, or its name alone; needed where the updater follows several"] as const;
const objectsOf = ["[object]", "this one alone: as kubectl names it, or its name alone"] as const;

export const defaultConfig = "/etc/svc-kube-updater/settings.yaml";
const config: RowOption = { flags: "-c, --config <file>", told: "the settings, YAML", usual: defaultConfig, anywhere: true };

export const svcKubeUpdater: Program<Called> = {
  name: "svc-kube-updater",
  told: "Keeps an agent in Kubernetes on the version that its channel serves, and says why it stays.",
  lastOptions: () => logOptions,
  below: `In a cluster: kubectl exec deployment/RELEASE-updater -- svc-kube-updater status
svc-kube-updater <command> --help    its options
Exit status: 0 done, 64 usage, 65 bad input, 69 not there, 71 the system
refused something, 74 files, 75 try again, 77 permission, 78 settings
`,
  rows: [
    {
      words: ["status"],
      told: "why nothing happened, and when something can",
      arguments: [objectsOf],
      options: [config],
      formats: textOrJson,
      examples: [
        "kubectl exec deployment/agent-updater -- svc-kube-updater status",
        "svc-kube-updater status --json | jq .objects[].decision",
      ],
      call: async (called, given) => (await import("./commands.ts")).status(called, given),
    },
    {
      words: ["dry-run"],
      told: "what the updater would do now, and why; changes nothing",
      arguments: [objectsOf],
      options: [{ flags: "--exit-code", told: "end with 100 when an upgrade is available" }, config],
      formats: textOrJson,
      examples: ["svc-kube-updater dry-run", "svc-kube-updater dry-run --exit-code --json"],
      call: async (called, given) => (await import("./commands.ts")).dryRun(called, given),
    },
    {
      words: ["run"],
      told: "have the updater decide now, whatever the window says (--now)",
      arguments: [objectOf],
      options: [{ flags: "--now", told: "do not wait for the window, a blackout or the end of a wait" }, config],
      formats: textOrJson,
      examples: ["svc-kube-updater run --now"],
      call: async (called, given) => (await import("./commands.ts")).run(called, given),
    },
    {
      words: ["retry"],
      told: "forget what failed here, so that the updater tries again",
      arguments: [objectOf, ["[version]", "only this rejected version; unless given, all that failed"]],
      options: [config],
      formats: textOrJson,
      examples: ["svc-kube-updater retry", "svc-kube-updater retry 15.4.6", "svc-kube-updater retry statefulset/agent 15.4.6"],
      call: async (called, given) => (await import("./commands.ts")).retry(called, given),
    },
    {
      words: ["rollback"],
      told: "go back to the version before, and reject the one left",
      arguments: [objectOf],
      options: [config],
      formats: textOrJson,
      examples: ["svc-kube-updater rollback"],
      call: async (called, given) => (await import("./commands.ts")).rollback(called, given),
    },
    {
      words: ["start"],
      told: "move the object to the version that its channel serves, when it may, or say why it stays; until it is stopped",
      options: [config],
      examples: ["svc-kube-updater start --config ./settings.yaml"],
      call: async (called, given) => (await import("./commands.ts")).start(called, given),
    },
    {
      words: ["check"],
      told: "what is wrong with the settings, all of it at once",
      options: [config],
      examples: ["svc-kube-updater check --config ./settings.yaml"],
      call: async (called) => (await import("./commands.ts")).check(called),
    },
    {
      words: ["version"],
      told: "print the version of svc-kube-updater",
      examples: ["svc-kube-updater version"],
      call: async ({ out }, given) =>
        (await import("../../machine/command-line/version.ts")).tellVersion("svc-kube-updater", given, out),
    },
  ],
};
