import { logLevels } from "../logging/log.ts";

/** A program as its help, completions and manual page tell it. `Context` is what its commands work with. */
export type Program<Context> = {
  readonly name: string;
  readonly told: string;
  /** The commands, in the order of the help. */
  readonly rows: readonly Row<Context>[];
  /** The subject of each group of two-word commands, by the group's first word. */
  readonly groups?: Readonly<Record<string, string>>;
  /** The last options in every command's help. */
  readonly lastOptions: (row: Pick<Row<Context>, "options" | "hidden">) => readonly RowOption[];
  /** The end of the help: how to begin, and the exit statuses. */
  readonly below: string;
};

/** One command. */
export type Row<Context> = {
  readonly words: readonly [string] | readonly [string, string];
  readonly told: string;
  /** `<name>` is required, `[name]` is optional, `[name...]` takes several. */
  readonly arguments?: readonly (readonly [name: string, told: string])[];
  readonly options?: readonly RowOption[];
  /** The formats of its answer, the default first. */
  readonly formats?: readonly string[];
  readonly examples: readonly string[];
  /** Only units call this command; the help leaves it out. */
  readonly hidden?: "hidden";
  /** The command that this one undoes: the help lists the two together. */
  readonly undoes?: string;
  /** Takes unknown options as arguments. */
  readonly unknownOptions?: "passed-on";
  /** Loads its own modules, so that other commands do not pay for them. */
  readonly call: (context: Context, given: Given) => Promise<number>;
};

export type RowOption = {
  /** `--force`, `-c, --config <file>`. */
  readonly flags: string;
  readonly told: string;
  readonly choices?: readonly string[];
  /** The default, as the help shows it. */
  readonly usual?: string;
  readonly needed?: true;
  /** May also stand before the command. */
  readonly anywhere?: true;
};

/** What was typed behind a command. */
export type Given = {
  readonly arguments: readonly string[];
  /** Keyed by the option's name in camel case. */
  readonly text: (option: string) => string | undefined;
  readonly isSet: (option: string) => boolean;
  /** One of the row's formats. */
  readonly format: string;
};

export const textOrJson: readonly string[] = ["text", "json"];

export const logOptions: readonly RowOption[] = [
  { flags: "--log-format <format>", told: "how the log on stderr is written", choices: ["text", "json"], anywhere: true },
  { flags: "--log-level <level>", told: "the least of what is logged", choices: logLevels, anywhere: true },
];

/** All options of a command, in the order of its help. */
export function optionsOf<Context>({ lastOptions }: Program<Context>, row: Row<Context>): readonly RowOption[] {
  return [...(row.options ?? []), ...formatOptions(row), ...lastOptions(row)];
}

function formatOptions<Context>(row: Row<Context>): readonly RowOption[] {
  const { formats } = row;
  if (formats === undefined) return [];
  const told = `how the answer is written, ${formats[0]} if not said`;
  const flags = hasOtherShortF(row) ? "--format <format>" : "-f, --format <format>";
  return [
    { flags: "--json", told: "answer in JSON", anywhere: true },
    { flags, told, choices: formats, anywhere: true },
  ];
}

/** Whether -f has another meaning than the format. */
export function hasOtherShortF({ options = [] }: Pick<Row<never>, "options">): boolean {
  return options.some(({ flags }) => flags.startsWith("-f,"));
}

/** Splits `-c, --config <file>`. */
export function partsOf({ flags }: RowOption): {
  readonly short: string | undefined;
  readonly long: string;
  readonly value: string | undefined;
} {
  const [, short, long, value] = /^(?:(-\w), )?(--[\w-]+)(?: <(.+)>)?$/.exec(flags) ?? [];
  if (long === undefined) throw new Error(`${flags} has no long name`);
  return { short, long, value };
}

/** Turns `[time...]` into `time`. */
export function argumentName(typed: string): string {
  return typed.slice(1, -1).replace(/\.\.\.$/, "");
}
