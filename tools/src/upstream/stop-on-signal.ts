/**
 * Makes Ctrl-C and SIGTERM run `stop` and then end this process with the code a shell expects. A second signal ends it
 * at once; child processes are killed then too.
 */
export function stopOnSignal(stop: () => Promise<unknown>): void {
  let stopping = false;
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(code);
      stopping = true;
      void stop().finally(() => process.exit(code));
    });
  }
}
