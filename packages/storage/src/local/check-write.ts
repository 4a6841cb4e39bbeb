import type { DeleteWrite, PutWrite, Write } from "../contract/key-value-store.js";
import { StoreError } from "../contract/store-error.js";

/** Kubernetes refuses objects above 3 MB long before; this bounds what one write can do to everybody's latency. */
const maxValueBytes = 16 * 1024 * 1024;
const maxKeyBytes = 32 * 1024;
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

const invalid = (message: string): StoreError => new StoreError("invalid", message);

/** @throws StoreError "invalid" for what no engine takes */
export function checkWrites(writes: readonly Write[]): void {
  if (writes.length === 0) throw invalid("a transaction needs at least one write");
  for (const write of writes) {
    if (write.op === "put") checkPut(write);
    else if (write.op === "check range") checkRevision(write);
    else checkExpected(write);
  }
  const keys = writes.flatMap(({ op, key }) => (op === "check range" ? [] : [key]));
  if (keys.length > 1 && new Set(keys).size < keys.length) throw invalid("a transaction may name a key only once");
}

/** @throws StoreError "invalid" */
export function checkPut(write: PutWrite): void {
  checkExpected(write);
  if (write.value.length > maxValueBytes)
    throw invalid(`the value of ${write.key} has ${write.value.length} bytes; at most ${maxValueBytes} are taken`);
}

/** What every write has in common, and all there is to a delete. @throws StoreError "invalid" */
export function checkExpected(write: Pick<DeleteWrite, "key" | "expected">): void {
  checkKey(write.key);
  checkRevision(write);
}

function checkRevision({ key, expected }: Pick<DeleteWrite, "key" | "expected">): void {
  if (!Number.isSafeInteger(expected) || expected < 0)
    throw invalid(`expected is a revision, not ${expected} (key ${key})`);
}

function checkKey(key: string): void {
  if (key === "") throw invalid("a key must not be empty");
  // A lone surrogate has no UTF-8 form: two such keys would become one on disk.
  if (loneSurrogate.test(key)) throw invalid(`the key ${JSON.stringify(key)} is not well-formed Unicode`);
  // At most three bytes per UTF-16 unit.
  if (key.length * 3 > maxKeyBytes && new TextEncoder().encode(key).length > maxKeyBytes)
    throw invalid(`a key may have ${maxKeyBytes} bytes at most`);
}
