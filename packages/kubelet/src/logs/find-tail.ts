import type { FileHandle } from "node:fs/promises";

const blockBytes = 64 * 1024;
const newline = 0x0a;

/**
 * Where the last `count` lines of a file begin and end, found in blocks from its end. An unfinished line at the end is not one of
 * them (k8s.io/cri-client/pkg/logs/tail.go, findTailLineStartIndex).
 */
export async function findTail(
  file: FileHandle,
  size: number,
  count: number,
): Promise<{ readonly start: number; readonly end: number }> {
  const block = Buffer.allocUnsafe(Math.min(blockBytes, size));
  let end: number | undefined;
  let left = count;
  for (let to = size; to > 0; ) {
    const from = Math.max(0, to - blockBytes);
    const { bytesRead } = await file.read(block, 0, to - from, from);
    if (bytesRead < to - from) return findTail(file, from + bytesRead, count); // it was truncated meanwhile
    for (let at = to - from; at > 0; ) {
      const found = block.lastIndexOf(newline, at - 1);
      if (found < 0) break;
      end ??= from + found + 1;
      if (left === 0) return { start: from + found + 1, end };
      left -= 1;
      at = found;
    }
    to = from;
  }
  return { start: 0, end: end ?? 0 };
}
