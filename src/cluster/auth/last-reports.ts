import { isDeepStrictEqual } from "node:util";
import type { JsonObject, Store } from "../storage/port.ts";
import { put } from "./changes.ts";
import { reportKey, reportRow, type ReportRow } from "./report-row.ts";
import { findRow } from "./row-forms.ts";

type Heard = Pick<ReportRow, "boot_id" | "counter" | "at">;

/** How many reports one transaction writes. */
const writtenAtOnce = 50;

/**
 * Keeps reports that repeat the one before, so that only their times change, and writes many together: each alone would wait for the disk. A power
 * cut loses some times and nothing else.
 */
export class LastReports {
  readonly #waiting = new Map<string, Heard>();
  readonly #inTurn = new Map<string, Promise<void>>();

  /** Takes the reports of one instance one after the other, since each is compared with the one before. */
  async inTurn(id: string, take: () => Promise<void>): Promise<void> {
    const before = this.#inTurn.get(id);
    const taken = before === undefined ? take() : before.then(take, take);
    this.#inTurn.set(id, taken);
    try {
      await taken;
    } finally {
      if (this.#inTurn.get(id) === taken) this.#inTurn.delete(id);
    }
  }

  note(id: string, { boot_id, counter, at }: Heard): void {
    this.#waiting.set(id, { boot_id, counter, at });
  }

  /** The stored row, with the newer time and counter. */
  freshest(id: string, row: ReportRow): ReportRow {
    const heard = this.#waiting.get(id);
    return heard !== undefined && isLater(heard, row) ? { ...row, counter: heard.counter, at: heard.at } : row;
  }

  /** A row that cannot be written is tried again later, and does not stop the others. */
  async write(store: Pick<Store, "get" | "commit">): Promise<void> {
    const all = [...this.#waiting];
    const failures: unknown[] = [];
    for (let done = 0; done < all.length; done += writtenAtOnce) {
      const some = all.slice(done, done + writtenAtOnce);
      const written = await Promise.allSettled(some.map(([id, heard]) => this.#writeOne(store, id, heard)));
      for (const one of written) if (one.status === "rejected") failures.push(one.reason);
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Skips a row that a later report has written. */
  async #writeOne(store: Pick<Store, "get" | "commit">, id: string, heard: Heard): Promise<void> {
    const key = reportKey(id);
    const found = await findRow(store, reportRow, key);
    if (found !== undefined && isLater(heard, found.row)) {
      const body = { ...found.item.body, counter: heard.counter, at: heard.at };
      await store.commit({ at: heard.at, by: id, changes: [put(key, body, found.item)], audit: [] });
    }
    if (this.#waiting.get(id) === heard) this.#waiting.delete(id);
  }
}

function isLater(heard: Heard, row: Heard): boolean {
  return heard.boot_id === row.boot_id && heard.counter > row.counter;
}

/** Compares two reports without their counters and times. */
export function saysTheSame(one: JsonObject, other: JsonObject): boolean {
  return isDeepStrictEqual({ ...one, counter: 0, at: 0 }, { ...other, counter: 0, at: 0 });
}
