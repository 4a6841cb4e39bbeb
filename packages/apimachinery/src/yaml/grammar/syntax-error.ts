/** Where the grammar is violated. */
export class YamlSyntaxError extends Error {
  /** Counted from 0. */
  readonly line: number;

  constructor(reason: string, text: string, position: number) {
    super(reason);
    this.name = "YamlSyntaxError";
    this.line = text.slice(0, position).split(/\r\n?|\n/).length - 1;
  }
}
