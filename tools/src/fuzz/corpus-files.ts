import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The inputs that a target's runs kept, each in a file named by its hash; findings are kept beside them. */
export interface CorpusFiles {
  read(): Uint8Array[];
  keep(input: Uint8Array): void;
  /** @returns the file */
  keepFinding(input: Uint8Array): string;
}

export function openCorpus(directory: string, target: string): CorpusFiles {
  const kept = join(directory, target);
  const findings = join(directory, target, "findings");
  mkdirSync(findings, { recursive: true });
  const write = (folder: string, input: Uint8Array): string => {
    const file = join(folder, createHash("sha256").update(input).digest("hex").slice(0, 24));
    if (!existsSync(file)) writeFileSync(file, input);
    return file;
  };
  return {
    read: () =>
      [kept, findings].flatMap((folder) =>
        readdirSync(folder, { withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => readFileSync(join(folder, entry.name))),
      ),
    keep: (input) => void write(kept, input),
    keepFinding: (input) => write(findings, input),
  };
}
