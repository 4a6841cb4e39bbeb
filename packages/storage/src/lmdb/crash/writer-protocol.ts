import { createHash } from "node:crypto";

/** What the writer process reports to the one that will kill it: one line of JSON each, written before it goes on. */
export type WriterLine =
  | { readonly event: "open"; readonly revision: number }
  | {
      readonly event: "written";
      readonly key: string;
      readonly revision: number;
      readonly deleted: boolean;
      readonly nonce: string;
    }
  | { readonly event: "compacted"; readonly revision: number }
  | { readonly event: "defragmented"; readonly revision: number }
  | { readonly event: "backed up"; readonly revision: number; readonly file: string };

/** A value that shows by itself whose it is and whether it is whole. */
export function valueFor(key: string, nonce: string, size: number): Buffer {
  const filler = "x".repeat(size);
  const text = JSON.stringify({ key, nonce, filler });
  return Buffer.from(`${text}\n${createHash("sha1").update(text).digest("hex")}`);
}

/** The nonce of a value. @throws if the value is torn or another key's */
export function nonceOf(key: string, value: Uint8Array): string {
  const [text = "", digest] = Buffer.from(value).toString().split("\n");
  if (createHash("sha1").update(text).digest("hex") !== digest) throw new Error(`the value of ${key} is torn`);
  const parsed = JSON.parse(text) as { key: string; nonce: string };
  if (parsed.key !== key) throw new Error(`${key} has the value of ${parsed.key}`);
  return parsed.nonce;
}
