import type { RpmCalls } from "../../../../src/updater/package/rpm/calls.ts";

/** An rpm that says this, whatever it is asked. */
export function rpmThatIsNever(said: string): RpmCalls {
  const never = (): Promise<never> => Promise.reject(new Error(said));
  return {
    ask: never,
    judge: never,
    act: never,
    rehearse: never,
    rows: never,
    lockHolder: () => undefined,
    patience: { forMs: 2, everyMs: 1 },
  };
}
