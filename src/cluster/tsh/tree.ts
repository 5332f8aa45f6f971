import { textOrJson, type Program, type RowOption } from "../../machine/command-line/row.ts";
import type { TshContext } from "./context.ts";

const proxyInUse: RowOption = {
  flags: "--proxy <host>",
  told: "the cluster of this proxy; the one in use if not said",
  anywhere: true,
};
const passwordFile = (lines: string): RowOption => ({
  flags: "--password-file <file>",
  told: `${lines} are lines of it, for your eyes alone; - for standard input`,
});
const caFile: RowOption = {
  flags: "--ca-file <file>",
  told: "a certificate of your own authority, believed besides the system's",
};

export const tsh: Program<TshContext> = {
  name: "tsh",
  told: "Signs you in to a cluster, for tctl and for its pages.",
  lastOptions: () => [],
  below: `tsh login --proxy=HOST --user=NAME     to begin
tsh <command> --help                   its options
Exit status: 0 done, 64 usage, 65 what was given, 69 not there or not trusted,
74 files, 75 try again, 77 not signed in or not allowed, 78 what lies in ~/.svc
`,
  rows: [
    {
      words: ["login"],
      told: "sign in, for 12 hours",
      options: [
        { flags: "--proxy <host>", told: "a proxy of the cluster, HOST or HOST:PORT; as before if not said", anywhere: true },
        { flags: "--user <name>", told: "who you are; as before if not said" },
        { flags: "--auth <name>", told: "through this connector, NAME or KIND/NAME, in a browser, instead of a password" },
        caFile,
        passwordFile("password and one-time code, or the browser's code,"),
      ],
      examples: ["tsh login --proxy=proxy.example.com --user=alice", "tsh login --proxy=proxy.example.com --auth=okta"],
      call: async (context, given) => (await import("./commands/login.ts")).login(context, given),
    },
    {
      words: ["status"],
      told: "who is signed in, with the roles of now",
      options: [proxyInUse],
      formats: textOrJson,
      examples: ["tsh status", "tsh status -f json | jq -r '.active.roles | join(\",\")'"],
      call: async (context, given) => (await import("./commands/status.ts")).status(context, given),
    },
    {
      words: ["logout"],
      told: "sign out, and leave nothing behind",
      options: [proxyInUse],
      examples: ["tsh logout"],
      call: async (context, given) => (await import("./commands/logout.ts")).logout(context, given),
    },
    {
      words: ["invite"],
      told: "take an invitation: choose a password, set up codes",
      arguments: [["[link]", "as you were given it; asked for unseen if not said"]],
      options: [caFile, passwordFile("the new password and a code")],
      examples: ["tsh invite"],
      call: async (context, given) => (await import("./commands/invite.ts")).invite(context, given),
    },
    {
      words: ["version"],
      told: "print the version of tsh",
      formats: textOrJson,
      examples: ["tsh version"],
      call: async ({ surroundings }, given) =>
        (await import("../../machine/command-line/version.ts")).tellVersion("tsh", given, surroundings.out),
    },
    {
      words: ["ssh"],
      told: "",
      arguments: [["[words...]", ""]],
      examples: [],
      hidden: "hidden",
      unknownOptions: "passed-on",
      call: async () => (await import("./commands/ssh.ts")).ssh(),
    },
  ],
};
