export interface Progress {
  show(done: { readonly keys: number; readonly of: number }): void;
  /** Before anything else is printed. */
  end(): void;
}

export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** One line that is written over, for somebody who watches a terminal; a log gets nothing. */
export function createProgress(what: string, output: ProgressOutput = process.stderr): Progress {
  let last = -1;
  return {
    show({ keys, of }) {
      const percent = of === 0 ? 100 : Math.floor((keys / of) * 100);
      if (!output.isTTY || percent === last) return;
      last = percent;
      output.write(`\r${what}: ${keys} of ${of} keys (${percent}%)\u001b[K`);
    },
    end() {
      if (last >= 0) output.write("\r\u001b[K");
      last = -1;
    },
  };
}
