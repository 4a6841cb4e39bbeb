import type { DocumentAnswer } from "../../request/answer.js";
import type { RequestContext } from "../../request/request-context.js";
import { textAnswer } from "../router-errors.js";

/** A document that is a file to HTTP: clients may ask for parts of it, or only for what they do not have yet. */
export interface Content {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** The type of refusals, where the handler named none. @default contentType */
  readonly refusalType?: string;
  /** With its quotes. */
  readonly etag?: string;
  /** When it was made, in milliseconds since 1970. */
  readonly modifiedAt: number;
  /** Something else was served as made in the same second: a date does not show whether a client has this. @default false */
  readonly isDateAmbiguous?: boolean;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** Answers as Go's http.ServeContent does, except that several ranges at once are answered with the whole. */
export function serveContent({ request }: RequestContext, content: Content): DocumentAnswer {
  const { bytes, contentType, etag, modifiedAt, headers = {}, refusalType = contentType } = content;
  const modified = new Date(modifiedAt).toUTCString();
  const tagged = { ...headers, ...(etag === undefined ? {} : { etag }) };
  const known = { ...tagged, "last-modified": modified };
  const header = (name: string): string =>
    name === "if-modified-since" && content.isDateAmbiguous === true ? "" : (request.header(name) ?? "");
  switch (checkPreconditions(request.method, header, etag, modifiedAt)) {
    case "failed":
      return { as: "document", code: 412, contentType: refusalType, headers: known, bytes: new Uint8Array(0) };
    case "not modified":
      return {
        as: "document",
        code: 304,
        contentType: "",
        headers: etag === undefined ? known : tagged,
        bytes: new Uint8Array(0),
      };
    case "met": {
      const asked = isRangeValid(header("if-range"), etag, modifiedAt) ? header("range") : "";
      const range = asked === "" ? undefined : parseRange(asked, bytes.length);
      const whole = { ...known, "accept-ranges": "bytes" };
      if (range === undefined) return { as: "document", code: 200, contentType, headers: whole, bytes };
      if ("problem" in range) {
        const text = textAnswer(416, `${range.problem}\n`);
        return {
          ...text,
          headers: {
            ...headers,
            ...text.headers,
            ...(range.isBeyond ? { "content-range": `bytes */${bytes.length}` } : {}),
          },
        };
      }
      const { first, end } = range;
      return {
        as: "document",
        code: 206,
        contentType,
        headers: { ...whole, "content-range": `bytes ${first}-${end - 1}/${bytes.length}` },
        bytes: bytes.subarray(first, end),
      };
    }
  }
}

type Verdict = "met" | "failed" | "not modified";

function checkPreconditions(
  method: string,
  header: (name: string) => string,
  etag: string | undefined,
  modifiedAt: number,
): Verdict {
  const reads = method === "GET" || method === "HEAD";
  if (header("if-match") !== "") {
    if (!tagsOf(header("if-match")).some((tag) => tag === "*" || tag === etag)) return "failed";
  } else if (isBefore(header("if-unmodified-since"), modifiedAt)) return "failed";
  if (header("if-none-match") !== "")
    return tagsOf(header("if-none-match")).some((tag) => tag === "*" || tag.replace(/^W\//, "") === etag)
      ? reads
        ? "not modified"
        : "failed"
      : "met";
  const since = Date.parse(header("if-modified-since"));
  return reads && !Number.isNaN(since) && seconds(modifiedAt) <= seconds(since) ? "not modified" : "met";
}

const tagsOf = (list: string): string[] => list.split(",").map((tag) => tag.trim());
const seconds = (ms: number): number => Math.floor(ms / 1000);
/** Whether the time that is named was before the document was made; a text that names none was not. */
const isBefore = (time: string, modifiedAt: number): boolean => seconds(Date.parse(time)) < seconds(modifiedAt);

const isRangeValid = (ifRange: string, etag: string | undefined, modifiedAt: number): boolean =>
  ifRange === "" || ifRange === etag || seconds(Date.parse(ifRange)) === seconds(modifiedAt);

type Range =
  | { readonly first: number; readonly end: number }
  | { readonly problem: string; readonly isBeyond?: boolean };

/** Undefined: all of it. */
function parseRange(text: string, size: number): Range | undefined {
  const list = /^bytes=(.*)$/s.exec(text)?.[1];
  if (list === undefined) return { problem: "invalid range" };
  const specs = list
    .split(",")
    .map((spec) => spec.trim())
    .filter((spec) => spec !== "");
  const ranges: { first: number; end: number }[] = [];
  for (const spec of specs) {
    const match = /^(\d*)\s*-\s*(\d*)$/.exec(spec);
    if (!match || (match[1] === "" && match[2] === "")) return { problem: "invalid range" };
    const [, from = "", to = ""] = match;
    if (from !== "" && to !== "" && Number(from) > Number(to)) return { problem: "invalid range" };
    const first = from === "" ? Math.max(0, size - Number(to)) : Number(from);
    if (first < size) ranges.push({ first, end: from === "" || to === "" ? size : Math.min(size, Number(to) + 1) });
  }
  if (specs.length > 0 && ranges.length === 0) return { problem: "invalid range: failed to overlap", isBeyond: true };
  return ranges.length === 1 ? ranges[0] : undefined;
}
