import type { Input, Output } from "./streams.js";

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export interface TerminalOptions {
  /** What is typed. */
  readonly keys: AsyncIterable<Uint8Array>;
  /** What is shown. */
  readonly screen: Output;
}

/** Characters of a line; more are not taken, as a terminal's driver has MAX_CANON. */
const maxLine = 4096;
/** Lines of the history, and lines that are typed ahead. */
const maxLines = 500;

/**
 * A terminal as the kernel and a shell's line editor make it together: keys are echoed and edited, a line is read when Enter is pressed,
 * Ctrl-C interrupts, Ctrl-D ends the input, arrows move and bring back earlier lines. What is written gets a carriage return before each
 * newline (ONLCR).
 */
export class Terminal {
  readonly #screen: Output;
  readonly #lines: string[] = [];
  readonly #history: string[] = [];
  readonly #waiting: (() => void)[] = [];
  /** Before the line that is edited now. */
  #prompt = "";
  #line: string[] = [];
  #cursor = 0;
  /** The line of the history that is shown; its length: none. */
  #shown = 0;
  /** What was typed before an arrow brought an earlier line back. */
  #typed: string[] = [];
  #escape: string | undefined;
  #isEnded = false;
  #eofs = 0;
  #interrupt: (() => void) | undefined;
  #size: TerminalSize = { columns: 80, rows: 24 };
  #isSized = false;

  constructor({ keys, screen }: TerminalOptions) {
    this.#screen = screen;
    void this.#follow(keys);
  }

  /** Writes as programs do: lines end with a newline. */
  readonly output: Output = {
    write: (chunk) => this.#screen.write(withReturns(chunk)),
    drained: () => this.#screen.drained(),
  };

  /** Reads as programs do: a line at a time, when it is complete. */
  readonly input: Input = {
    read: async () => {
      const line = await this.#next();
      return line === undefined ? undefined : Buffer.from(`${line}\n`);
    },
  };

  get size(): TerminalSize {
    return this.#size;
  }

  /**
   * The window's size, whenever it changes. Line editors draw their line again then (SIGWINCH): a client that attaches to a shell that
   * prompted before sees the prompt, as kubectl sends two sizes. The first size is the one that the window had all the time.
   */
  resize(size: TerminalSize): void {
    const isChange = this.#isSized && (size.columns !== this.#size.columns || size.rows !== this.#size.rows);
    this.#size = size;
    this.#isSized = true;
    if (isChange && this.#prompt !== "") this.#redraw();
  }

  /** A line of a shell, with a prompt in front; undefined: the input is over. */
  async readLine(prompt: string): Promise<string | undefined> {
    this.#prompt = prompt;
    this.#shown = this.#history.length;
    this.#show(prompt + this.#line.join(""));
    const line = await this.#next();
    this.#prompt = "";
    if (line !== undefined && line.trim() !== "" && line !== this.#history.at(-1)) {
      this.#history.push(line);
      if (this.#history.length > maxLines) this.#history.shift();
    }
    return line;
  }

  /** What Ctrl-C does from now on; undefined: it drops the line. Returns what was there before. */
  onInterrupt(interrupt: (() => void) | undefined): (() => void) | undefined {
    const before = this.#interrupt;
    this.#interrupt = interrupt;
    return before;
  }

  async #next(): Promise<string | undefined> {
    for (;;) {
      const line = this.#lines.shift();
      if (line !== undefined) return line;
      if (this.#eofs > 0) return void this.#eofs--;
      if (this.#isEnded) return undefined;
      await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    }
  }

  #wake(): void {
    for (const goOn of this.#waiting.splice(0)) goOn();
  }

  async #follow(keys: AsyncIterable<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of keys) for (const key of decoder.decode(chunk, { stream: true })) this.#press(key);
    } catch {
      // The client is gone: the input is over.
    }
    this.#isEnded = true;
    this.#wake();
  }

  #show(text: string): void {
    if (text !== "") this.#screen.write(Buffer.from(text));
  }

