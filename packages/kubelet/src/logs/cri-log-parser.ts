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

const nothing = Buffer.alloc(0);
const inHeader: State = { at: "header" };

/**
 * Reads the log format of container runtimes from chunks of a file: `<RFC 3339 time> stdout|stderr P|F <content>`, of which P means
 * that the line goes on in the next one (k8s.io/cri-client/pkg/logs, parseCRILog). Contents are bytes and are never decoded.
 * Contents are views of the chunks: a caller that keeps a line copies it.
 */
export class CriLogParser {
  #state: State = inHeader;
  /** The beginning of a header whose end has not been read yet. */
  #pending: Buffer = nothing;

  /** The lines, or parts of lines, that the chunk has. */
  push(chunk: Buffer): LogLine[] {
    const lines: LogLine[] = [];
    const bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    this.#pending = nothing;
    for (let from = 0; from < bytes.length; ) {
      const end = bytes.indexOf(newline, from);
      const to = end < 0 ? bytes.length : end;
      let content = from;
      if (this.#state.at === "header") {
        const read = readHeader(bytes, from, to);
        if (!read && end < 0 && to - from < maxHeaderBytes) {
          this.#pending = Buffer.from(bytes.subarray(from));
          break;
        }
        this.#state = read ? { at: "content", header: read.header } : { at: "skipping" };
        content = read?.length ?? from;
      }
      if (this.#state.at === "content") addParts(lines, this.#state.header, bytes.subarray(content, to), end >= 0);
      if (end >= 0) this.#state = inHeader;
      from = to + 1;
    }
    return lines;
  }
}

/** The content in lines of limited length; only the last one may end the line. */
function addParts(lines: LogLine[], header: Header, content: Buffer, isEnd: boolean): void {
  const { time, atMs, stream, isPartial } = header;
  for (let from = 0; ; from += maxContentBytes) {
    const isLast = from + maxContentBytes >= content.length;
    const part = content.length <= maxContentBytes ? content : content.subarray(from, from + maxContentBytes);
    if (isLast && isEnd && !isPartial) lines.push({ time, at: atMs, stream, content: part });
    else if (part.length > 0) lines.push({ time, at: atMs, stream, content: part, isPartial: true });
    if (isLast) return;
  }
}

/** Undefined: from `start` to `end` there is none. `length`: where the content begins. */
function readHeader(
  bytes: Buffer,
  start: number,
  end: number,
): { readonly header: Header; readonly length: number } | undefined {
  const limit = Math.min(end, start + maxHeaderBytes);
  const afterTime = bytes.indexOf(space, start);
  const afterStream = afterTime < 0 ? -1 : bytes.indexOf(space, afterTime + 1);
  const afterTags = afterStream < 0 ? -1 : bytes.indexOf(space, afterStream + 1);
  if (afterTags < 0 || afterTags >= limit) return undefined;
  const time = bytes.toString("latin1", start, afterTime);
  const stream = bytes.toString("latin1", afterTime + 1, afterStream);
  const atMs = Date.parse(time);
  if (Number.isNaN(atMs) || (stream !== "stdout" && stream !== "stderr")) return undefined;
  const isPartial = bytes[afterStream + 1] === letterP && isTagEnd(bytes[afterStream + 2]);
  return { header: { time: withNanoseconds(time), atMs, stream, isPartial }, length: afterTags + 1 };
}

const letterP = 0x50;
/** Further tags stand behind colons. */
const isTagEnd = (byte: number | undefined): boolean => byte === space || byte === 0x3a;

/** Runtimes leave out zeros at the end; nine digits are shown always (upstream's cri-client, RFC3339NanoFixed). */
const withNanoseconds = (time: string): string =>
  time.replace(
    /(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/,
    (_, digits: string | undefined, zone: string) => `.${(digits ?? "").padEnd(9, "0")}${zone}`,
  );
