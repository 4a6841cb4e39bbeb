export interface ListenAddress {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

export interface Listening {
  readonly port: number;
  stop(): Promise<void>;
}
