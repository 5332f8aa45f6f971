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
  told: "Signs you in to a cluster, for tctl, and opens shells on its hosts.",
  groups: { proxy: "connections through the proxy" },
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
      told: "open a shell on a host, with this computer's ssh",
      arguments: [
        ["<host>", "LOGIN@HOST: a Server ID or a name in tctl inventory ls"],
        ["[words...]", "a command for the host, and behind -- options of ssh"],
      ],
      options: [proxyInUse],
      examples: ["tsh ssh root@web1", "tsh ssh root@web1 -- -L 8080:localhost:80", "tsh ssh admin@web1 systemctl status svc"],
      unknownOptions: "passed-on",
      call: async (context, given) => (await import("./commands/ssh.ts")).ssh(context, given),
    },
    {
      words: ["proxy", "ssh"],
      told: "carry ssh's connection to a host, as its ProxyCommand",
      arguments: [["<host>", "LOGIN@HOST, as tsh ssh takes it"]],
      options: [proxyInUse],
      examples: ["ssh -o ProxyCommand='tsh proxy ssh %r@%h' root@web1"],
      call: async (context, given) => (await import("./commands/proxy-ssh.ts")).proxySsh(context, given),
    },
    {
      words: ["proxy", "certify"],
      told: "get a certificate for a host, as the lines of tsh config do",
      arguments: [["<host>", "LOGIN@HOST, as tsh ssh takes it"]],
      options: [proxyInUse],
      examples: ["tsh proxy certify root@web1"],
      call: async (context, given) => (await import("./commands/ssh-config.ts")).certify(context, given),
    },
    {
      words: ["config"],
      told: "print lines for ~/.ssh/config, for ssh, scp, rsync and Ansible",
      options: [proxyInUse],
      examples: ["tsh config >> ~/.ssh/config"],
      call: async (context, given) => (await import("./commands/ssh-config.ts")).sshConfig(context, given),
    },
  ],
};
