const masks: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uid>"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>"],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, "<time>"],
  [/\b10\.(\d+)\.(\d+)\.(\d+)\b/g, "<ip>"],
  [/\b(3[0-2]\d{3})\/TCP/g, "<port>/TCP"],
  [/(NodePort: +\S+ +)\d+/g, "$1<port>"],
  [/\b\d+(ms|s|m|h|d)(\d+s)?\b/g, "<age>"],
  [/(Resource Version: +|resourceVersion: ?"?)\d+/g, "$1<rv>"],
  [/kube-api-access-\w{5}/g, "kube-api-access-<name>"],
  [/not in \S+kubeconfig/g, "not in <file>"],
  [/\b(kubernetes-)?admin\b/g, "<admin>"],
  // What ours warns of on its own account.
  [/^Warning: Coxswain keeps .*\n/gm, ""],
  [/https:\/\/[\w.]+:\d+/g, "<server>"],
  [/ +/g, " "],
];

/** Takes out what differs between any two servers: times, uids, addresses that were allocated, the width of columns that hold them. */
export const mask = (text: string): string =>
  masks.reduce((masked, [pattern, by]) => masked.replace(pattern, by), text);

/** The first line in which the two differ, or undefined. */
export function firstDifference(ours: string, theirs: string): string | undefined {
  const [mine, other] = [mask(ours).split("\n"), mask(theirs).split("\n")];
  const at = mine.findIndex((line, index) => line !== other[index]);
  if (at >= 0) return `"${mine[at]}" not "${other[at] ?? ""}"`;
  return other.length > mine.length ? `nothing, not "${other[mine.length]}"` : undefined;
}
