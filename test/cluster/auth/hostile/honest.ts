import { call, status, type Trusting } from "../hosts.ts";

/** From source; a flood must not make it more, however long it is. */
export const mostMib = 320;

/** Comes from an address of its own, as a host does that has nothing to do with the others. */
const elsewhere = "127.0.0.77";

export type Beside = {
  /** Every answer that was not the right one. Empty where all were. */
  readonly end: () => Promise<readonly string[]>;
};

/** Asks one thing after the other, each on a connection of its own, until it is told to end. */
export function honestBeside(trusting: Trusting): Beside {
  const wrong: string[] = [];
  const over = new AbortController();
  const asking = (async (): Promise<void> => {
    do {
      const answer = await call({ ...trusting, localAddress: elsewhere }, status, {}).catch(String);
      if (typeof answer === "string") wrong.push(answer);
      else if (answer.status !== 200) wrong.push(`${answer.status} ${JSON.stringify(answer.body)}`);
    } while (!over.signal.aborted);
  })();
  return {
    end: async () => {
      over.abort();
      await asking;
      return wrong;
    },
  };
}
