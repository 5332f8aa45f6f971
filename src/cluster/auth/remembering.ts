import type { UnixSeconds } from "../../rules/window/window.ts";

const rememberSeconds = 30;

export type Remembering<Value> = {
  /** The value of at most 30 seconds ago. */
  readonly last: () => Promise<Value>;
  readonly anew: () => Promise<Value>;
};

/** Remembers what takes long to make. Forgets what failed. */
export function remembering<Value>(now: () => UnixSeconds, make: () => Promise<Value>): Remembering<Value> {
  let last: { readonly at: UnixSeconds; readonly value: Promise<Value> } | undefined;
  const anew = (): Promise<Value> => {
    const made = { at: now(), value: make() };
    last = made;
    made.value.catch(() => {
      if (last === made) last = undefined;
    });
    return made.value;
  };
  return { anew, last: () => (last !== undefined && Math.abs(now() - last.at) < rememberSeconds ? last.value : anew()) };
}
