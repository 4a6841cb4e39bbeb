/** A shell script as it was parsed: the part of POSIX sh that containers' commands use. */
export type ShellNode =
  | { readonly type: "list"; readonly items: readonly { readonly node: ShellNode; readonly background: boolean }[] }
  | {
      readonly type: "and-or";
      readonly first: ShellNode;
      readonly rest: readonly { readonly type: "and" | "or"; readonly node: ShellNode }[];
    }
  | { readonly type: "pipe"; readonly parts: readonly ShellNode[]; readonly negated: boolean }
  | {
      readonly type: "simple";
      readonly assignments: readonly { readonly name: string; readonly value: Word }[];
      readonly words: readonly Word[];
      readonly redirects: readonly Redirect[];
    }
  | { readonly type: "group" | "subshell"; readonly body: ShellNode; readonly redirects: readonly Redirect[] }
  | {
      readonly type: "if";
      readonly branches: readonly { readonly test: ShellNode; readonly body: ShellNode }[];
      readonly otherwise?: ShellNode;
      readonly redirects: readonly Redirect[];
    }
  | {
      readonly type: "loop";
      readonly until: boolean;
      readonly test: ShellNode;
      readonly body: ShellNode;
      readonly redirects: readonly Redirect[];
    }
  | {
      readonly type: "for";
      readonly name: string;
      /** Undefined: the parameters. */
      readonly words?: readonly Word[];
      readonly body: ShellNode;
      readonly redirects: readonly Redirect[];
    }
  | {
      readonly type: "case";
      readonly word: Word;
      readonly arms: readonly { readonly patterns: readonly Word[]; readonly body: ShellNode }[];
      readonly redirects: readonly Redirect[];
    }
  | { readonly type: "function"; readonly name: string; readonly body: ShellNode };

export type Word = readonly WordPart[];

export type WordPart =
  | { readonly kind: "text"; readonly text: string; readonly quoted: boolean }
  | {
      readonly kind: "variable";
      readonly name: string;
      readonly quoted: boolean;
      /** `${name:-word}` and its kin; "#" is the length. */
      readonly operator?: string;
      readonly word?: Word;
    }
  | { readonly kind: "command"; readonly body: ShellNode; readonly quoted: boolean }
  | { readonly kind: "arithmetic"; readonly expression: Word; readonly quoted: boolean };

export interface Redirect {
  /** 0, 1 or 2. */
  readonly from: number;
  readonly operator: "<" | ">" | ">>" | ">&" | "<<<" | "<<";
  readonly target: Word;
}

/** The script is no shell script, or uses what this shell does not have. */
export class ShellSyntaxError extends Error {
  override readonly name = "ShellSyntaxError";
  /** The text ended where more was expected. */
  readonly isUnfinished: boolean;

  constructor(message: string, isUnfinished = false) {
    super(message);
    this.isUnfinished = isUnfinished;
  }
}
