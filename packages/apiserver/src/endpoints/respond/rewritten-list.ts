import type { CacheEntry } from "../../cache/cache-entry.js";
import type { ListText } from "../../request/form.js";
import { ByteBuffer } from "./byte-buffer.js";

/** How the parts of a list in JSON are written otherwise. Called in the order in which they stand there. */
export interface ListRewriter {
  before(json: Uint8Array): string;
  item(json: Uint8Array, isFirst: boolean): string;
  after(json: Uint8Array): string;
}

const nothing = new Uint8Array(0);
const encoder = new TextEncoder();

/** A list in JSON, written otherwise item by item: at no time is more than one item of it in memory. */
export function rewrittenList(list: ListText, rewriter: ListRewriter): ListText {
  const scratch = new ByteBuffer(16 << 10);
  let isFirst = true;
  return {
    before: (length) => encoder.encode(rewriter.before(list.before(length))),
    item(entry: CacheEntry, into) {
      scratch.clear();
      list.item(entry, scratch);
      into.appendText(rewriter.item(scratch.last(), isFirst));
      isFirst = false;
    },
    separator: nothing,
    /** Read when all items are written. */
    get after() {
      return encoder.encode(rewriter.after(list.after));
    },
    sized: false,
    mark: undefined,
  };
}
