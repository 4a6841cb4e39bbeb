/** Errors of one kind in a log of klog's form: what they have in common once names and numbers are taken out. */
export interface ErrorKind {
  readonly kind: string;
  readonly count: number;
  /** The first of them, as it stands in the log. */
  readonly example: string;
}

/** `E1116 01:47:05.123456   12345 file.go:123] message`: an error, of which the time and the process are dropped. */
const header = /^E\d{4} [\d:.]+\s+\d+ ([\w.-]+\.go):\d+\] (.*)$/;

/** A lost race for an object is tried again, and when it happens is a matter of time. Such lines do not depend on the server. */
const races = [/the object has been modified/, /StorageError: invalid object, Code: 4/];

/** The errors of a log by their kinds, in the order of their first appearance. Lines that are no errors and lost races are left out. */
export function errorKinds(log: string): ErrorKind[] {
  const kinds = new Map<string, { count: number; example: string }>();
  for (const line of log.split("\n")) {
    const [, file, message] = header.exec(line) ?? [];
    if (file === undefined || message === undefined || races.some((race) => race.test(message))) continue;
    const kind = `${file}: ${withoutNames(message)}`;
    const known = kinds.get(kind);
    kinds.set(kind, { count: (known?.count ?? 0) + 1, example: known?.example ?? line });
  }
  return [...kinds].map(([kind, rest]) => ({ kind, ...rest }));
}

/** Kinds that stand in `ours` and not in `theirs`. How often they occur is a matter of time and is not compared. */
export function onlyIn(ours: readonly ErrorKind[], theirs: readonly ErrorKind[]): ErrorKind[] {
  const known = new Set(theirs.map(({ kind }) => kind));
  return ours.filter(({ kind }) => !known.has(kind));
}

/** Identifiers, generated names, addresses and numbers, longest forms first. */
const names: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "UID"],
  [/https?:\/\/[^\s"\\]+/g, "URL"],
  [/\b[a-z][a-z-]*-[bcdf-hj-np-tv-z2456789]{6,10}(?:-[bcdf-hj-np-tv-z2456789]{5})?\b/g, "NAME"],
  [/\d+/g, "N"],
];

const withoutNames = (message: string): string =>
  names.reduce((text, [pattern, name]) => text.replace(pattern, name), message);
