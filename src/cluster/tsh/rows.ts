import type { Given, TshContext } from "./context.ts";

export type Row = {
  readonly word: string;
  readonly told: string;
  readonly arguments?: readonly (readonly [name: string, told: string])[];
  readonly options?: readonly { readonly flags: string; readonly told: string; readonly choices?: readonly string[] }[];
  readonly examples: readonly string[];
  /** Each is loaded when it is called: what one needs the others do not pay for. */
  readonly call: (context: TshContext, given: Given) => Promise<number>;
};

const proxyInUse = { flags: "--proxy <host>", told: "the cluster of this proxy; the one in use if not said" };
const passwordFile = (lines: string): { readonly flags: string; readonly told: string } => ({
  flags: "--password-file <file>",
  told: `${lines} are lines of it, for your eyes alone; - for standard input`,
});
const caFile = { flags: "--ca-file <file>", told: "a certificate of your own authority, believed besides the system's" };

/** In the order of the help. */
export const rows: readonly Row[] = [
  {
    word: "login",
    told: "sign in, for 12 hours",
    options: [
      { flags: "--proxy <host>", told: "a proxy of the cluster, HOST or HOST:PORT; as before if not said" },
      { flags: "--user <name>", told: "who you are; as before if not said" },
      caFile,
      passwordFile("password and one-time code"),
    ],
    examples: ["tsh login --proxy=proxy.example.com --user=alice"],
    call: async (context, given) => (await import("./commands/login.ts")).login(context, given),
  },
  {
    word: "status",
    told: "who is signed in, with the roles of now",
    options: [
      proxyInUse,
      { flags: "-f, --format <format>", told: "how the answer is written, text if not said", choices: ["text", "json"] },
    ],
    examples: ["tsh status", "tsh status -f json | jq -r '.active.roles | join(\",\")'"],
    call: async (context, given) => (await import("./commands/status.ts")).status(context, given),
  },
  {
    word: "logout",
    told: "sign out, and leave nothing behind",
    options: [proxyInUse],
    examples: ["tsh logout"],
    call: async (context, given) => (await import("./commands/logout.ts")).logout(context, given),
  },
  {
    word: "invite",
    told: "take an invitation: choose a password, set up codes",
    arguments: [["[link]", "as you were given it; asked for unseen if not said"]],
    options: [caFile, passwordFile("the new password and a code")],
    examples: ["tsh invite"],
    call: async (context, given) => (await import("./commands/invite.ts")).invite(context, given),
  },
  {
    word: "version",
    told: "print the version of tsh",
    options: [{ flags: "--json", told: "answer in JSON" }],
    examples: ["tsh version"],
    call: async (context, given) => (await import("./commands/version.ts")).version(context, given),
  },
];
