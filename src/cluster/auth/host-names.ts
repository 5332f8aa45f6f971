import { monotonicMs } from "../../machine/clocks/monotonic.ts";
import type { InstanceRow } from "./instance-row.ts";
import type { ReportRow } from "./report-row.ts";

type Named = {
  readonly row: Pick<InstanceRow, "hostname" | "labels">;
  readonly report: Pick<ReportRow, "hostname"> | undefined;
};
type Host = Named & { readonly id: string; readonly row: Pick<InstanceRow, "removed"> };
/** Lists all hosts. */
type ReadHosts = () => AsyncIterable<Host>;

/** The label whose value a host's SSH certificate names, beside the Server ID. A host cannot set it itself. */
export const nameLabel = "public_addr";

/** The names of a host, in lower case, as ssh writes them. */
export function namesOf({ row, report }: Named): readonly string[] {
  const label = row.labels[nameLabel];
  return [(report ?? row).hostname, ...(label === undefined ? [] : [label])].map((name) => name.toLowerCase());
}

/** A longer read is remembered, because repeating it would leave auth no time for anything else. */
const shortReadMs = 50;
const restPerReadMs = 9;

type Names = ReadonlyMap<string, readonly string[]>;

/** Finds Server IDs by name. In a large cluster the names may be some seconds old, so the caller checks the hosts it gets. */
export class HostNames {
  #names: Names = new Map();
  #goodUntilMs = 0;
  #reading: Promise<Names> | undefined;

  /** Returns the hosts that have one of these names. */
  async find(wanted: readonly string[], hosts: ReadHosts): Promise<readonly string[]> {
    const names = await this.#current(hosts);
    return [...new Set(wanted.flatMap((name) => names.get(name) ?? []))];
  }

  #current(hosts: ReadHosts): Promise<Names> {
    if (this.#reading === undefined && monotonicMs() < this.#goodUntilMs) return Promise.resolve(this.#names);
    this.#reading ??= this.#read(hosts).finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #read(hosts: ReadHosts): Promise<Names> {
    const beganMs = monotonicMs();
    const names = new Map<string, string[]>();
    for await (const one of hosts()) {
      if (one.row.removed !== undefined) continue;
      for (const name of new Set(namesOf(one))) {
        const ids = names.get(name);
        if (ids === undefined) names.set(name, [one.id]);
        else ids.push(one.id);
      }
    }
    const endedMs = monotonicMs();
    const tookMs = endedMs - beganMs;
    this.#goodUntilMs = tookMs < shortReadMs ? 0 : endedMs + tookMs * restPerReadMs;
    this.#names = tookMs < shortReadMs ? new Map() : names;
    return names;
  }
}
