import type { ChangedPath } from "./changed-paths.js";

/** What became of an object, and the members that differ. */
export interface DescribedChange {
  readonly type: string;
  readonly paths: readonly ChangedPath[];
}

const mostChars = 60;
/** Members that change because others do. */
const followsOthers =
  /^metadata\.generation$|^status\.observedGeneration$|\.last(Heartbeat|Update|Transition|Probe)Time$/;

/** A service account of the system by its name alone, as people speak of it. */
export const shortUser = (user: string): string => user.replace(/^system:(serviceaccount:kube-system:|node:)?/, "");

/** What a change did, in one line. */
export function changeText({ type, paths }: DescribedChange): string {
  if (type === "Created") return "created";
  if (type === "Deleted") return "deleted";
  if (type === "DeletionRequested") return "deletion requested";
  const shown = paths.filter(({ path }) => !followsOthers.test(path));
  const [first, ...rest] = shown.length > 0 ? shown : paths;
  if (!first) return "nothing that is shown";
  return pathText(first) + (rest.length > 0 ? ` and ${rest.length} more` : "");
}

/** `spec.replicas: 1 → 2` */
export const pathText = ({ path, before, after }: ChangedPath): string =>
  `${inOneLine(path)}: ${valueText(before)} → ${valueText(after)}`;

/** As it is, or quoted with escapes where it has line ends or other control characters: a value must not look like more than one. */
const inOneLine = (text: string): string => (/\p{Cc}/u.test(text) ? JSON.stringify(text) : text);

/** A value in one line; "-": there is none. */
export function valueText(value: unknown): string {
  if (value === undefined) return "-";
  const text = typeof value === "string" ? inOneLine(value) : JSON.stringify(value);
  return text.length > mostChars ? `${text.slice(0, mostChars)}…` : text;
}
