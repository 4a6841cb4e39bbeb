import type { Readable } from "node:stream";

/** Calls back for each line of JSON. A line that is cut off at the end is none. */
export function onJsonLines(stream: Readable, onValue: (value: unknown) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") onValue(JSON.parse(line));
  });
}

export const jsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`;
