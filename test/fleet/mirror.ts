/** What one move fetches from the package mirror, and how fast a host can take it. */
export type Download = {
  readonly packageBytes: number;
  /** Two on the first move of a host, which also fetches the package of its rollback; later that one is there already. */
  readonly packages: 1 | 2;
  readonly hostBitsPerSecond: number;
};

/** Bits per second that the mirror must give, second by second, for every host to fetch as fast as it can. */
export function mirrorBits(moves: Float64Array, { packageBytes, packages, hostBitsPerSecond }: Download): Float64Array {
  const bits = packageBytes * packages * 8;
  const seconds = Math.max(1, Math.ceil(bits / hostBitsPerSecond));
  let fetching = 0;
  return moves.map((begun, second) => {
    fetching += begun - (moves[second - seconds] ?? 0);
    return (fetching * bits) / seconds;
  });
}
