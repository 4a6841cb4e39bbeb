import { Transform, type TransformCallback } from "node:stream";

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
const rawText = new Set(["script", "style", "textarea", "title", "iframe", "noembed", "noframes", "xmp", "plaintext"]);

const tagStart = /<(?:!--|[!/?]|[A-Za-z])/g;
/** A whole start tag: quoted values may hold the sign that would end it. */
const startTag = /<([A-Za-z][^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/y;
const attribute = /([^\s=/>"']+)(\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;

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
      const end = text.toLowerCase().indexOf(`</${this.#inside}`, at);
      if (end < 0)
        return text.length - at > this.#inside.length + 2 ? whole(text.length - this.#inside.length - 2) : undefined;
      this.#inside = "";
      return whole(end + 2);
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
    startTag.lastIndex = at;
    const tag = startTag.exec(text);
    if (!tag) return undefined;
    const name = (tag[1] ?? "").toLowerCase();
    if (rawText.has(name)) this.#inside = name;
    return { output: this.#rewriteTag(tag[0], name), next: startTag.lastIndex };
  }

  #rewriteTag(tag: string, name: string): string {
    const wanted = Object.hasOwn(urlAttributes, name) ? urlAttributes[name] : undefined;
    if (!wanted) return tag;
    const after = name.length + 1;
    return (
      tag.slice(0, after) +
      tag
        .slice(after)
        .replace(attribute, (all, key: string, equals: string, double?: string, single?: string, bare?: string) => {
          if (!wanted.includes(key.toLowerCase())) return all;
          const quote = single === undefined ? '"' : "'";
          return `${key}${equals}${quote}${this.#rewrite(double ?? single ?? bare ?? "")}${quote}`;
        })
    );
  }
}
