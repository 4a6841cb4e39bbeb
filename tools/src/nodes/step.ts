/** One change to the machine. Plans are lists of them; perform-steps.ts is the only place that carries them out. */
export type Step =
  | { readonly kind: "directory"; readonly path: string; readonly undo?: Undo }
  | { readonly kind: "file"; readonly path: string; readonly content: string; readonly mode?: number }
  /** The content of a file of the kernel, written to another one. */
  | { readonly kind: "copy"; readonly from: string; readonly to: string }
  | { readonly kind: "run"; readonly command: readonly string[] };

/**
 * What takes a step back when namespaces do not: network interfaces, mounts and processes go with theirs. Written down before the
 * step is done (undo-log.ts).
 */
export type Undo =
  /** A control group with all below it. */
  { readonly kind: "cgroup"; readonly path: string } | { readonly kind: "folder"; readonly path: string };
