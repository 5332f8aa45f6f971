import { createHash } from "node:crypto";
import { Fault } from "../../rules/fault/fault.ts";
import { parseBackupLine, revisionsInEpoch, type BackupEnd, type BackupHeader } from "./backup-line.ts";
import { longestBodyBytes } from "./checked.ts";
import { mostRows, type DumpLine } from "./port.ts";

/** The size of a piece of the file. An item's line may be longer. */
const chunkBytes: number = 64 * 1024;

/** Prints a backup file, JSON by lines: a header, a store's dump, and an end that proves the file complete and unchanged. */
export async function* printBackup(header: BackupHeader, dump: AsyncIterable<readonly DumpLine[]>): AsyncGenerator<Uint8Array> {
  const digest = createHash("sha256");
  let lines = 0;
  let waiting: Buffer[] = [];
  let bytes = 0;
  function add(line: BackupHeader | DumpLine): void {
    const text = Buffer.from(`${JSON.stringify(line)}\n`);
    digest.update(text);
    lines += 1;
    waiting.push(text);
    bytes += text.length;
  }
  add(header);
  for await (const some of dump) {
    for (const line of some) {
      add(line);
      if (bytes < chunkBytes) continue;
      yield* pieces(Buffer.concat(waiting));
      [waiting, bytes] = [[], 0];
    }
  }
  const end: BackupEnd = { kind: "end", lines, sha256: digest.digest("hex") };
  yield* pieces(Buffer.concat([...waiting, Buffer.from(`${JSON.stringify(end)}\n`)]));
}

function* pieces(buffer: Buffer): Generator<Uint8Array> {
  for (let from = 0; from < buffer.length; from += chunkBytes) yield buffer.subarray(from, from + chunkBytes);
}

export type BackupRead = {
  readonly header: BackupHeader;
  /** The lines of the dump. Throws if the file is cut or changed; only its end shows that, so the caller must not use a line before. */
  readonly lines: AsyncGenerator<readonly DumpLine[]>;
};

/** Reads a backup as it arrives. Faults name the file by `name`. */
export async function readBackup(source: AsyncIterable<Uint8Array>, name: string): Promise<BackupRead> {
  const texts = splitLines(source, name);
  const first = await texts.next();
  const header = first.done === true ? undefined : parseBackupLine(first.value.toString());
  if (first.done === true || header?.kind !== "header") throw invalid(name, "its first line is not that of a cluster's backup");
  return { header, lines: readLines(texts, { first: first.value, header, name }) };
}

async function* readLines(
  texts: AsyncGenerator<Buffer>,
  { first, header, name }: { readonly first: Buffer; readonly header: BackupHeader; readonly name: string },
): AsyncGenerator<readonly DumpLine[]> {
  const digest = createHash("sha256").update(first).update("\n");
  let number = 1;
  let ended = false;
  let waiting: DumpLine[] = [];
  let expected: readonly DumpLine["kind"][] = ["counted"];
  let most: Most = { revision: header.epoch * revisionsInEpoch, event: 0 };
  for await (const text of texts) {
    if (ended) throw invalid(name, "something follows its last line");
    const line = parseBackupLine(text.toString());
    if (line?.kind === "end") {
      if (line.lines !== number) throw invalid(name, `it has ${number} lines, and ${line.lines} were written`);
      if (line.sha256 !== digest.digest("hex")) throw invalid(name, "something in it was changed: its digest is another");
      ended = true;
      continue;
    }
    number += 1;
    if (line === undefined || line.kind === "header" || !expected.includes(line.kind)) {
      throw invalid(name, `its line ${number} is not one of a backup`);
    }
    if (isBeyond(line, most)) throw invalid(name, `its line ${number} counts further than a store of its epoch`);
    if (line.kind === "counted") most = { revision: Number(line.counted.revision), event: line.counted.event };
    expected = line.kind === "event" ? ["event"] : ["item", "event"];
    digest.update(text).update("\n");
    waiting.push(line);
    if (waiting.length < mostRows) continue;
    yield waiting;
    waiting = [];
  }
  if (!ended) throw invalid(name, "it is cut off: its last line is missing");
  if (waiting.length > 0) yield waiting;
}

type Most = { readonly revision: number; readonly event: number };

/** Whether a number in the line is too high: the epoch limits the counters, and the counters limit the numbers of every other line. */
function isBeyond(line: DumpLine, most: Most): boolean {
  if (line.kind === "event") return line.event.number > most.event;
  return Number(line.kind === "item" ? line.item.revision : line.counted.revision) > most.revision;
}

/** Enough for the longest item with its envelope. */
const longestLineBytes: number = longestBodyBytes + 64 * 1024;

async function* splitLines(source: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Buffer> {
  let begun: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    let from = 0;
    for (let to = chunk.indexOf(10); to !== -1; to = chunk.indexOf(10, from)) {
      yield Buffer.concat([...begun, chunk.subarray(from, to)]);
      [begun, length, from] = [[], 0, to + 1];
    }
    begun.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > longestLineBytes) throw invalid(name, `a line in it is longer than ${longestLineBytes} bytes`);
  }
  if (length > 0) throw invalid(name, "it is cut off in the middle of a line");
}

export function invalid(name: string, why: string): Fault {
  return new Fault("backup-invalid", {
    message: `${name} is no whole backup of a cluster: ${why}; nothing of it was put back`,
    hint: "take another backup file",
  });
}
