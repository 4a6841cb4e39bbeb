/** `status` of an Explanation, as far as it is shown. */
export interface Explained {
  readonly chain: readonly {
    readonly text: string;
    readonly certainty?: string;
    readonly change?: {
      readonly name: string;
      readonly time?: string;
      readonly userAgent?: string;
      readonly auditID?: string;
    };
  }[];
  readonly end: string;
  readonly notes: readonly string[];
}

/** What stands at the end of a chain that nobody asked for. */
const ends: Readonly<Record<string, string>> = {
  unknown: "  because of something that is not in the history",
};

/** Pure: a chain of causes, each below what it caused, with the changes that it rests on. */
export function explanationLines({ chain, end, notes }: Explained): string[] {
  const texts = chain.map(({ text, change }, at) => {
    const time = change?.time === undefined ? "" : `, ${clockTime(change.time)}`;
    return `${at === 0 ? "" : "  because "}${inOneLine(text)}${time}`;
  });
  const width = Math.min(
    110,
    texts.reduce((most, text) => Math.max(most, text.length), 0),
  );
  const lines = chain.map(({ change, certainty }, at) => {
    const mark = certainty === undefined || certainty === "exact" ? "" : ` (${certainty})`;
    return `${(texts[at] ?? "").padEnd(width)}  ${change?.name ?? ""}${mark}`.trimEnd();
  });
  const last = ends[end];
  return [...lines, ...(last === undefined ? [] : [last]), ...notes.map(inOneLine)];
}

/** A message that others wrote must not look like a cause of its own. */
const inOneLine = (text: string): string => text.replaceAll(/[\n\r]/g, " ");

/** By the clock of this machine. */
function clockTime(time: string): string {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
