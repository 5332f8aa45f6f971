import { auditKinds } from "../access/permission.ts";
import type { Given, TctlContext } from "./context.ts";

export type RowOption = {
  readonly flags: string;
  readonly told: string;
  readonly choices?: readonly string[];
  readonly needed?: true;
};

export type Row = {
  readonly words: readonly [string] | readonly [string, string];
  readonly told: string;
  readonly arguments?: readonly (readonly [name: string, told: string])[];
  readonly options?: readonly RowOption[];
  /** Of its answer, the usual one first. */
  readonly formats?: readonly string[];
  readonly examples: readonly string[];
  /** Where it makes a link, which names a proxy. */
  readonly proxyIsFor?: "a link too";
  readonly proxyTold?: string;
  /** Each is loaded when it is called: what one needs the others do not pay for. */
  readonly call: (context: TctlContext, given: Given) => Promise<number>;
};

const textOrJson = ["text", "json"];
/** Of what makes a link. */
const linked = {
  proxyIsFor: "a link too",
  proxyTold: "the session at this proxy; for root, what stands in the link",
} as const;
const ttl = { flags: "--ttl <duration>", told: "how long the link is good, for example 2h; 24h if not said" } as const;
const resource = ["<kind/name>", "for example role/maintenance-manager"] as const;

