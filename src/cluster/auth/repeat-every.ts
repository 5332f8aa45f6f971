/** Runs `look` again and again, never twice at once. The returned function stops it, and settles when no look is under way. */
export function every(everyMs: number, look: () => Promise<void>, failed: (thrown: unknown) => void): () => Promise<void> {
  let looking = Promise.resolve();
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    looking = look()
      .catch(failed)
      .finally(() => {
        isLooking = false;
      });
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
