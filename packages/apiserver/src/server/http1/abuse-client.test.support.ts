import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";

export interface Http1Answer {
  readonly code: number;
  /** By lower-case name; the last of several. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Nothing has this name: the answer shows that a connection is still read, and where one request ends and the next begins. */
const probe = "GET /api/v1/namespaces/the-next-request HTTP/1.1\r\nHost: x\r\n\r\n";
const isProbe = ({ body }: Http1Answer): boolean => body.includes("the-next-request");

/** One connection of HTTP/1.1 on which any bytes can be sent. */
export class RawHttp1 {
  readonly socket: TLSSocket;
  #received = Buffer.alloc(0);
  #isClosed = false;
  #onChange: () => void = () => {};

  constructor(options: ConnectionOptions) {
    this.socket = connect({ host: "127.0.0.1", ...options, ALPNProtocols: ["http/1.1"] });
    this.socket.on("data", (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#onChange();
    });
    this.socket.on("error", () => {});
    this.socket.once("close", () => {
      this.#isClosed = true;
      this.#onChange();
    });
  }

  send(bytes: string | Uint8Array): void {
    if (!this.socket.destroyed) this.socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  }

  /** The whole answers so far. */
  answers(): Http1Answer[] {
    return parseAnswers(this.#received, this.#isClosed);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Resolves once `isEnough`, or the connection is closed. */
  async until(isEnough: (answers: readonly Http1Answer[]) => boolean): Promise<void> {
    while (!this.#isClosed && !isEnough(this.answers()))
      await new Promise<void>((resolve) => (this.#onChange = resolve));
  }

  /**
   * What comes of these bytes and of a further request right behind them: the answers' codes, and their texts where they are plain, up to
   * the further request's answer ("open") or the end of the connection ("closed"). `ends`: the client ends its side in place of asking;
   * what it is answered then depends on what is noticed first, and only the end is waited for.
   */
  async outcome(bytes: string | Uint8Array, { ends = false } = {}): Promise<string> {
    this.send(bytes);
    if (ends) {
      this.socket.end();
      await this.until(() => false);
      return "closed";
    }
    this.send(probe);
    await this.until((answers) => answers.some(isProbe));
    const answers = this.answers();
    const end = answers.findIndex(isProbe);
    const words = (end < 0 ? answers : answers.slice(0, end)).map(wordOf);
    return [...words, end < 0 ? "closed" : "open"].join(", ");
  }
}

function wordOf({ code, headers, body }: Http1Answer): string {
  const isPlain = (headers["content-type"] ?? "").startsWith("text/plain");
  const text = isPlain && code >= 400 ? body.trim().replace(/^\d+ /, "") : "";
  return text === "" ? String(code) : `${code} ${text}`;
}

function parseAnswers(bytes: Buffer, isClosed: boolean): Http1Answer[] {
  const answers: Http1Answer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const headEnd = bytes.indexOf("\r\n\r\n", at);
    if (headEnd < 0) break;
    const [status = "", ...lines] = bytes.toString("latin1", at, headEnd).split("\r\n");
    const code = Number(status.split(" ")[1]);
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
    );
    const found = bodyOf(bytes, headEnd + 4, code, headers, isClosed);
    if (found === undefined) break;
    answers.push({ code, headers, body: found.body });
    at = found.end;
  }
  return answers;
}

/** Undefined: it is not here as a whole. */
function bodyOf(
  bytes: Buffer,
  start: number,
  code: number,
  headers: Readonly<Record<string, string>>,
  isClosed: boolean,
): { readonly body: string; readonly end: number } | undefined {
  if (code < 200 || code === 204 || code === 304) return { body: "", end: start };
  if (headers["transfer-encoding"] === "chunked") return chunkedBody(bytes, start);
  const length = headers["content-length"];
  const end = length === undefined ? bytes.length : start + Number(length);
  if (end > bytes.length || (length === undefined && !isClosed)) return undefined;
  return { body: bytes.toString("latin1", start, end), end };
}

function chunkedBody(bytes: Buffer, start: number): { readonly body: string; readonly end: number } | undefined {
  let body = "";
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    const end = lineEnd + 2 + size;
    if (bytes.length < end + 2) return undefined;
    if (size === 0) return { body, end: end + 2 };
    body += bytes.toString("latin1", lineEnd + 2, end);
    at = end + 2;
  }
}
