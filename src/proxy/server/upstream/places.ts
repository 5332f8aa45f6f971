/** How many requests one origin gets at once. Slow channels do not fill that many, and upstreams that limit connections allow them. */
export const mostAtOnce = 32;

/** Runs `act` once the origin has a place for it, in the order of asking. */
export type AtOrigin = <Result>(origin: string, act: () => Promise<Result>) => Promise<Result>;

type Origin = { taken: number; readonly waiting: (() => void)[] };

/** Lets requests wait before they begin, so that their deadlines do not run while they wait. */
export function placesAtOrigins(): AtOrigin {
  const origins = new Map<string, Origin>();
  return async (name, act) => {
    const origin = origins.get(name) ?? { taken: 0, waiting: [] };
    origins.set(name, origin);
    if (origin.taken >= mostAtOnce) await new Promise<void>((resolve) => origin.waiting.push(resolve));
    else origin.taken += 1;
    try {
      return await act();
    } finally {
      const next = origin.waiting.shift();
      // The place passes to the next one.
      if (next === undefined) origin.taken -= 1;
      else next();
    }
  };
}
