import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { linesOf, type InputLines } from "./input-lines.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { shellWord } from "../../rules/text/shell-word.ts";
import type { TshSurroundings } from "./surroundings.ts";

/** Reads passwords and codes. Never from arguments or the environment, which other users and the shell's history show. */
export type Secrets = {
  readonly kind: "typed" | "read";
  readonly next: (prompt: string) => Promise<string>;
  /** Tells something to the person at the terminal. */
  readonly tell: (text: string) => Promise<void>;
  /** Restores the terminal, so that Ctrl-C works while the cluster is asked. */
  readonly rest: () => void;
  readonly close: () => void;
};

const mostBytes = 64 * 1024;

/** Gets secrets from the terminal, or from the lines of a file or of standard input. */
export async function secretsFrom(
  surroundings: TshSurroundings,
  file: string | undefined,
  wanted: Wanted = passwordAndCode,
): Promise<Secrets> {
  if (file === undefined) return await typed(surroundings, wanted);
  if (file !== "-") return readFrom(linesIn(file), `the file ${quote(file, 200)}`);
  return readFrom(await surroundings.standardInput(), "standard input");
}

/** What the secret is, and how to give it without a terminal. */
export type Wanted = { readonly what: string; readonly lines: string };
const passwordAndCode: Wanted = {
  what: "a password",
  lines: "give it as the first line of standard input, and the one-time code as the second",
};
export const browsersCode: Wanted = {
  what: "the browser's code",
  lines: "give it as a line of standard input once the browser shows it",
};

async function typed({ terminal }: TshSurroundings, { what, lines }: Wanted): Promise<Secrets> {
  let open = await terminal();
  if (open === undefined) {
    throw new Fault("password-unusable", {
      message: `there is no terminal to type ${what} on`,
      hint: `${lines}: \`--password-file -\``,
    });
  }
  const rest = (): void => {
    open?.close();
    open = undefined;
  };
  rest();
  return {
    kind: "typed",
    next: async (prompt) => {
      open ??= await terminal();
      const answer = await open?.askHidden(prompt);
      if (answer?.kind === "line") return answer.text;
      throw new Fault("stopped", {
        message: "it was stopped; nothing has been changed",
        hint: "type it again when you are ready",
      });
    },
    tell: async (text) => {
      open ??= await terminal();
      open?.write(text);
    },
    rest,
    close: rest,
  };
}

function readFrom(lines: InputLines, whence: string): Secrets {
  return {
    kind: "read",
    next: async (prompt) => {
      const line = await lines.next();
      if (line !== undefined) return line;
      throw new Fault("password-unusable", {
        message: `${whence} ends before the ${prompt.replace(/[:\s]+$/, "").replace(/^\w/, (letter) => letter.toLowerCase())}`,
        hint: "the password on the first line, the one-time code on the second; an empty second line where the cluster asks for none",
      });
    },
    tell: () => Promise.resolve(),
    rest: () => undefined,
    close: lines.close,
  };
}

function linesIn(path: string): InputLines {
  const reading = readFileCapped(path, { capBytes: mostBytes, links: "follow" });
  if (reading.kind !== "read") {
    const why =
      reading.kind === "missing"
        ? "does not exist"
        : reading.kind === "denied"
          ? "may not be read by you"
          : `cannot be used: ${reading.why}`;
    throw unusable(path, why, `\`ls -l ${shellWord(path)}\`; for what another program writes: \`--password-file -\``);
  }
  if ((reading.mode & 0o077) !== 0)
    throw unusable(
      path,
      "is open to other users",
      `type \`chmod 600 ${shellWord(path)}\`; if somebody may have read it, change the password`,
    );
  return linesOf(onePiece(Buffer.from(reading.text)));
}

// oxlint-disable-next-line typescript/require-await -- read the same way as what comes in pieces
async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function unusable(path: string, why: string, hint: string): Fault {
  return new Fault("password-unusable", { message: `${quote(path, 200)} ${why}`, hint });
}
