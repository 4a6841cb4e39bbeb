/** Resolves at the first SIGINT or SIGTERM. A second one ends the process at once, for those who cannot wait. */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let signalled = false;
    const onSignal = (signal: NodeJS.Signals): void => {
      if (signalled) process.exit(130);
      signalled = true;
      resolve(signal);
    };
    process.on("SIGINT", onSignal);
    process.on("SIGTERM", onSignal);
  });
}
