import { logOptions, textOrJson, type Program, type RowOption } from "../../machine/command-line/row.ts";
import { defaultConfig, inUnit } from "../../proxy/server/cli/unit-command.ts";
import type { Called } from "../../proxy/server/cli/called.ts";

const config: RowOption = {
  flags: "-c, --config <file>",
  told: "the configuration of this host's services",
  usual: defaultConfig,
  anywhere: true,
};
const pidFile: RowOption = {
  flags: "--pid-file <file>",
  told: "where the number of the process is kept while it runs",
  anywhere: true,
};

export const svc: Program<Called> = {
  name: "svc",
  told: "Makes this host a part of its cluster, and runs the cluster's services on it: auth and proxy.",
  groups: { ssh: "shells on this host" },
  lastOptions: () => logOptions,
  below: `svc check --config /etc/svc.yaml     to begin
svc <command> --help                 its options
Exit status: 0 done, 64 usage, 65 bad input, 69 the wrong server,
71 the system refused something, 74 files, 75 try again, 77 permission,
78 configuration
`,
  rows: [
    {
      words: ["start"],
      told: "keep this host in its cluster, and run the services that are enabled, until it is stopped",
      options: [config, pidFile],
      examples: ["svc start --config /etc/svc.yaml --pid-file=/run/svc.pid", "svc start --config ./svc.yaml --log-format json"],
      call: async ({ options, context }) => (await import("./cli/start.ts")).start(options, context),
    },
    {
      words: ["check"],
      told: "what is wrong with the configuration, all of it at once",
      options: [config],
      formats: textOrJson,
      examples: ["svc check", "svc check --config ./svc.yaml --json | jq .auth_service"],
      call: async ({ options, context }) => (await import("./cli/check.ts")).check(options, context),
    },
    {
      words: ["join"],
      told: "join a cluster, as `tctl tokens add` on its auth host says",
      options: [
        {
          flags: "--auth-server <host:port>",
          told: "where auth is reached; several with commas between them, tried in order",
          needed: true,
        },
        { flags: "--token <file>", told: "the file with the token, which `tctl tokens add` made", needed: true },
        {
          flags: "--ca-pin <pin>",
          told: "the pin of the cluster's certificate authority, which `tctl status` shows",
          needed: true,
        },
        {
          flags: "--kind <kind>",
          told: "what this host becomes; unless it is said, a proxy where the configuration has one, else a node",
          choices: ["node", "proxy"],
        },
        { flags: "--replace", told: "leave what this host has joined before, and join again with another key" },
        config,
      ],
      formats: textOrJson,
      examples: [
        "svc join --auth-server auth.example.com:3025 --token /root/svc-token --ca-pin sha256:…",
        "svc join --auth-server auth1.example.com,auth2.example.com --token /root/svc-token --ca-pin sha256:… --replace",
      ],
      call: async ({ options, context }, given) => (await import("./cli/join.ts")).join(options, given, context),
    },
    {
      words: ["ssh", "setup"],
      told: "let the cluster's people in at this host's sshd: writes whose certificates it takes, and says what it needs",
      options: [{ flags: "--check", told: "only look whether sshd has it" }, config],
      examples: ["sudo svc ssh setup", "sudo svc ssh setup --check"],
      call: async ({ options, context }, given) => (await import("./cli/ssh.ts")).setUpSsh(options, given, context),
    },
    {
      words: ["version"],
      told: "print the version of svc",
      formats: textOrJson,
      examples: ["svc version"],
      call: async ({ context }, given) =>
        (await import("../../machine/command-line/version.ts")).tellVersion("svc", given, context.surroundings.out),
    },
    {
      words: [inUnit],
      told: "the check, in the unit's place",
      options: [config, pidFile],
      formats: textOrJson,
      examples: [],
      hidden: "hidden",
      call: async ({ options, context }) =>
        (await import("./cli/check.ts")).checkHere(options, { ...context, notLookedAt: undefined }),
    },
    {
      words: ["reload"],
      told: "have the service read its configuration again, and say what came of it",
      options: [config, pidFile],
      examples: ["svc reload --pid-file=/run/svc.pid"],
      hidden: "hidden",
      call: async ({ options, context }) => (await import("./cli/reload.ts")).reload(options, context),
    },
  ],
};
