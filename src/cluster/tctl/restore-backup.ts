import { lstatSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { shellWord } from "../../rules/text/shell-word.ts";
import type { RunCommand } from "../../machine/processes/command.ts";
import { errnoOf, errnoWords } from "../../machine/files/errno.ts";
import { changeLine, changesSince, type ChangesSince } from "./journal-changes.ts";
import { restoreStore, type EventsSince, type Restored } from "../storage/restore.ts";
import { storePath } from "../storage/store-path.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { StorageConfiguration } from "../services/storage-section.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

export type RestoreOptions = {
  readonly file: string;
  /** Auth's data directory. */
  readonly dataDirectory: string;
  readonly clusterName?: string | undefined;
  /** Undefined if the store is a file. */
  readonly storage?: StorageConfiguration | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly release: string;
  readonly now: UnixSeconds;
  /** Who restores: `root@HOST`. */
  readonly by: string;
  readonly run: RunCommand;
};

export type RestoreMade = Omit<Restored, "since"> & { readonly file: string; readonly since: ChangesSince };

/** Runs as root on the auth host, while auth is stopped. */
export async function restoreBackup({ file, dataDirectory, run, ...restoring }: RestoreOptions): Promise<RestoreMade> {
  // A restore that is refused reads nothing, and would leave the file open.
  await using opened = await openFile(file);
  const source = readingAll(opened.createReadStream(), file);
  const restored = await restoreStore({ ...restoring, path: storePath(dataDirectory), source, name: file });
  const since = restored.since === undefined ? await changesSince(restored.header.at, run) : inAudit(restored.since);
  return { ...restored, file, since };
}

function inAudit({ events, more }: EventsSince): ChangesSince {
  return { kind: "known", by: "audit", lines: events.map((event) => changeLine(`${printInstant(event.at)} `, event)), more };
}

async function openFile(file: string): Promise<FileHandle> {
  // Opening a named pipe would wait for a writer, and no signal ends that. For `<(…)` a shell makes a link, whose pipe has a writer.
  if (lstatSync(file, { throwIfNoEntry: false })?.isFIFO() === true) throw cannotBeRead(file, "it is a named pipe");
  return open(file).catch((thrown: unknown) => unreadable(file, thrown));
}

async function* readingAll(stream: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (thrown) {
    unreadable(file, thrown);
  }
}

function unreadable(file: string, cause: unknown): never {
  throw errnoOf(cause) === undefined ? cause : cannotBeRead(file, errnoWords(cause), cause);
}

function cannotBeRead(file: string, why: string, cause?: unknown): Fault {
  const word = shellWord(file);
  return new Fault("backup-invalid", {
    message: `${word} cannot be read: ${why}`,
    hint: `see what it is: \`ls -l ${word}\``,
    cause,
  });
}

/** What tctl says about a restore. */
export function restoreSentences({
  file,
  header,
  epoch,
  aside,
  voidedTokens,
  removedAgain,
  trustedAgain,
  since,
}: RestoreMade): readonly string[] {
  const made = new Date(header.at * 1000).toISOString().replace(".000", "");
  return [
    `cluster ${header.cluster} is as it was in ${file}, made ${made}; it goes on as epoch ${epoch}`,
    ...(aside === undefined ? [] : [`the store that was there is kept in ${aside}`]),
    ...(voidedTokens === 0 ? [] : [`${tokens(voidedTokens)} of the backup: void; new ones are made with \`tctl tokens add\``]),
    ...removedAgain.map(({ kind, name }) => `removed again, as it was after the backup: ${kind} ${quote(name, 80)}`),
    ...trustedAgain.map(
      (pin) =>
        `trusted again, though a rotation took it away after the backup, which has no newer one: authority ${quote(pin, 80)}; ` +
        "once svc runs, replace it: `tctl ca rotate`, twice; hosts that no longer trust it join again: `svc join --replace`",
    ),
    ...sinceSentences(since),
    "start auth: `sudo systemctl start svc`",
  ];
}

function tokens(count: number): string {
  return count === 1 ? "1 join token" : `${count} join tokens`;
}

function sinceSentences(since: ChangesSince): readonly string[] {
  if (since.kind === "unknown") return [`what has changed since the backup is not known: ${since.why}`];
  const shows = since.by === "audit" ? "the audit of that store" : "the journal of svc.service";
  if (since.lines.length === 0) return [`${shows} shows no change since the backup`];
  const cut = since.more === 0 ? [] : [`  and ${since.more} more${since.by === "audit" ? "" : ": `sudo journalctl -u svc`"}`];
  return [`changed since the backup, as ${shows} shows, and gone now:`, ...since.lines.map((line) => `  ${line}`), ...cut];
}
