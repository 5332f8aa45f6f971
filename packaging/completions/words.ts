import type { DescribedCommand } from "../commands.ts";

/** A possible first word: a whole command, or the first of the two words of several commands. */
export type FirstWord = { readonly word: string; readonly told: string } & (
  | { readonly command: DescribedCommand; readonly below: readonly [] }
  | { readonly command: undefined; readonly below: readonly SecondWord[] }
);

export type SecondWord = { readonly word: string; readonly command: DescribedCommand };

/** The possible first words, in the order of the commands. */
export function firstWords(commands: readonly DescribedCommand[]): readonly FirstWord[] {
  const byFirst = Map.groupBy(commands, ({ name }) => name.split(" ")[0] ?? name);
  return [...byFirst].map(([word, those]) => {
    const [command] = those;
    if (command?.name === word) return { word, told: command.told, command, below: [] };
    const below = those.map((one) => ({ word: one.name.slice(word.length + 1), command: one }));
    return { word, told: those.map(({ told }) => told).join("; "), command: undefined, below };
  });
}
