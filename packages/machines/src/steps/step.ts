/** One change to the machine. Plans are lists of them; perform-steps.ts is the only place that carries them out. */
export type Step =
  | { readonly kind: "directory"; readonly path: string; readonly undo?: Undo }
  | { readonly kind: "file"; readonly path: string; readonly content: string; readonly mode?: number }
  /** The content of a file of the kernel, written to another one. */
  | { readonly kind: "copy"; readonly from: string; readonly to: string }
  | { readonly kind: "run"; readonly command: readonly string[]; readonly input?: string; readonly undo?: Undo };

/**
 * What takes a step back when namespaces do not: mounts, processes and interfaces inside of a machine go with its namespaces. Written
 * down before the step is done (undo-log.ts). Each is the name of something that nobody else makes.
 */
export type Undo =
  /** A control group with all below it; its processes are ended. */
  | { readonly kind: "cgroup"; readonly path: string }
  | { readonly kind: "folder"; readonly path: string }
  /** A network interface; routes through it go with it. */
  | { readonly kind: "link"; readonly name: string }
  /** Routes into a network that carry our mark. */
  | { readonly kind: "routes"; readonly network: string }
  /** A table of nftables, with its family: `inet name`. */
  | { readonly kind: "table"; readonly name: string }
  /** A setting of the kernel as it was, unless an interface whose name begins so needs the new one. */
  | { readonly kind: "sysctl"; readonly path: string; readonly value: string; readonly unlessLink: string };
