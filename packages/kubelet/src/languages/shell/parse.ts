import type { Budget } from "../budget.js";
import type { Redirect, ShellNode, Word } from "./syntax.js";
import { WordReader } from "./word-reader.js";

/** What a part of a parsed script takes in memory. */
const nodeBytes = 256;

const reserved = new Set(["then", "else", "elif", "fi", "do", "done", "esac", "}", "in"]);

/**
 * @param budget holds what the parsed script takes
 * @throws ShellSyntaxError, OverBudget
 */
export function parseScript(text: string, budget: Budget): ShellNode {
  budget.hold(text.length);
  const parser = new Parser(text, () => budget.hold(nodeBytes));
  const script = parser.list(() => false);
  parser.end();
  return script;
}

class Parser extends WordReader {
  /** Nothing but white space may be left. */
  end(): void {
    this.skipLines();
    if (!this.isAtEnd) throw this.unexpected();
  }

  protected override parseCommand(): ShellNode {
    const body = this.list(() => this.peek(")"));
    this.expect(")");
    return body;
  }

  /** Commands up to what `isOver` recognizes; it may be empty. */
  list(isOver: () => boolean): ShellNode {
    this.enter();
    const items: { node: ShellNode; background: boolean }[] = [];
    for (;;) {
      this.skipLines();
      if (this.isAtEnd || isOver() || this.peek(")") || this.peek(";;") || this.#atReserved()) break;
      const node = this.#andOr();
      this.skipSpace();
      const background = this.peek("&") && !this.peek("&&");
      if (background || (this.peek(";") && !this.peek(";;"))) this.take(1);
      items.push({ node, background });
      this.count();
    }
    this.leave();
    return { type: "list", items };
  }

  #atReserved(): boolean {
    return reserved.has(this.peekWord());
  }

  #andOr(): ShellNode {
    const first = this.#pipeline();
    const rest: { type: "and" | "or"; node: ShellNode }[] = [];
    for (;;) {
      this.skipSpace();
      const type = this.peek("&&") ? "and" : this.peek("||") ? "or" : undefined;
      if (!type) return rest.length === 0 ? first : { type: "and-or", first, rest };
      this.take(2);
      this.skipLines();
      rest.push({ type, node: this.#pipeline() });
    }
  }

  #pipeline(): ShellNode {
    this.skipSpace();
    const negated = this.peekWord() === "!";
    if (negated) this.take(1);
    const parts = [this.#command()];
    for (;;) {
      this.skipSpace();
      if (!this.peek("|") || this.peek("||")) break;
      this.take(1);
      this.skipLines();
      parts.push(this.#command());
    }
    return parts.length === 1 && !negated ? (parts[0] as ShellNode) : { type: "pipe", parts, negated };
  }

  #command(): ShellNode {
    this.count();
    this.skipSpace();
    if (this.peek("(")) {
      this.take(1);
      const body = this.parseCommand();
      return { type: "subshell", body, redirects: this.#redirects() };
    }
    switch (this.peekWord()) {
      case "{":
        return this.#compound("{", () => {
          const body = this.list(() => false);
          this.#word("}");
          return { type: "group", body, redirects: this.#redirects() };
        });
      case "if":
        return this.#compound("if", () => this.#if());
      case "while":
      case "until":
        return this.#loop();
      case "for":
        return this.#compound("for", () => this.#for());
      case "case":
        return this.#compound("case", () => this.#case());
      case "function":
        this.#word("function");
        return this.#function(this.peekWord());
    }
    const name = this.peekWord();
    return name !== "" && this.followedByParentheses(name) ? this.#function(name) : this.#simple();
  }

  #compound(word: string, parse: () => ShellNode): ShellNode {
    this.#word(word);
    return parse();
  }

  #word(word: string): void {
    this.skipLines();
    if (this.peekWord() !== word) throw this.unexpected(word);
    this.take(word.length);
  }

  #function(name: string): ShellNode {
    this.skipSpace();
    this.take(name.length);
    this.skipSpace();
    if (this.peek("(")) {
      this.take(1);
      this.skipSpace();
      this.expect(")");
    }
    this.skipLines();
    this.enter();
    const body = this.#command();
    this.leave();
    return { type: "function", name, body };
  }

  #if(): ShellNode {
    const branches: { test: ShellNode; body: ShellNode }[] = [];
    let otherwise: ShellNode | undefined;
    for (;;) {
      const test = this.list(() => false);
      this.#word("then");
      branches.push({ test, body: this.list(() => false) });
      const next = this.peekWord();
      if (next === "elif") {
        this.#word("elif");
        continue;
      }
      if (next === "else") {
        this.#word("else");
        otherwise = this.list(() => false);
      }
      this.#word("fi");
      return { type: "if", branches, ...(otherwise && { otherwise }), redirects: this.#redirects() };
    }
  }

  #loop(): ShellNode {
    const until = this.peekWord() === "until";
    this.#word(until ? "until" : "while");
    const test = this.list(() => false);
    return { type: "loop", until, test, body: this.#doGroup(), redirects: this.#redirects() };
  }

  #doGroup(): ShellNode {
    this.#word("do");
    const body = this.list(() => false);
    this.#word("done");
    return body;
  }

  #for(): ShellNode {
    this.skipSpace();
    const name = this.peekWord();
    this.take(name.length);
    this.skipLines();
    let words: Word[] | undefined;
    if (this.peekWord() === "in") {
      this.#word("in");
      words = this.#words();
    }
    this.skipSpace();
    if (this.peek(";")) this.take(1);
    return { type: "for", name, ...(words && { words }), body: this.#doGroup(), redirects: this.#redirects() };
  }

  #words(): Word[] {
    const words: Word[] = [];
    for (let word = this.word(); word !== undefined; word = this.word()) words.push(word);
    return words;
  }

  #case(): ShellNode {
    const word = this.word() ?? [];
    this.#word("in");
    const arms: { patterns: Word[]; body: ShellNode }[] = [];
    for (;;) {
      this.skipLines();
      if (this.peekWord() === "esac") break;
      if (this.peek("(")) this.take(1);
      const patterns: Word[] = [];
      do {
        if (patterns.length > 0) this.take(1);
        const pattern = this.word();
        if (!pattern) throw this.unexpected();
        patterns.push(pattern);
        this.skipSpace();
      } while (this.peek("|"));
      this.expect(")");
      const body = this.list(() => false);
      arms.push({ patterns, body });
      this.skipLines();
      if (this.peek(";;")) this.take(2);
    }
    this.#word("esac");
    return { type: "case", word, arms, redirects: this.#redirects() };
  }

  #redirects(): Redirect[] {
    const redirects: Redirect[] = [];
    for (let redirect = this.redirect(); redirect; redirect = this.redirect()) redirects.push(redirect);
    return redirects;
  }

  #simple(): ShellNode {
    const assignments: { name: string; value: Word }[] = [];
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    for (;;) {
      const redirect = this.redirect();
      if (redirect) {
        redirects.push(redirect);
        continue;
      }
      const name = words.length === 0 ? this.assignment() : undefined;
      if (name !== undefined) {
        assignments.push({ name, value: this.wordHere() });
        continue;
      }
      const word = this.word();
      if (word === undefined) break;
      words.push(word);
    }
    if (assignments.length + words.length + redirects.length === 0) throw this.unexpected();
    return { type: "simple", assignments, words, redirects };
  }
}
