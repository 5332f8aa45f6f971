/** Aborted by Ctrl-C and its like, which no longer end this process: it cleans up and ends by itself. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stopping.abort());
  return stopping.signal;
}
