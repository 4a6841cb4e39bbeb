import type { ExecStreams } from "../runtime/container-runtime.js";

/** Upstream's for probes (`pkg/probe/exec`, `maxReadLength`): what a command writes beyond it is passed over. */
const maxBytes = 10 * 1024;

/** Streams that keep the beginning of what a command writes. */
export function keepOutput(): { readonly streams: ExecStreams; readonly output: string } {
  const decoder = new TextDecoder();
  let left = maxBytes;
  let output = "";
  const keep = (chunk: Uint8Array): void => {
    if (left <= 0) return;
    output += decoder.decode(chunk.subarray(0, left), { stream: true });
    left -= chunk.length;
  };
  return {
    streams: { stdout: keep, stderr: keep, drained: () => undefined, tty: false },
    get output() {
      return output;
    },
  };
}
