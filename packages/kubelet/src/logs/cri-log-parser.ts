import type { LogLine } from "../runtime/container-runtime.js";

/** Of the time, the stream and the tag in front of a line: a longer one is no line of a container runtime. */
const maxHeaderBytes = 256;
/** Of the content of one `LogLine`: a longer line is handed on in parts, so that a line of any length takes no more memory than this. */
const maxContentBytes = 64 * 1024;

const newline = 0x0a;
const space = 0x20;

/** The line that is being read. */
type State =
  | { readonly at: "header" }
  | { readonly at: "content"; readonly header: Header }
  /** It is not in the format of container runtimes: passed over up to its end. */
  | { readonly at: "skipping" };

interface Header {
  readonly time: string;
  readonly atMs: number;
  readonly stream: LogLine["stream"];
  readonly isPartial: boolean;
}

/**
 * Reads the log format of container runtimes from chunks of a file: `<RFC 3339 time> stdout|stderr P|F <content>`, of which P means
 * that the line goes on in the next one (k8s.io/cri-client/pkg/logs, parseCRILog). Contents are bytes and are never decoded.
 * Contents are views of the chunks: a caller that keeps a line copies it.
 */
export class CriLogParser {
  #state: State = { at: "header" };
  /** The beginning of a header whose end has not been read yet. */
  #pending: Buffer = Buffer.alloc(0);

  *push(chunk: Buffer): Generator<LogLine> {
    let rest = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    this.#pending = Buffer.alloc(0);
    while (rest.length > 0) {
      if (this.#state.at === "header") {
        const read = readHeader(rest);
        if (read === undefined) {
          this.#pending = Buffer.from(rest);
          return;
        }
        this.#state = read.header ? { at: "content", header: read.header } : { at: "skipping" };
        rest = rest.subarray(read.length);
        if (rest.length === 0) return;
      }
      const end = rest.indexOf(newline);
      const content = end < 0 ? rest : rest.subarray(0, end);
      if (this.#state.at === "content") yield* parts(this.#state.header, content, end >= 0);
      if (end >= 0) this.#state = { at: "header" };
      rest = end < 0 ? rest.subarray(rest.length) : rest.subarray(end + 1);
    }
  }
}

/** The content in lines of limited length; only the last one may end the line. */
function* parts({ time, atMs, stream, isPartial }: Header, content: Buffer, isEnd: boolean): Generator<LogLine> {
  for (let from = 0; ; from += maxContentBytes) {
    const part = content.subarray(from, from + maxContentBytes);
    const isLast = from + maxContentBytes >= content.length;
    if (isLast && isEnd && !isPartial) return yield { time, at: atMs, stream, content: part };
    if (part.length > 0) yield { time, at: atMs, stream, content: part, isPartial: true };
    if (isLast) return;
  }
}

/** Undefined: more bytes are needed. Without a header: the line is not in the format. */
function readHeader(bytes: Buffer): { readonly header?: Header; readonly length: number } | undefined {
  const fields: Buffer[] = [];
  let from = 0;
  while (fields.length < 3) {
    const to = bytes.indexOf(space, from);
    const end = bytes.indexOf(newline, from);
    if (to >= 0 && to < maxHeaderBytes && (end < 0 || to < end)) {
      fields.push(bytes.subarray(from, to));
      from = to + 1;
    } else if (end >= 0 || bytes.length >= maxHeaderBytes) return { length: 0 };
    else return undefined;
  }
  const [time = "", stream = "", tags = ""] = fields.map((field) => field.toString("latin1"));
  const atMs = Date.parse(time);
  if (Number.isNaN(atMs) || (stream !== "stdout" && stream !== "stderr")) return { length: 0 };
  return { header: { time, atMs, stream, isPartial: tags.split(":")[0] === "P" }, length: from };
}
