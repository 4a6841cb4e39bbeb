/** What a probe asks for, ports by number. */
export type NetworkProbe =
  | { readonly kind: "http"; readonly port: number; readonly path: string; readonly host: string }
  | { readonly kind: "tcp"; readonly port: number; readonly host: string }
  | { readonly kind: "grpc"; readonly port: number; readonly service: string };

export interface ProbeAnswer {
  readonly success: boolean;
  readonly output: string;
  /** The answer is the same until then: nobody need ask before. @default it may change any time */
  readonly until?: number;
}
