import type { KeyRecord } from "../key-value-store.js";
import { StoreError } from "../store-error.js";
import { identityTransformer, type ReadValue, type Transformer } from "./transformer.js";

/** Opens and seals records. Answers at once where the transformer does. */
export interface Codec {
  /** Whether values of this key are kept as they are. */
  isPlain(key: string): boolean;
  seal(key: string, value: Uint8Array): Uint8Array | Promise<Uint8Array>;
  openValue(key: string, kept: Uint8Array): ReadValue | Promise<ReadValue>;
  open(record: KeyRecord): KeyRecord | Promise<KeyRecord>;
  openAll(records: readonly KeyRecord[]): readonly KeyRecord[] | Promise<readonly KeyRecord[]>;
}

export function createCodec(transformerFor: (key: string) => Transformer): Codec {
  const unreadable =
    (key: string) =>
    (error: unknown): never => {
      throw new StoreError(
        "unreadable",
        `unable to transform key ${JSON.stringify(key)}: ${(error as Error).message}`,
        { cause: error },
      );
    };
  const openValue: Codec["openValue"] = (key, kept) => {
    try {
      const read = transformerFor(key).read(kept, Buffer.from(key));
      return read instanceof Promise ? read.catch(unreadable(key)) : read;
    } catch (error) {
      return unreadable(key)(error);
    }
  };
  const opened = (record: KeyRecord, { value, stale }: ReadValue): KeyRecord =>
    stale ? { ...record, value, stale } : value === record.value ? record : { ...record, value };
  const open: Codec["open"] = (record) => {
    // There is no value to decrypt.
    if (record.damage !== undefined) return record;
    const read = openValue(record.key, record.value);
    return read instanceof Promise ? read.then((value) => opened(record, value)) : opened(record, read);
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
