/** In these lines of etcd a progress report could overtake the events before it, until they were repaired. */
const repaired: Readonly<Record<string, number>> = { "3.4": 31, "3.5": 13 };

/** Whether this etcd's progress notifications are reliable, by the versions that Kubernetes accepts. */
export function trustsProgress(version: string): boolean {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || minor === undefined || patch === undefined) return false;
  const since = repaired[`${major}.${minor}`];
  if (since !== undefined) return Number(patch) >= since;
  return Number(major) > 3 || (Number(major) === 3 && Number(minor) > 5);
}
