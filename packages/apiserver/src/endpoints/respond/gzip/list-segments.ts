import type { ListText } from "../../../request/form.js";
import { ByteBuffer } from "../byte-buffer.js";
import { type Block, encodeBlock, LeafCache } from "../list-blocks.js";
import { utf8 } from "../text.js";
import { deflateSegment, GzipMember, gzipHeader, type Segment } from "./gzip-member.js";

const kept = new LeafCache<Segment>();
const separators = new Map<string, Promise<Segment>>();

/** A list as the parts of one gzip member: segments that are kept with the leaves they were made of, and shared by all answers. */
export async function gzipList(blocks: readonly Block[], text: ListText): Promise<readonly Uint8Array[]> {
  const separator = await separatorSegment(text);
  const items: Segment[] = [];
  const buffer = new ByteBuffer(256 << 10);
  for (const block of blocks) {
    let segment = kept.find(block, text.mark);
    if (!segment) {
      segment = await deflateSegment(encodeBlock(block, text, buffer));
      kept.keep(block, text.mark, segment);
    }
    if (separator && items.length > 0) items.push(separator);
    items.push(segment);
  }
  const length = items.reduce((sum, segment) => sum + segment.length, 0);
  const member = new GzipMember();
  const parts: Uint8Array[] = [gzipHeader];
  for (const segment of [await deflateSegment(text.before(length)), ...items, await deflateSegment(text.after)]) {
    member.add(segment);
    parts.push(segment.deflated);
  }
  parts.push(member.end());
  return parts;
}

/** What stands between two blocks; undefined: nothing. */
function separatorSegment({ separator }: ListText): Promise<Segment> | undefined {
  if (separator.length === 0) return undefined;
  const name = Buffer.from(separator).toString();
  let made = separators.get(name);
  if (!made) separators.set(name, (made = deflateSegment(utf8(name))));
  return made;
}
