/** The first SIGTERM or SIGINT ends in order, the second at once. @param more events of the process that end it, too */
export function processSignal(...more: readonly "disconnect"[]): AbortSignal {
  const ending = new AbortController();
  const end = (): void => {
    if (ending.signal.aborted) process.exit(1);
    ending.abort();
  };
  for (const event of ["SIGTERM", "SIGINT", ...more]) process.on(event, end);
  return ending.signal;
}
