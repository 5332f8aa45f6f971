/** One look at a time: one that takes long delays the next. What is given back settles once none is under way any more. */
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
