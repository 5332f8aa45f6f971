import type { AuditEntry, Store } from "../storage/port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

export type RefusedSignIn = {
  /** The client's address, with the proxy that named it. */
  readonly address: string;
  /** Undefined if the user does not exist, because the name may be a mistyped password. */
  readonly user: string | undefined;
  readonly why: "password" | "code" | "paused";
  readonly now: UnixSeconds;
};

/** Sums refusals by minute and address, so that a million attempts do not fill the audit. */
export type RefusedSignIns = {
  readonly note: (refused: RefusedSignIn) => void;
  /** Writes the sums into the audit: those of past minutes, or all when auth stops. */
  readonly write: (store: Pick<Store, "commit">, now: UnixSeconds, which: "minutes-that-are-over" | "all") => Promise<void>;
};

/** The most addresses of one minute. Further ones share one sum. */
const mostAddresses = 20;
/** Reached only if the store fails for a long time. */
const mostSums = 500;
const mostUsersTold = 5;
const elsewhere = "other addresses";

type Sum = {
  readonly minute: number;
  readonly address: string;
  count: number;
  codes: number;
  paused: number;
  unknown: number;
  readonly users: Map<string, number>;
};

export function makeRefusedSignIns(): RefusedSignIns & { readonly size: () => number } {
  let sums: Sum[] = [];

  function sumFor(minute: number, address: string): Sum {
    const ofMinute = sums.filter((sum) => sum.minute === minute);
    const own = ofMinute.find((sum) => sum.address === address);
    if (own !== undefined) return own;
    const name = ofMinute.length < mostAddresses ? address : elsewhere;
    const known = ofMinute.find((sum) => sum.address === name);
    if (known !== undefined) return known;
    const sum = { minute, address: name, count: 0, codes: 0, paused: 0, unknown: 0, users: new Map<string, number>() };
    sums.push(sum);
    if (sums.length > mostSums) sums.shift();
    return sum;
  }

  return {
    note: ({ address, user, why, now }) => {
      const sum = sumFor(Math.floor(now / 60), address);
      sum.count += 1;
      if (why === "code") sum.codes += 1;
      if (why === "paused") sum.paused += 1;
      if (user === undefined) sum.unknown += 1;
      else if (sum.users.has(user) || sum.users.size < mostUsersTold) sum.users.set(user, (sum.users.get(user) ?? 0) + 1);
    },
    write: async (store, now, which) => {
      const minute = Math.floor(now / 60);
      const due = sums.filter((sum) => which === "all" || sum.minute !== minute);
      if (due.length === 0) return;
      sums = sums.filter((sum) => !due.includes(sum));
      try {
        for (let from = 0; from < due.length; from += rowsAtOnce) {
          const audit = due.slice(from, from + rowsAtOnce).map(entryOf);
          await store.commit({ at: now, by: "auth", changes: [], audit });
        }
      } catch (thrown) {
        // The next call tries these again.
        sums = [...due, ...sums].slice(0, mostSums);
        throw thrown;
      }
    },
    size: () => sums.length,
  };
}

const rowsAtOnce = 100;

function entryOf({ minute, address, count, codes, paused, unknown, users }: Sum): AuditEntry {
  const [only, ...more] = users.keys();
  const told = [
    `${count} in the minute from ${new Date(minute * 60_000).toISOString().replace(":00.000Z", "Z")}`,
    ...[...users].map(([user, times]) => `${user} ${times}`),
    ...(unknown === 0 ? [] : [`users that do not exist ${unknown}`]),
    ...(codes === 0 ? [] : [`with the right password and a wrong code ${codes}`]),
    ...(paused === 0 ? [] : [`not looked at, because others before them were refused ${paused}`]),
  ];
  return {
    event: "sign-in.refused",
    actor: "visitor",
    origin: address,
    kind: "user",
    // Names the user if there was only one, so that a search finds the entry.
    name: only !== undefined && more.length === 0 && unknown === 0 ? only : "several",
    before: undefined,
    after: undefined,
    detail: told.join(", "),
  };
}
