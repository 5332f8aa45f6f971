/** What an action throws, or undefined. */
export function caught(action: () => unknown): unknown {
  try {
    action();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}
