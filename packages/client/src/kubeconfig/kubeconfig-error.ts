export interface KubeconfigPlace {
  /** The file; undefined where the text came from elsewhere. */
  readonly file?: string | undefined;
  readonly context?: string | undefined;
  /** For example `users["me"].user.client-key-data`. */
  readonly field?: string | undefined;
}

/** A kubeconfig that cannot be used. The message names the file, the context and the field. */
export class KubeconfigError extends Error {
  readonly file: string | undefined;
  readonly context: string | undefined;
  readonly field: string | undefined;

  constructor(problem: string, { file, context, field }: KubeconfigPlace, options?: { cause?: unknown }) {
    const place = [
      file === undefined ? "kubeconfig" : `kubeconfig ${file}`,
      ...(context === undefined ? [] : [`context ${JSON.stringify(context)}`]),
      ...(field === undefined ? [] : [field]),
    ];
    super(`${place.join(", ")}: ${problem}`, options);
    this.name = "KubeconfigError";
    this.file = file;
    this.context = context;
    this.field = field;
  }
}
