const beyondBasic = /[\ud800-\udbff]/;

/** Text being written, and how far into its last line it is, in characters. */
export class TextColumn {
  text = "";
  column = 0;

  put(text: string): void {
    this.text += text;
    this.column += beyondBasic.test(text) ? [...text].length : text.length;
  }

  newLine(indent: number): void {
    this.text += `\n${" ".repeat(indent)}`;
    this.column = indent;
  }

  /** Blanks up to a column; what is already beyond it stays. */
  pad(column: number): void {
    if (this.column < column) this.put(" ".repeat(column - this.column));
  }
}
