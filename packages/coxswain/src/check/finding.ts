/** What a check found in an object or a file. */
export interface Finding {
  /** `warning`: the server accepts it. `skipped`: it was not checked. */
  readonly level: "error" | "warning" | "skipped";
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** As people name it, `Deployment default/web`; missing where a document is no object. */
  readonly object?: string | undefined;
  /** `spec.template.spec.containers[0].image`, where the server names one. */
  readonly field?: string | undefined;
  /** The reason of the server's Status, or one of ours: `Unreadable`, `NoMatch`, `Repeated`, `Warning`. */
  readonly reason: string;
  readonly message: string;
}

/** An object of the input, and where it stands. */
export interface CheckedObject {
  readonly file: string;
  readonly line: number;
  readonly name: string;
}

export interface CheckResult {
  /** In the order of the input. */
  readonly objects: readonly CheckedObject[];
  readonly findings: readonly Finding[];
}

export const count = ({ findings }: CheckResult, level: Finding["level"]): number =>
  findings.filter((finding) => finding.level === level).length;
