import { dirname } from "node:path";
import { Fault } from "../../../rules/fault/fault.ts";
import { makeRoom } from "../../../machine/files/unwritable.ts";

/** SQLite's primary result codes, the lowest byte of its result: https://www.sqlite.org/rescode.html */
const busy = 5;
const ioError = 10;
const corrupt = 11;
const full = 13;
const notDatabase = 26;
/** An extended code for an index of the log that could not grow. */
const noRoomForIndex = 4874;

/** Makes a fault of SQLite's error, which names the file. Returns any other error unchanged. */
export function told(thrown: unknown, path: string): unknown {
  if (!isFromSqlite(thrown)) return thrown;
  const cause = thrown;
  const said = `${thrown.errstr} (${thrown.errcode})`;
  switch (thrown.errcode === noRoomForIndex ? full : thrown.errcode & 0xff) {
    case corrupt:
    case notDatabase:
      return damaged(path, `${said}; no change is made to it any more`, cause);
    case full:
      return new Fault("store-full", {
        message: `there is no room left for ${path}: nothing of the change was made`,
        hint: makeRoom(dirname(path)),
        cause,
      });
    case busy:
      return new Fault("store-in-use", {
        message: `another process has ${path} open`,
        hint: `\`sudo fuser -v ${path}\` names it`,
        cause,
      });
    default:
      return new Fault("store-failed", {
        message: `${path} could not be ${(thrown.errcode & 0xff) === ioError ? "read or written" : "used"}: ${said}`,
        hint: `look at \`ls -l ${dirname(path)}\`, and at the kernel's log: \`sudo journalctl -k\``,
        cause,
      });
  }
}

export function damaged(path: string, why: string, cause?: unknown): Fault {
  return new Fault("store-unreadable", {
    message: `the store ${path} is damaged: ${why}`,
    hint: "put a backup back: `sudo systemctl stop svc`, then `sudo tctl restore FILE`; the damaged store is kept beside it",
    cause,
  });
}

export function isDamage(thrown: unknown): boolean {
  return thrown instanceof Fault && thrown.code === "store-unreadable";
}

export function isBusy(thrown: unknown): boolean {
  return isFromSqlite(thrown) && (thrown.errcode & 0xff) === busy;
}

type FromSqlite = Error & { readonly errcode: number; readonly errstr: string };

function isFromSqlite(thrown: unknown): thrown is FromSqlite {
  return thrown instanceof Error && "errcode" in thrown && typeof thrown.errcode === "number" && "errstr" in thrown;
}
