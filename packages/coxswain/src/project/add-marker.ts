/** The lines of an exported interface's JSDoc comment: from the one with its beginning to the one with its end. */
interface Comment {
  readonly lines: readonly string[];
  readonly first: number;
  readonly last: number;
}

function commentOf(text: string, kind: string): Comment | undefined {
  const lines = text.split("\n");
  const declared = lines.findIndex(
    (line) => line.startsWith(`export interface ${kind} `) || line.startsWith(`export interface ${kind}<`),
  );
  const last = declared - 1;
  if (last < 0 || !lines[last]?.trimEnd().endsWith("*/")) return undefined;
  const first = lines.slice(0, declared).findLastIndex((line) => line.trimStart().startsWith("/**"));
  return first < 0 ? undefined : { lines, first, last };
}

/** The words of a comment's line: `@webhook`, `defaulting`. */
const wordsOf = (line: string): string[] =>
  line.split(" ").filter((word) => word !== "" && word !== "/**" && word !== "*" && word !== "*/");

const markers = (text: string, kind: string): string[][] => {
  const comment = commentOf(text, kind);
  return comment ? comment.lines.slice(comment.first, comment.last + 1).map(wordsOf) : [];
};

/** Whether the interface's comment has a marker `@name`. */
export const hasMarker = (text: string, kind: string, name: string): boolean =>
  markers(text, kind).some(([marker]) => marker === `@${name}`);

/** The module with one more marker in the comment of its interface; undefined where it has no such interface with a comment. */
export function addMarker(text: string, kind: string, marker: string): string | undefined {
  const comment = commentOf(text, kind);
  if (!comment) return undefined;
  const { lines, last } = comment;
  const end = lines[last] as string;
  const before = end.slice(0, end.lastIndexOf("*/")).trimEnd();
  return [
    ...lines.slice(0, last),
    ...(before === "" ? [] : [before]),
    ` * @${marker}`,
    " */",
    ...lines.slice(last + 1),
  ].join("\n");
}

const webhookWords = ["defaulting", "validating", "conversion"];

/** Adds words to the `@webhook` marker of an interface, or the marker itself: `@webhook defaulting validating`. */
export function addWebhookWords(text: string, kind: string, words: readonly string[]): string | undefined {
  const comment = commentOf(text, kind);
  if (!comment) return undefined;
  const { lines, first, last } = comment;
  const at = lines.findIndex((line, index) => index >= first && index <= last && wordsOf(line)[0] === "@webhook");
  if (at < 0) return addMarker(text, kind, `webhook ${words.join(" ")}`);
  const line = lines[at] as string;
  const present = wordsOf(line).slice(1);
  const kinds = webhookWords.filter((word) => words.includes(word) || present.includes(word));
  const rest = present.filter((word) => !webhookWords.includes(word));
  const start = line.slice(0, line.indexOf("@webhook"));
  const end = line.trimEnd().endsWith("*/") ? " */" : "";
  return lines.with(at, `${start}${["@webhook", ...kinds, ...rest].join(" ")}${end}`).join("\n");
}

export const hasWebhookWord = (text: string, kind: string, word: string): boolean =>
  markers(text, kind).some(([marker, ...words]) => marker === "@webhook" && words.includes(word));

const ofOneVersion = ["@storageVersion", "@webhook", "@unserved", "@deprecatedVersion"];

/** The module without the markers that only one version of a kind has. */
export const withoutVersionMarkers = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !line.trimStart().startsWith("* ") || !ofOneVersion.includes(wordsOf(line)[0] ?? ""))
    .join("\n");
