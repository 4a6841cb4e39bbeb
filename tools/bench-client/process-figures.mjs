/** Milliseconds that this process has used, in user and kernel mode. */
export function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Resident bytes once garbage is gone: buffers are freed by another thread, after the collection that found them. */
export async function settledMemory() {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return process.memoryUsage.rss();
}
