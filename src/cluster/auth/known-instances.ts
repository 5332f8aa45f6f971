import { mostRows, type Item, type Seen, type Store } from "../storage/port.ts";
import { everyItem } from "./every-item.ts";
import { instanceRow, type InstanceRow } from "./instance-row.ts";
import { reportKind, reportRow, type ReportRow } from "./report-row.ts";
import { rowOf } from "./row-forms.ts";

/** What lists need of an instance. */
export type ListedRow = Omit<InstanceRow, "key" | "current" | "issued" | "authority" | "cloned">;

/** An instance with its last report, if it has sent one. */
export type Reported = { readonly id: string; readonly row: ListedRow; readonly report: ReportRow | undefined };

/** A report may be read before the row of its instance. */
export type Known = Omit<Reported, "row"> & { readonly row: ListedRow | undefined };

export function isJoined(known: Known): known is Reported {
  return known.row !== undefined;
}

const kinds = [reportKind, "instance"] as const;
type Kind = (typeof kinds)[number];
type Reader = Pick<Store, "list" | "changed">;

/** Keeps all instances and their last reports in memory, because lists and sums look at each. */
export class KnownInstances {
  readonly #store: Reader;
  #read: Read | undefined;
  #reading: Promise<unknown> = Promise.resolve();
  #next: Promise<Read> | undefined;

  constructor(store: Reader) {
    this.#store = store;
  }

  /** Returns everything that any auth service committed before the call. Calls during a look share the next one. */
  now(): Promise<Read> {
    const look = (): Promise<Read> => {
      this.#next = undefined;
      const looking = this.#look();
      this.#reading = looking;
      return looking;
    };
    this.#next ??= this.#reading.then(look, look);
    return this.#next;
  }

  async #look(): Promise<Read> {
    const isWhole = (await this.#read?.follow(this.#store)) === "followed";
    if (this.#read !== undefined && isWhole) return this.#read;
    this.#read = await readAll(this.#store);
    return this.#read;
  }
}

class Read {
  /** Sorted by id. */
  readonly #all: Known[];
  readonly #last: Map<Kind, Seen | undefined>;

  constructor(all: Known[], last: Map<Kind, Seen | undefined>) {
    this.#all = all;
    this.#last = last;
  }

  after(id: string, most: number): readonly Known[] {
    const at = this.#placeOf(id);
    const from = this.#all[at]?.id === id ? at + 1 : at;
    return this.#all.slice(from, from + most);
  }

  /** "lost": the item that was read last is gone, so a standby without the last commits was promoted. */
  async follow(store: Reader): Promise<"followed" | "lost"> {
    for (const kind of kinds) {
      const last = this.#last.get(kind);
      let isThere = false;
      for (let from = last; ;) {
        const items: readonly Item[] = await store.changed(kind, { from, most: mostRows });
        if (last === undefined && items.length === 0) break;
        for (const item of items) {
          isThere ||= item.name === last?.name;
          this.#take(kind, item);
        }
        from = items.at(-1) ?? from;
        if (items.length === mostRows) continue;
        if (!isThere) return "lost";
        this.#last.set(kind, from && { revision: from.revision, name: from.name });
        break;
      }
    }
    return "followed";
  }

  #take(kind: Kind, item: Item): void {
    const id = item.name;
    const at = this.#placeOf(id);
    const found = this.#all[at]?.id === id ? this.#all[at] : undefined;
    const before = found ?? { id, row: undefined, report: undefined };
    const known = kind === "instance" ? { ...before, row: listed(item) } : { ...before, report: reported(item) };
    this.#all.splice(at, found === undefined ? 0 : 1, known);
  }

  /** The index of the first id that is not smaller. */
  #placeOf(id: string): number {
    let [low, high] = [0, this.#all.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#all[middle]?.id ?? "") < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Reads both kinds side by side, because a report has the name of its instance. Changes during the read come with the next look. */
async function readAll(store: Reader): Promise<Read> {
  const last = new Map<Kind, Seen | undefined>();
  for (const kind of kinds) last.set(kind, (await store.changed(kind, { from: undefined, most: 1 }))[0]);
  const reports = everyItem(store, reportKind);
  let next = await reports.next();
  const all: Known[] = [];
  for await (const item of everyItem(store, "instance")) {
    const id = item.name;
    while (next.done !== true && next.value.name < id) next = await reports.next();
    const report = next.done !== true && next.value.name === id ? reported(next.value) : undefined;
    all.push({ id, row: listed(item), report });
  }
  return new Read(all, last);
}

function listed(item: Item): ListedRow {
  const row = rowOf(instanceRow, item);
  const { kind, hostname, version, ephemeral, joined, renewed, certificate_until, removed } = row;
  const parts = { services: shared(row.services), labels: shared(row.labels), token: shared(row.token) };
  return { kind, hostname, version, ephemeral, joined, renewed, certificate_until, removed, ...parts };
}

function reported(item: Item): ReportRow {
  const row = rowOf(reportRow, item);
  const { updater } = row;
  return {
    ...row,
    services: shared(row.services),
    labels: shared(row.labels),
    os: shared(row.os),
    updater: updater && { ...updater, decision: shared(updater.decision), rejected: shared(updater.rejected) },
  };
}

/** Equal parts of rows, which most hosts have in common. Sharing them saves a third of the memory. */
const parts = new Map<string, unknown>();
const mostParts = 10_000;

function shared<Part>(part: Part): Part {
  if (part === undefined) return part;
  const text = JSON.stringify(part);
  const found = parts.get(text);
  if (found !== undefined) return found as Part;
  if (parts.size >= mostParts) parts.clear();
  parts.set(text, part);
  return part;
}
