import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "../clients/run-program.js";

const script = fileURLToPath(new URL("../../store-robustness/print-log.mjs", import.meta.url));

interface Portion {
  readonly revisions: readonly { readonly revision: number }[];
  readonly compacted: number;
}

/** What the store wrote, read out of its files whenever it is down, so that compaction takes nothing away that was not read. */
export class StoreLog {
  readonly #directory: string;
  readonly #revisions: Portion["revisions"][number][] = [];
  readonly #compacted: number[] = [];

  constructor(dataDir: string) {
    this.#directory = join(dataDir, "store");
  }

  /** The last revision that was read. An empty store is at revision 1. */
  get revision(): number {
    return this.#revisions.at(-1)?.revision ?? 1;
  }

  async readOn(): Promise<void> {
    const { code, stdout, stderr } = await runProgram(process.execPath, [
      script,
      this.#directory,
      String(this.revision),
    ]);
    if (code !== 0) throw new Error(`the store's files cannot be read: ${stderr}`);
    const { revisions, compacted } = JSON.parse(stdout) as Portion;
    this.#revisions.push(...revisions);
    this.#compacted.push(compacted);
  }

  toJSON(): unknown {
    return { revisions: this.#revisions, compacted: this.#compacted };
  }
}
