/** Resolves at the first SIGINT or SIGTERM. A second one ends the process at once, for those who cannot wait. */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let told = false;
    const onSignal = (signal: NodeJS.Signals): void => {
      if (told) process.exit(130);
      told = true;
      resolve(signal);
    };
    process.on("SIGINT", onSignal);
    process.on("SIGTERM", onSignal);
  });
}
