import type { Decision } from "./block-table.js";
import type { Block } from "./read-blocks.js";

export interface DecidedBlock extends Block {
  readonly decision: Decision;
}

type Table = Readonly<Record<string, Readonly<Record<string, Decision>>>>;

/** Pure: each block with what is done with it, and a sentence for each block without a row and each row without a block. */
export function decide(blocks: readonly Block[], table: Table): { decided: DecidedBlock[]; problems: string[] } {
  const used = new Set<string>();
  const problems: string[] = [];
  const decided = blocks.flatMap((block) => {
    const rows = Object.entries(table[block.page] ?? {}).filter(([start]) => block.text.startsWith(start));
    // The longest start is meant: an empty one stands for the rest of a page.
    const [start, decision] = rows.sort(([a], [b]) => b.length - a.length)[0] ?? [];
    if (start === undefined || decision === undefined) {
      problems.push(
        `${block.page}:${block.line} has a block that nothing tests: add it to tools/src/pages/block-table.ts`,
      );
      return [];
    }
    used.add(`${block.page}\n${start}`);
    return [{ ...block, decision }];
  });
  for (const [page, rows] of Object.entries(table))
    for (const start of Object.keys(rows))
      if (!used.has(`${page}\n${start}`))
        problems.push(`${page} has no block that begins with ${JSON.stringify(start)}`);
  return { decided, problems };
}
