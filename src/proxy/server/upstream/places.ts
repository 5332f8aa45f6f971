/** What is asked of one origin at once: more than its slow channels fill, and few enough for an upstream that counts connections. */
export const mostAtOnce = 32;

/** Runs what is to be done at an origin once there is a place for it, in the order of asking. */
export type AtOrigin = <Result>(origin: string, act: () => Promise<Result>) => Promise<Result>;

type Origin = { taken: number; readonly waiting: (() => void)[] };

/** Whoever waits here has not begun: no deadline runs, and nobody is blamed for those before. */
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
      // The place goes over to whoever is next.
      if (next === undefined) origin.taken -= 1;
      else next();
    }
  };
}