  #press(key: string): void {
    if (this.#escape !== undefined) return this.#inEscape(key);
    switch (key) {
      case "\x1b":
        this.#escape = "";
        return;
      case "\r":
      case "\n":
        return this.#enter();
      case "\x03":
        return this.#cancel();
      case "\x04":
        if (this.#line.length > 0) return;
        if (this.#prompt !== "") this.#show("\r\n");
        this.#eofs++;
        return this.#wake();
      case "\x7f":
      case "\b":
        if (this.#cursor > 0) this.#edit(this.#cursor - 1, 1);
        return;
      case "\x15": // Ctrl-U
        return this.#edit(0, this.#cursor);
      case "\x0b": // Ctrl-K
        return this.#edit(this.#cursor, this.#line.length - this.#cursor);
      case "\x17": // Ctrl-W
        return this.#eraseWord();
      case "\x01":
        return this.#move(0);
      case "\x05":
        return this.#move(this.#line.length);
      case "\x0c": // Ctrl-L
        this.#show("\x1b[H\x1b[J");
        return this.#redraw();
      default:
        // Nothing is completed here: a shell at its prompt rings, as others do where nothing fits.
        if (key === "\t" && this.#prompt !== "") this.#show("\x07");
        else if (key >= " " || key === "\t") this.#insert(key);
    }
  }

  #inEscape(key: string): void {
    const sequence = `${this.#escape}${key}`;
    const isOver = sequence.length > 8 || (sequence.length > 1 && /[A-Za-z~]/.test(key)) || !/^[[O]/.test(sequence);
    this.#escape = isOver ? undefined : sequence;
    if (!isOver) return;
    switch (sequence.slice(1)) {
      case "A":
        return this.#recall(this.#shown - 1);
      case "B":
        return this.#recall(this.#shown + 1);
      case "C":
        return this.#move(Math.min(this.#cursor + 1, this.#line.length));
      case "D":
        return this.#move(Math.max(this.#cursor - 1, 0));
      case "H":
      case "1~":
        return this.#move(0);
      case "F":
      case "4~":
        return this.#move(this.#line.length);
      case "3~":
        if (this.#cursor < this.#line.length) this.#edit(this.#cursor, 1);
    }
  }

  #enter(): void {
    this.#show("\r\n");
    if (this.#lines.length < maxLines) this.#lines.push(this.#line.join(""));
    this.#clear();
    this.#wake();
  }

  #clear(): void {
    this.#line = [];
    this.#cursor = 0;
    this.#shown = this.#history.length;
  }

  #cancel(): void {
    this.#show("^C\r\n");
    this.#lines.length = 0;
    this.#clear();
    if (this.#prompt !== "") this.#show(this.#prompt);
    this.#interrupt?.();
  }

  #insert(key: string): void {
    if (this.#line.length >= maxLine) return this.#show("\x07");
    this.#line.splice(this.#cursor++, 0, key);
    if (this.#cursor === this.#line.length) this.#show(key);
    else this.#redraw();
  }

  #edit(at: number, count: number): void {
    if (count === 0) return;
    this.#line.splice(at, count);
    this.#cursor = at;
    this.#redraw();
  }

  #eraseWord(): void {
    let start = this.#cursor;
    while (start > 0 && this.#line[start - 1] === " ") start--;
    while (start > 0 && this.#line[start - 1] !== " ") start--;
    this.#edit(start, this.#cursor - start);
  }

  #move(cursor: number): void {
    this.#cursor = cursor;
    this.#redraw();
  }

  #recall(number: number): void {
    if (this.#prompt === "" || number < 0 || number > this.#history.length) return;
    if (this.#shown === this.#history.length) this.#typed = this.#line;
    this.#shown = number;
    this.#line = number === this.#history.length ? this.#typed : [...(this.#history[number] as string)];
    this.#cursor = this.#line.length;
    this.#redraw();
  }

  /** The prompt and the line anew, with the cursor in its place. */
  #redraw(): void {
    const back = this.#line.length - this.#cursor;
    this.#show(`\r${this.#prompt}${this.#line.join("")}\x1b[K${back > 0 ? `\x1b[${back}D` : ""}`);
  }
}

const newline = 0x0a;

function withReturns(chunk: Uint8Array): Uint8Array {
  if (!chunk.includes(newline)) return chunk;
  let last = 0;
  const parts: Uint8Array[] = [];
  for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) {
    parts.push(chunk.subarray(last, at), lineEnd);
    last = at + 1;
  }
  parts.push(chunk.subarray(last));
  return Buffer.concat(parts);
}

const lineEnd = new Uint8Array([0x0d, 0x0a]);
