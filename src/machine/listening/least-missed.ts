type Candidate = {
  readonly from: string;
  readonly lastAsked: number;
  readonly unanswered: number;
  readonly socket: { readonly writableLength: number };
};

/** Chooses the connections to close: always the longest quiet one of the address that has the most. Clients that wait for us are not candidates. */
export function leastMissed<Of extends Candidate>(all: readonly Of[], count: number): readonly Of[] {
  const left = new Map<string, number>();
  for (const { from } of all) left.set(from, (left.get(from) ?? 0) + 1);
  const quiet = all.filter(waitsForNothing).toSorted((one, other) => one.lastAsked - other.lastAsked);
  const ranked = quiet.map((connection) => {
    const rank = left.get(connection.from) ?? 0;
    left.set(connection.from, rank - 1);
    return { connection, rank };
  });
  return ranked
    .toSorted((one, other) => other.rank - one.rank)
    .slice(0, count)
    .map(({ connection }) => connection);
}

/** Whether the client has asked nothing, or does not read its answer. */
function waitsForNothing({ socket, unanswered }: Candidate): boolean {
  return unanswered === 0 || socket.writableLength > 0;
}
