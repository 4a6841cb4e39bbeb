import { quoteGo } from "../text/go-quote.js";

/** Unknown and duplicate fields, each once and at most a hundred, in upstream's words. */
export class StrictErrors {
  readonly texts: string[] = [];
  readonly #seen = new Set<string>();

  unknown(path: string): void {
    this.#add(`unknown field ${quoteGo(path)}`);
  }

  duplicate(path: string): void {
    this.#add(`duplicate field ${quoteGo(path)}`);
  }

  #add(text: string): void {
    if (this.texts.length >= 100 || this.#seen.has(text)) return;
    this.#seen.add(text);
    this.texts.push(text);
  }
}

/** How upstream joins them when they are an error (`fieldValidation=Strict`). */
export const strictDecodingMessage = (texts: readonly string[]): string => `strict decoding error: ${texts.join(", ")}`;
