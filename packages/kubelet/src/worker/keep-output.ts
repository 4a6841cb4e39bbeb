import type { ExecOutput } from "../runtime/container-runtime.js";

/** Upstream's for probes (`pkg/probe/exec`, `maxReadLength`): what a command writes beyond it is passed over. */
const maxBytes = 10 * 1024;

/** The beginning of what a command wrote: its output, then its errors, as `RunInContainer` of upstream's kuberuntime joins them. */
export const keepOutput = ({ stdout, stderr }: ExecOutput): string =>
  new TextDecoder().decode(Buffer.concat([stdout, stderr]).subarray(0, maxBytes));
