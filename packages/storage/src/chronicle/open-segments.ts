import { inflateBlock } from "./block.js";
import type { Gap } from "./chronicle.js";
import { readIndex, Segment, scanSegment } from "./segment.js";
import type { SegmentFiles } from "./segment-files.js";

/** The segments that are there. The last one may end in the middle of a block, where a crash ended the append: that is cut off. */
export async function openSegments(files: SegmentFiles): Promise<Segment[]> {
  const numbers = await files.list();
  const segments: Segment[] = [];
  for (const number of numbers) {
    const index = await files.readIndex(number);
    const known = index && readIndex(index);
    segments.push(
      known ? new Segment(number, await files.open(number), files, known.facts) : await scanned(number, files),
    );
  }
  return segments;
}

async function scanned(number: number, files: SegmentFiles): Promise<Segment> {
  const file = await files.open(number);
  const segment = new Segment(number, file, files);
  const { blocks, end } = await scanSegment(file);
  for (const { block, bytes } of blocks)
    segment.add(block, block.kind === "gap" ? readGap(inflateBlock(block, bytes)) : undefined);
  if (end < file.bytes) await file.truncate(end);
  return segment;
}

const readGap = (bytes: Buffer): Gap => JSON.parse(bytes.toString()) as Gap;
