/** What the API server, or the way to it, has against a request. */
export interface Problem {
  readonly message: string;
  readonly reason: string;
  readonly code: number;
  /** Fields that the server refuses, each with its sentence. */
  readonly causes?: readonly { readonly field: string; readonly message: string }[];
}
