/** What a worker is started with. */
export interface WorkerInput {
  readonly target: string;
  readonly seed: string;
  readonly seconds: number;
  /** Of the corpora. */
  readonly directory: string;
  readonly isGuided: boolean;
  /** Written before each execution, so that an input that never returns is known: the bytes, and how many executions and bytes. */
  readonly shared: { readonly input: SharedArrayBuffer; readonly progress: SharedArrayBuffer };
}

export interface WorkerReport {
  readonly executions: number;
  readonly accepted: number;
  readonly corpus: number;
  readonly blocks: number;
  readonly findings: readonly { readonly file: string; readonly text: string }[];
}