/** In the order of the help. */
export const rows: readonly Row[] = [
  {
    words: ["status"],
    told: "the cluster, its version and the pin of its CA",
    formats: textOrJson,
    examples: ["tctl status", "tctl status --format json | jq -r '.ca_pins | join(\",\")'"],
    call: async (context) => (await import("./commands/status.ts")).status(context),
  },
  {
    words: ["create"],
    told: "make resources from a file",
    arguments: [["<file>", "YAML or JSON, several documents if need be; - for standard input"]],
    options: [{ flags: "-f, --force", told: "overwrite what is there" }],
    formats: textOrJson,
    examples: ["tctl create role.yaml", "tctl create -f cluster-maintenance-config.yaml"],
    call: async (context, given) => (await import("./commands/create.ts")).create(context, given),
  },
  {
    words: ["get"],
    told: "show resources, as create -f takes them",
    arguments: [["<kind[/name]>", "one resource, all of a kind, kinds with commas between, or all"]],
    options: [{ flags: "--with-secrets", told: "the secrets in it too; audited" }],
    formats: ["yaml", "json", "text"],
    examples: ["tctl get role/maintenance-manager", "tctl get role,user --format text", "tctl get all"],
    call: async (context, given) => (await import("./commands/get.ts")).get(context, given),
  },
  {
    words: ["edit"],
    told: "change a resource in your editor",
    arguments: [resource],
    examples: ["tctl edit cluster_maintenance_config", "VISUAL=nano tctl edit role/maintenance-manager"],
    call: async (context, given) => (await import("./commands/edit.ts")).edit(context, given),
  },
  {
    words: ["rm"],
    told: "take a resource away",
    arguments: [resource],
    formats: textOrJson,
    examples: ["tctl rm role/maintenance-manager"],
    call: async (context, given) => (await import("./commands/rm.ts")).rm(context, given),
  },
  {
    words: ["users", "add"],
    told: "make a user, and a link to invite them",
    arguments: [["<user>", "their name"]],
    options: [{ flags: "--roles <roles>", told: "with commas between", needed: true }, ttl],
    ...linked,
    formats: textOrJson,
    examples: ["tctl users add alice --roles=editor,maintenance-manager"],
    call: async (context, given) => (await import("./commands/users.ts")).addUser(context, given),
  },
  {
    words: ["users", "ls"],
    told: "who there is, with their roles",
    formats: textOrJson,
    examples: ["tctl users ls"],
    call: async (context) => (await import("./commands/users.ts")).listUsers(context),
  },
  {
    words: ["users", "update"],
    told: "replace a user's roles",
    arguments: [["<user>", "their name"]],
    options: [{ flags: "--set-roles <roles>", told: "all of them, with commas between", needed: true }],
    formats: textOrJson,
    examples: ["tctl users update alice --set-roles=editor,maintenance-manager"],
    call: async (context, given) => (await import("./commands/users.ts")).updateUser(context, given),
  },
  {
    words: ["users", "reset"],
    told: "void a lost password, and make a link for another",
    arguments: [["<user>", "their name"]],
    options: [ttl],
    ...linked,
    formats: textOrJson,
    examples: ["tctl users reset alice"],
    call: async (context, given) => (await import("./commands/users.ts")).resetUser(context, given),
  },
  {
    words: ["users", "rm"],
    told: "take a user away",
    arguments: [["<user>", "their name"]],
    formats: textOrJson,
    examples: ["tctl users rm alice"],
    call: async (context, given) => (await import("./commands/users.ts")).removeUser(context, given),
  },
  {
    words: ["sessions", "ls"],
    told: "who is signed in, since when and from where",
    options: [{ flags: "--user <user>", told: "only theirs" }],
    formats: textOrJson,
    examples: ["tctl sessions ls", "tctl sessions ls --user=alice"],
    call: async (context, given) => (await import("./commands/sessions.ts")).listSessions(context, given),
  },
  {
    words: ["sessions", "rm"],
    told: "end a session, or all of a user's",
    arguments: [["[name]", "as tctl sessions ls shows it"]],
    options: [{ flags: "--user <user>", told: "all of theirs" }],
    formats: textOrJson,
    examples: ["tctl sessions rm 4f2a1c9be07d5531", "tctl sessions rm --user=alice"],
    call: async (context, given) => (await import("./commands/sessions.ts")).removeSessions(context, given),
  },
  {
    words: ["tokens", "add"],
    told: "let a host or a proxy join",
    options: [
      { flags: "--type <type>", told: "what may join by it", choices: ["node", "proxy", "auth"], needed: true },
      { flags: "--ttl <duration>", told: "how long it is good for, for example 30m; 1h if not said" },
      { flags: "--uses <count>", told: "how many may join by it; any number if not said" },
      { flags: "--labels <labels>", told: "given to each that joins, for example env=canary,site=b" },
      { flags: "--ephemeral", told: "each that joins is forgotten soon after it falls silent" },
      { flags: "--out <file>", told: "write the token there (0600) and show it nowhere" },
    ],
    formats: textOrJson,
    examples: ["tctl tokens add --type=proxy --ttl=1h", "tctl tokens add --type=node --uses=20 --out=/root/join-token"],
    call: async (context, given) => (await import("./commands/tokens.ts")).addToken(context, given),
  },
  {
    words: ["tokens", "ls"],
    told: "which tokens are good",
    formats: textOrJson,
    examples: ["tctl tokens ls"],
    call: async (context) => (await import("./commands/tokens.ts")).listTokens(context),
  },
  {
    words: ["tokens", "rm"],
    told: "make a token void",
    arguments: [["<token>", "its name in tctl tokens ls, not the token itself"]],
    formats: textOrJson,
    examples: ["tctl tokens rm 4f2a1c9be07d5531"],
    call: async (context, given) => (await import("./commands/tokens.ts")).removeToken(context, given),
  },
  {
    words: ["inventory", "ls"],
    told: "what every instance reports",
    options: [
      {
        flags: "--upgrader <upgrader>",
        told: "only these; none: not enrolled in automatic updates",
        choices: ["none", "unit", "kube"],
      },
      { flags: "--wide", told: "what their updaters do and their operating system, too" },
    ],
    formats: textOrJson,
    examples: ["tctl inventory ls", "tctl inventory ls --upgrader=none", "tctl inventory ls --wide"],
    call: async (context, given) => (await import("./commands/inventory.ts")).listInventory(context, given),
  },
  {
    words: ["inventory", "show"],
    told: "what one host reports, did and waits for",
    arguments: [["<host>", "its name or its id in tctl inventory ls"]],
    formats: textOrJson,
    examples: ["tctl inventory show web1", "tctl inventory show 0b9d7c1e-5f0a-4a7b-9a51-3f0e6a1c2d44"],
    call: async (context, given) => (await import("./commands/inventory.ts")).showHost(context, given),
  },
  {
    words: ["instances", "ls"],
    told: "who has joined",
    options: [
      { flags: "--kind <kind>", told: "only these", choices: ["node", "proxy", "auth"] },
      { flags: "--removed", told: "those that were removed too" },
    ],
    formats: textOrJson,
    examples: ["tctl instances ls", "tctl instances ls --kind=proxy"],
    call: async (context, given) => (await import("./commands/instances.ts")).listInstances(context, given),
  },
  {
    words: ["instances", "rm"],
    told: "refuse an instance from now on",
    arguments: [["<id>", "as tctl instances ls shows it"]],
    formats: textOrJson,
    examples: ["tctl instances rm 0b9d7c1e-5f0a-4a7b-9a51-3f0e6a1c2d44"],
    call: async (context, given) => (await import("./commands/instances.ts")).removeInstance(context, given),
  },
  {
    words: ["ca", "rotate"],
    told: "replace the certificate authority, one step each time",
    options: [{ flags: "--force", told: "take the older away, whoever has not seen the newer" }],
    formats: textOrJson,
    examples: ["tctl ca rotate", "tctl ca rotate --format json | jq -r '.unseen_by[].hostname'"],
    call: async (context, given) => (await import("./commands/ca.ts")).rotateAuthority(context, given),
  },
  {
    words: ["audit", "ls"],
    told: "who changed what, the newest last",
    options: [
      { flags: "--since <time>", told: "2h, 3d, or a time as 2026-12-01T08:00:00Z" },
      { flags: "--event <event>", told: "only these, for example role.updated" },
      { flags: "--actor <actor>", told: "only what they did" },
      { flags: "--kind <kind>", told: "only what happened to these", choices: auditKinds },
      { flags: "--name <name>", told: "only what happened to it" },
      { flags: "--limit <count>", told: "how many of the newest; 100 if not said" },
    ],
    formats: textOrJson,
    examples: ["tctl audit ls --since=2h", "tctl audit ls --kind=role --format json | jq '.events[].actor'"],
    call: async (context, given) => (await import("./commands/audit.ts")).listEvents(context, given),
  },
  {
    words: ["backup"],
    told: "write everything that the cluster is into a file",
    arguments: [["<file>", "made anew, for root alone: the CA's key is in it"]],
    options: [{ flags: "-f, --force", told: "replace the file if it is there" }],
    formats: textOrJson,
    examples: ["tctl backup /root/cluster-backup"],
    call: async (context, given) => (await import("./commands/take-backup.ts")).takeBackup(context, given),
  },
  {
    words: ["restore"],
    told: "put a backup back, while svc is stopped",
    arguments: [["<file>", "as tctl backup made it"]],
    formats: textOrJson,
    examples: ["systemctl stop svc && tctl restore /root/cluster-backup && systemctl start svc"],
    call: async (context, given) => (await import("./commands/put-back.ts")).putBack(context, given),
  },
  {
    words: ["version"],
    told: "print the version of tctl",
    formats: textOrJson,
    examples: ["tctl version"],
    call: async (context) => (await import("./commands/version.ts")).version(context),
  },
];
