/** A fenced block of a page. */
export interface Block {
  /** `docs/dns.md` */
  readonly page: string;
  /** Behind the opening fence; empty where there is none. */
  readonly language: string;
  readonly text: string;
  /** Of the opening fence. */
  readonly line: number;
}

/** Pure: the fenced blocks of a page, in their order. @throws Error for one without an end */
export function readBlocks(page: string, markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const fence = /^```(\S*)/.exec(lines[at] ?? "");
    if (!fence) continue;
    const end = lines.indexOf("```", at + 1);
    if (end < 0) throw new Error(`${page}:${at + 1}: the block has no end`);
    blocks.push({
      page,
      language: fence[1] ?? "",
      text: `${lines.slice(at + 1, end).join("\n")}\n`,
      line: at + 1,
    });
    at = end;
  }
  return blocks;
}

/** Pure: the command lines of a block: all of a script, or those behind a prompt (`$ `, `a$ `). Lines that end with `\` go on. */
export function commandsOf({ language, text }: Block): string[] {
  const lines = text.replaceAll("\\\n", " ").split("\n");
  const typed =
    language === "console"
      ? lines.flatMap((line) => /^\w?\$ (.*)$/.exec(line)?.[1] ?? [])
      : lines.filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return typed.map((line) => line.trim());
}
