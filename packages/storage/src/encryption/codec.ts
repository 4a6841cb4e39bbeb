import type { KeyRecord, UnreadableValue } from "../contract/key-value-store.js";
import { StoreError } from "../contract/store-error.js";
import { describeWriter } from "./describe-writer.js";
import { identityTransformer, type ReadValue, type Transformer } from "./transformer.js";

/** Opens and seals records. Answers at once where the transformer does. */
export interface Codec {
  /** Whether values of this key are kept as they are. */
  isPlain(key: string): boolean;
  seal(key: string, value: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** @throws StoreError "unreadable", at once or by rejection */
  openValue(key: string, kept: Uint8Array): ReadValue | Promise<ReadValue>;
  /** Never fails: a value that cannot be read is a record that is marked so. */
  open(record: KeyRecord): KeyRecord | Promise<KeyRecord>;
  openAll(records: readonly KeyRecord[]): readonly KeyRecord[] | Promise<readonly KeyRecord[]>;
}

export function createCodec(transformerFor: (key: string) => Transformer): Codec {
  const unreadable = (kept: Uint8Array, error: unknown): UnreadableValue => ({
    step: "transform",
    message: `${error instanceof Error ? error.message : String(error)}${describeWriter(kept)}`,
  });
  const read = (key: string, kept: Uint8Array): ReadValue | Promise<ReadValue> =>
    transformerFor(key).read(kept, Buffer.from(key));
  const openValue: Codec["openValue"] = (key, kept) => {
    const failed = (error: unknown): never => {
      throw unreadableError(key, unreadable(kept, error), error);
    };
    try {
      const value = read(key, kept);
      return value instanceof Promise ? value.catch(failed) : value;
    } catch (error) {
      return failed(error);
    }
  };
  const opened = (record: KeyRecord, { value, stale }: ReadValue): KeyRecord =>
    stale ? { ...record, value, stale } : value === record.value ? record : { ...record, value };
  const open: Codec["open"] = (record) => {
    if (record.unreadable) return record; // there is no value to decrypt
    const failed = (error: unknown): KeyRecord => ({ ...record, unreadable: unreadable(record.value, error) });
    try {
      const value = read(record.key, record.value);
      return value instanceof Promise ? value.then((known) => opened(record, known), failed) : opened(record, value);
    } catch (error) {
      return failed(error);
    }
  };
  return {
    isPlain: (key) => transformerFor(key) === identityTransformer,
    openValue,
    open,
    openAll(records) {
      const all = records.map(open);
      return all.some((one) => one instanceof Promise) ? Promise.all(all) : (all as KeyRecord[]);
    },
    seal(key, value) {
      // A value that cannot be encrypted is not written: the store itself is well.
      const failed = (error: unknown): never => {
        throw new StoreError(
          "unavailable",
          `the value of ${JSON.stringify(key)} cannot be encrypted: ${(error as Error).message}`,
          { cause: error },
        );
      };
      try {
        const kept = transformerFor(key).write(value, Buffer.from(key));
        return kept instanceof Promise ? kept.catch(failed) : kept;
      } catch (error) {
        return failed(error);
      }
    },
  };
}

/** What reading the one value of `key` fails with, in the words of upstream's list (`etcd3/store.go`, `GetList`). */
export const unreadableError = (key: string, { step, message }: UnreadableValue, cause?: unknown): StoreError =>
  new StoreError("unreadable", `unable to ${step} key ${JSON.stringify(key)}: ${message}`, { cause });
