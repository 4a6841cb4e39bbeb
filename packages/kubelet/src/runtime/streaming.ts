/** Where a command's input comes from and its output goes to. */
export interface ExecStreams {
  readonly stdin?: AsyncIterable<Uint8Array>;
  stdout(chunk: Uint8Array): void;
  stderr(chunk: Uint8Array): void;
  /** A promise while the reader is behind. */
  drained(): Promise<void> | undefined;
  readonly tty: boolean;
  /** Called with each size that the terminal gets. */
  onResize?(listener: (size: TerminalSize) => void): void;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export interface ExecResult {
  readonly exitCode: number;
}

export interface PortStreams {
  readonly incoming: AsyncIterable<Uint8Array>;
  write(chunk: Uint8Array): void;
}

/** How commands, attachments and ports are connected: by the runtime's own server, or within this process. */
export type Streaming = StreamsByUrl | StreamsInside;

export interface StreamsInside {
  readonly kind: "inside";
  /** Runs a command in a container to its end, or until the signal aborts. */
  exec(id: string, command: readonly string[], streams: ExecStreams, signal: AbortSignal): Promise<ExecResult>;
  /** Connects to what the container's own process reads and writes; resolves when it ends or the signal aborts. */
  attach(id: string, streams: ExecStreams, signal: AbortSignal): Promise<void>;
  /** Whether something listens at a port of the pod. @default transport "tcp" */
  listens(podUid: string, port: number, transport?: "tcp" | "udp"): boolean;
  /** One connection to a port of the pod; of UDP, a flow whose datagrams are behind their lengths in two bytes. @throws RuntimeError where nothing listens */
  openPort(
    podUid: string,
    port: number,
    streams: PortStreams,
    signal: AbortSignal,
    transport?: "tcp" | "udp",
  ): Promise<void>;
}

/** Each method resolves to a URL of the runtime's server, good for one connection (SPDY/3.1 or WebSocket). */
export interface StreamsByUrl {
  readonly kind: "url";
  exec(request: StreamRequest & { readonly command: readonly string[] }): Promise<string>;
  attach(request: StreamRequest): Promise<string>;
  portForward(request: { readonly podUid: string; readonly ports: readonly number[] }): Promise<string>;
}

export interface StreamRequest {
  readonly id: string;
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** What a command without streams left. */
export interface ExecOutput {
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}
