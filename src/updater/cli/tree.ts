import { logOptions, textOrJson, type Program, type RowOption } from "../../machine/command-line/row.ts";
import type { Called } from "./context.ts";

/** For commands that can ask another channel than the configured one. */
const channel = channelOptions(", instead of the configured one");
const enrolledChannel = channelOptions("");
const root: RowOption = { flags: "--root <dir>", told: "work on another root instead of this machine", anywhere: true };

function channelOptions(instead: string): readonly RowOption[] {
  return [
    { flags: "--endpoint <url>", told: `the version server${instead}`, anywhere: true },
    { flags: "--channel <name>", told: `the channel${instead}`, anywhere: true },
  ];
}

export const svcUpgrade: Program<Called> = {
  name: "svc-upgrade",
  told: "Keeps this host's agent on the version that its cluster serves.",
  // The hidden commands, which the units run, always work on this machine.
  lastOptions: ({ hidden }) => (hidden === undefined ? [root, ...logOptions] : logOptions),
  // Together with the commands, this fills one screen of 24 lines and 80 columns.
  below: `sudo svc-upgrade enroll --endpoint https://proxy.example.com     to begin
svc-upgrade <command> --help     its options; all the rest: man svc-upgrade
Exit status: 0 done or nothing to do, 10 undone, 11 failed, 64 usage,
65 bad answer, 69 needs a hand, 75 tried again, 77 permission, 78 settings
`,
  rows: [
    {
      words: ["status"],
      told: "why nothing happened, and when something can",
      formats: textOrJson,
      examples: ["svc-upgrade status", "svc-upgrade status --json | jq .next"],
      call: async ({ options, context }) => (await import("./commands/status.ts")).status(options, context),
    },
    {
      words: ["history"],
      told: "what was upgraded or tried on this host, and how it ended",
      formats: textOrJson,
      examples: ["svc-upgrade history", "svc-upgrade history --json | jq '.moves[0]'"],
      call: async ({ options, context }) => (await import("./commands/history.ts")).history(options, context),
    },
    {
      words: ["doctor"],
      told: "prove each hop and prerequisite; a fix for whatever fails",
      options: channel,
      formats: textOrJson,
      examples: ["sudo svc-upgrade doctor", "svc-upgrade doctor --endpoint https://proxy.example.com"],
      call: async ({ options, context }) => (await import("./commands/doctor.ts")).doctor(options, context),
    },
    {
      words: ["dry-run"],
      told: "what a pass would do now, and why; changes nothing",
      options: [
        { flags: "--exit-code", told: "end with 100 when an upgrade is available" },
        { flags: "--at <time>", told: "what a pass would do then, by what is known now" },
        ...channel,
      ],
      formats: textOrJson,
      examples: ["svc-upgrade dry-run", "svc-upgrade dry-run --at 03:30", "svc-upgrade dry-run --at +2h --json"],
      call: async ({ options, context }, given) =>
        (await import("./commands/dry-run.ts")).dryRun(
          { ...options, exitCode: given.isSet("exitCode"), at: given.text("at") },
          context,
        ),
    },
    {
      words: ["run"],
      told: "run one pass and follow it (--now: whatever the window says)",
      options: [
        { flags: "--now", told: "do not wait for the window, a blackout or the end of a wait" },
        { flags: "--install", told: "install the agent where it is not installed" },
        ...channel,
      ],
      formats: textOrJson,
      examples: ["sudo svc-upgrade run", "sudo svc-upgrade run --now"],
      call: async ({ options, context }, given) => (await import("./commands/run.ts")).run(options, given, context),
    },
    {
      words: ["hold"],
      told: "let nothing move for a while, or until unhold",
      arguments: [["[time...]", "when it ends: a duration, a day, a date or a time; unless given, with unhold"]],
      options: [
        { flags: "--until <time>", told: "the same, as a flag" },
        { flags: "--reason <text>", told: "the reason, shown in the status" },
      ],
      formats: textOrJson,
      examples: ["sudo svc-upgrade hold 2d", 'sudo svc-upgrade hold monday 08:00 --reason "year-end freeze"'],
      call: async ({ options, context }, given) => (await import("./commands/hold.ts")).hold(options, given, context),
    },
    {
      words: ["unhold"],
      undoes: "hold",
      told: "end a hold",
      formats: textOrJson,
      examples: ["sudo svc-upgrade unhold"],
      call: async ({ options, context }) => (await import("./commands/hold.ts")).unhold(options, context),
    },
    {
      words: ["pin"],
      told: "move to this version and stay there, until unpin",
      arguments: [["<version>", "the version, whatever the channel serves"]],
      options: [{ flags: "--reason <text>", told: "the reason, shown in the status" }],
      formats: textOrJson,
      examples: ["sudo svc-upgrade pin 15.4.6", 'sudo svc-upgrade pin 15.4.6 --reason "until the audit"'],
      call: async ({ options, context }, given) => (await import("./commands/pin.ts")).pin(options, given, context),
    },
    {
      words: ["unpin"],
      undoes: "pin",
      told: "end a pin: follow the channel again",
      formats: textOrJson,
      examples: ["sudo svc-upgrade unpin"],
      call: async ({ options, context }) => (await import("./commands/pin.ts")).unpin(options, context),
    },
    {
      words: ["retry"],
      told: "forget what failed here, so that the next pass tries again",
      arguments: [["[version]", "only this rejected version; unless given, all that failed"]],
      formats: textOrJson,
      examples: ["sudo svc-upgrade retry", "sudo svc-upgrade retry 15.4.6"],
      call: async ({ options, context }, given) => (await import("./commands/retry.ts")).retry(options, given, context),
    },
    {
      words: ["rollback"],
      told: "go back to the version before, and reject the one left",
      formats: textOrJson,
      examples: ["sudo svc-upgrade rollback", "sudo svc-upgrade hold && sudo svc-upgrade rollback"],
      call: async ({ options, context }) => (await import("./commands/run.ts")).rollback(options, context),
    },
    {
      words: ["schedule"],
      told: "the maintenance windows, and which line is wrong",
      arguments: [["[file]", "the schedule file; unless given, the one in force"]],
      options: [{ flags: "--at <time>", told: "as of then instead of now" }],
      formats: textOrJson,
      examples: ["svc-upgrade schedule", "svc-upgrade schedule ./schedule --at tomorrow"],
      call: async ({ options, context }, given) => (await import("./commands/schedule.ts")).schedule(options, given, context),
    },
    {
      words: ["route"],
      told: "which proxy leads to a URL, or none, and by which rule",
      arguments: [["[url]", "where to; unless given, the channel's version"]],
      options: channel,
      formats: textOrJson,
      examples: ["svc-upgrade route", "svc-upgrade route https://repository.example.com/"],
      call: async ({ options, context }, given) => (await import("./commands/route.ts")).route(options, given, context),
    },
    {
      words: ["config"],
      told: "every setting in force, and where it comes from",
      options: channel,
      formats: textOrJson,
      examples: ["svc-upgrade config", "svc-upgrade config --json"],
      call: async ({ options, context }) => (await import("./commands/show-config.ts")).config(options, context),
    },
    {
      words: ["notify"],
      told: "send a test to notify.command, and show what became of it",
      formats: textOrJson,
      examples: ["sudo svc-upgrade notify"],
      call: async ({ options, context }) => (await import("./commands/notify.ts")).notify(options, context),
    },
    {
      words: ["enroll"],
      told: "put this host on a cluster's channel and start the timer",
      options: [
        { flags: "--package <name>", told: "the agent's package, where it is not svc-ent" },
        { flags: "--unit <name>", told: "the service that runs that package's agent" },
        { flags: "--agent-user <name>", told: "who writes the schedule, where the agent does not run as root" },
        ...enrolledChannel,
      ],
      formats: textOrJson,
      examples: [
        "sudo svc-upgrade enroll --endpoint https://proxy.example.com",
        "sudo svc-upgrade enroll --endpoint https://proxy.example.com --agent-user svc",
      ],
      call: async ({ options, context }, given) =>
        (await import("./commands/enroll.ts")).enroll(
          { ...options, package: given.text("package"), unit: given.text("unit"), agentUser: given.text("agentUser") },
          context,
        ),
    },
    {
      words: ["unenroll"],
      undoes: "enroll",
      told: "take back what enroll did",
      formats: textOrJson,
      examples: ["sudo svc-upgrade unenroll"],
      call: async ({ options, context }) => (await import("./commands/enroll.ts")).unenroll(options, context),
    },
    {
      words: ["version"],
      told: "print the version of svc-upgrade",
      formats: textOrJson,
      examples: ["svc-upgrade version"],
      call: async ({ context }, given) =>
        (await import("../../machine/command-line/version.ts")).tellVersion("svc-upgrade", given, context.surroundings.out),
    },
    {
      words: ["pass"],
      told: "",
      examples: [],
      hidden: "hidden",
      call: async ({ context }) => (await import("./commands/pass.ts")).pass(context),
    },
    {
      words: ["ask"],
      told: "",
      examples: [],
      hidden: "hidden",
      call: async ({ context }) => (await import("./commands/ask.ts")).ask(context),
    },
    {
      words: ["act"],
      told: "",
      examples: [],
      hidden: "hidden",
      call: async ({ context }) => (await import("./commands/act.ts")).act(context),
    },
  ],
};
