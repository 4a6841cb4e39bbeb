import { Transform, type TransformCallback } from "node:stream";
import { rewriteAttributes, tagEnd, tagNameEnd } from "./html-tag.js";

/** Which attributes of which elements hold a URL. */
const urlAttributes: Readonly<Record<string, readonly string[]>> = {
  a: ["href"],
  applet: ["codebase"],
  area: ["href"],
  audio: ["src"],
  base: ["href"],
  blockquote: ["cite"],
  body: ["background"],
  button: ["formaction"],
  command: ["icon"],
  del: ["cite"],
  embed: ["src"],
  form: ["action"],
  frame: ["longdesc", "src"],
  head: ["profile"],
  html: ["manifest"],
  iframe: ["longdesc", "src"],
  img: ["longdesc", "src", "usemap"],
  input: ["src", "usemap", "formaction"],
  ins: ["cite"],
  link: ["href"],
  object: ["classid", "codebase", "data", "usemap"],
  q: ["cite"],
  script: ["src"],
  source: ["src"],
  video: ["poster", "src"],
};

/** What stands in them is text, whatever it looks like. */
const rawTextEnds = new Map([
  ["script", /<\/script/gi],
  ["style", /<\/style/gi],
  ["textarea", /<\/textarea/gi],
  ["title", /<\/title/gi],
  ["iframe", /<\/iframe/gi],
  ["noembed", /<\/noembed/gi],
  ["noframes", /<\/noframes/gi],
  ["xmp", /<\/xmp/gi],
  ["plaintext", /<\/plaintext/gi],
]);

const tagStart = /<(?:!--|[!/?]|[A-Za-z])/g;

/** A tag longer than this is handed on as it is. */
const longestTag = 64 * 1024;

/**
 * Rewrites the URLs of a page as it passes. Only tags with a URL in them are touched; all else stays byte for byte.
 * Bytes are held as Latin-1, so that a page in any encoding that contains ASCII passes unharmed.
 */
export class HtmlRewriter extends Transform {
  readonly #rewrite: (url: string) => string;
  #rest = "";
  /** The element whose end is looked for, where its content is not read. */
  #inside = "";

  constructor(rewrite: (url: string) => string) {
    super();
    this.#rewrite = rewrite;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#rest += chunk.toString("latin1");
    this.#pass(false);
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#pass(true);
    done();
  }

  #pass(last: boolean): void {
    let at = 0;
    let out = "";
    const text = this.#rest;
    for (;;) {
      const step = this.#next(text, at);
      if (step === undefined && !last && text.length - at <= longestTag) break;
      // Nothing more to understand in it, or nothing more to come.
      const { output, next } = step ?? { output: text.slice(at), next: text.length };
      out += output;
      at = next;
      if (at >= text.length) break;
    }
    this.#rest = text.slice(at);
    if (out !== "") this.push(Buffer.from(out, "latin1"));
  }

  /** The next piece that is complete; undefined: more is needed. */
  #next(text: string, at: number): { output: string; next: number } | undefined {
    const whole = (end: number): { output: string; next: number } => ({ output: text.slice(at, end), next: end });
    if (this.#inside !== "") {
      const ending = rawTextEnds.get(this.#inside)!;
      ending.lastIndex = at;
      const end = ending.exec(text);
      if (!end)
        return text.length - at > this.#inside.length + 2 ? whole(text.length - this.#inside.length - 2) : undefined;
      this.#inside = "";
      return whole(end.index + 2);
    }
    tagStart.lastIndex = at;
    const found = tagStart.exec(text);
    // The beginning of a tag may be cut in two.
    if (!found) return text.length - at > 4 ? whole(text.length - 4) : undefined;
    if (found.index > at) return whole(found.index);
    if (found[0] === "<!--") {
      const end = text.indexOf("-->", at + 2);
      return end < 0 ? undefined : whole(end + 3);
    }
    // It may still become a comment.
    if (text.length - at < 4 && "<!--".startsWith(text.slice(at))) return undefined;
    if (!/[A-Za-z]/.test(found[0][1] ?? "")) return whole(at + 2);
    const end = tagEnd(text, at);
    if (end === undefined) return undefined;
    const name = text.slice(at + 1, tagNameEnd(text, at)).toLowerCase();
    if (rawTextEnds.has(name)) this.#inside = name;
    return { output: this.#rewriteTag(text.slice(at, end), name), next: end };
  }

  #rewriteTag(tag: string, name: string): string {
    const wanted = Object.hasOwn(urlAttributes, name) ? urlAttributes[name] : undefined;
    if (!wanted) return tag;
    const after = name.length + 1;
    const rewritten = rewriteAttributes(
      tag.slice(after),
      (key) => wanted.includes(key.toLowerCase()),
      (url) => this.#rewrite(url),
    );
    return tag.slice(0, after) + rewritten;
  }
}
