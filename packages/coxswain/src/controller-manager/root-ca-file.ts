import { readFileSync } from "node:fs";
import { signingFirst } from "@coxswain/component/certificates";
import { watchFiles } from "@coxswain/component/files";
import type { RootCa } from "@coxswain/controllers";

/**
 * `--root-ca-file`, followed: unlike upstream's, which is read once. What cannot be read is being replaced: the last one counts.
 * @param keyFile of the authority that signs; its certificate comes first where the bundle has it
 */
export function rootCaOfFile(file: string, keyFile: string | undefined): RootCa {
  const read = (): string => {
    const bundle = readFileSync(file, "utf8");
    return keyFile === undefined ? bundle : signingFirst(bundle, readFileSync(keyFile, "utf8"));
  };
  let current = read();
  const listeners: (() => void)[] = [];
  watchFiles(keyFile === undefined ? [file] : [file, keyFile], () => {
    try {
      current = read();
    } catch {
      return; // between two files; their watch wakes again
    }
    for (const listener of listeners) listener();
  });
  return { current: () => current, onChange: (listener) => void listeners.push(listener) };
}
