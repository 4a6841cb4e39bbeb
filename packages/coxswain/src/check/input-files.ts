import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { ByteCollector } from "@coxswain/wire/bytes";
import { manifestFiles } from "../command/manifest-files.js";

/** A file or folder that cannot be read, or is too long. */
export class InputError extends Error {
  override readonly name = "InputError";
}

export interface InputFile {
  /** As the user named it, or below a folder that was named; `-` is the standard input. */
  readonly name: string;
  readonly text: string;
}

/** Bytes of one input. The whole of a large project's rendered manifests is a tenth of it. */
const maxBytes = 128 * 1024 * 1024;

/**
 * The text of every file, of all manifests below every folder, and of the standard input for `-`.
 * @throws InputError
 */
export async function readInput(words: readonly string[], standardInput: Readable): Promise<InputFile[]> {
  const files: InputFile[] = [];
  for (const word of words) {
    const names = word === "-" ? ["-"] : manifestFiles(word);
    if (!names) throw new InputError(`there is no file or folder ${word}`);
    for (const name of names)
      files.push({ name, text: await readText(name, name === "-" ? standardInput : createReadStream(name)) });
  }
  return files;
}

async function readText(name: string, stream: Readable): Promise<string> {
  const collector = new ByteCollector();
  try {
    for await (const chunk of stream) {
      collector.add(chunk as Uint8Array);
      if (collector.length > maxBytes) throw new InputError(`${name} is longer than ${maxBytes} bytes`);
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${name}: ${(error as Error).message}`, { cause: error });
  }
  return new TextDecoder().decode(collector.take());
}
