import { logOptions, textOrJson, type Program, type RowOption } from "../../../machine/command-line/row.ts";
import type { Called } from "./called.ts";
import { defaultConfig, inUnit } from "./unit-command.ts";

const config: RowOption = {
  flags: "--config <file>",
  told: "the platform's configuration",
  usual: defaultConfig,
  anywhere: true,
};

export const svcProxy: Program<Called> = {
  name: "svc-proxy",
  told: "Serves a cluster's ping and version channels.",
  lastOptions: () => logOptions,
  below: `svc-proxy check --config /etc/svc.yaml     to begin
svc-proxy <command> --help                 its options
Exit status: 0 done, 64 usage, 71 the system refused something, 74 files,
77 permission, 78 configuration
`,
  rows: [
    {
      words: ["serve"],
      told: "serve ping and the version channels until it is stopped",
      options: [config],
      examples: ["svc-proxy serve", "svc-proxy serve --config ./svc.yaml --log-format json"],
      call: async ({ options, context }) => (await import("./serve.ts")).serve(options, context),
    },
    {
      words: ["check"],
      told: "what is wrong with the configuration, all of it at once",
      options: [config],
      formats: textOrJson,
      examples: ["svc-proxy check", "svc-proxy check --config ./svc.yaml --json | jq .channels"],
      call: async ({ options, context }) => (await import("./check.ts")).check(options, context),
    },
    {
      words: ["config", "digest"],
      told: "what all instances must have in common, as one word",
      options: [config],
      formats: textOrJson,
      examples: ["svc-proxy config digest"],
      call: async ({ options, context }) => (await import("./digest.ts")).digest(options, context),
    },
    {
      words: ["export"],
      told: "write ping and the static channels as files for a file server",
      arguments: [["<dir>", "the root of the files"]],
      options: [config],
      formats: textOrJson,
      examples: ["svc-proxy export /srv/www"],
      call: async ({ options, context }, { arguments: [directory = ""] }) =>
        (await import("./export.ts")).exportAnswers({ ...options, directory }, context),
    },
    {
      words: ["version"],
      told: "print the version of svc-proxy",
      formats: textOrJson,
      examples: ["svc-proxy version"],
      call: async ({ context }, given) =>
        (await import("../../../machine/command-line/version.ts")).tellVersion("svc-proxy", given, context.surroundings.out),
    },
    {
      words: ["keep-proxies"],
      told: "",
      arguments: [
        ["<from>", ""],
        ["<to>", ""],
      ],
      examples: [],
      hidden: "hidden",
      call: async ({ context }, { arguments: [from = "", to = ""] }) =>
        (await import("./keep-proxies.ts")).keepProxies({ from, to }, context),
    },
    {
      words: [inUnit],
      told: "",
      options: [config],
      formats: textOrJson,
      examples: [],
      hidden: "hidden",
      call: async ({ options, context }) => (await import("./check.ts")).checkInUnit(options, context),
    },
    {
      words: ["reload"],
      told: "",
      arguments: [["<pid>", ""]],
      examples: [],
      hidden: "hidden",
      call: async (_called, { arguments: [processId = ""] }) => (await import("./reload.ts")).reload({ processId }),
    },
  ],
};
