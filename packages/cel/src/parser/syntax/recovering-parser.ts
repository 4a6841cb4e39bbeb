import { type LexedTokens } from "../lexer.js";
import { type Token, type TokenKind, tokenOrder } from "../token.js";
import { predict } from "./decisions.js";
import { leftRecursive, nextTokens, ruleStarts } from "./grammar.js";
import { type Edge, type RuleName, type State } from "./network.js";

/** What is wrong at a token. */
export interface SyntaxProblem {
  readonly token: Token;
  readonly message: string;
}

/** The text cannot be read on in this rule. */
class RecognitionError {
  readonly problem: SyntaxProblem;
  constructor(problem: SyntaxProblem) {
    this.problem = problem;
  }
}

/** Ends parsing; what was found stays. The message, if there is one, belongs to no place. */
export class ParsingEnded {
  readonly message: string | undefined;
  constructor(message?: string) {
    this.message = message;
  }
}

/** A rule that is being read. */
interface RuleFrame {
  readonly rule: RuleName;
  readonly precedence: number;
  /** Behind its call; undefined for the first. */
  readonly follow: State | undefined;
}

/** Upstream's limits: on repairs, on tokens skipped by one repair, and on the nesting of one rule. */
const recoveryLimit = 30;
const skipLimit = 256;
const depthLimit = 250;

/**
 * Reads text that is no expression in the way of ANTLR, for the sake of its messages: which token is named, what is
 * expected there, what is skipped or taken as given, and where reading goes on. See "The Definitive ANTLR 4 Reference",
 * chapter 9. It builds no tree.
 */
export class RecoveringParser {
  readonly problems: SyntaxProblem[] = [];
  readonly #tokens: readonly Token[];
  readonly #text: (from: Token, to: Token) => string;
  readonly #frames: RuleFrame[] = [];
  readonly #depths = new Map<RuleName, number>();
  #at = 0;
  #state: State = ruleStarts.start;
  /** After an error nothing is reported until a token fits again. */
  #isRecovering = false;
  #lastErrorAt = -1;
  #lastErrorStates = new Set<State>();
  #recoveries = 0;
  #skipped = 0;

  constructor({ tokens }: Pick<LexedTokens, "tokens">, text: (from: Token, to: Token) => string) {
    this.#tokens = tokens;
    this.#text = text;
  }

  /** @throws ParsingEnded beyond a limit */
  parse(): void {
    this.#rule("start", 0, undefined);
  }

  /** Where the token begins that is next. */
  get position(): number {
    return this.#look(0).start;
  }

  #look(distance: number): Token {
    return this.#tokens[Math.min(this.#at + distance, this.#tokens.length - 1)] as Token;
  }

  get #kind(): TokenKind {
    return this.#look(0).kind;
  }

  #consume(): void {
    if (this.#at < this.#tokens.length - 1) this.#at++;
  }

  #rule(name: RuleName, precedence: number, follow: State | undefined): void {
    const depth = this.#depths.get(name) ?? 0;
    this.#deepen(name);
    this.#frames.push({ rule: name, precedence, follow });
    try {
      this.#read(ruleStarts[name], name, precedence);
    } catch (error) {
      if (!(error instanceof RecognitionError)) throw error;
      this.#report(error.problem);
      this.#recover();
    }
    this.#frames.pop();
    this.#depths.set(name, depth);
  }

  #deepen(name: RuleName): void {
    const depth = (this.#depths.get(name) ?? 0) + 1;
    if (depth > depthLimit) throw new ParsingEnded(`expression recursion limit exceeded: ${depthLimit}`);
    this.#depths.set(name, depth);
  }

  #read(start: State, name: RuleName, precedence: number): void {
    let state = start;
    let isRepeated = false;
    while (state.kind !== "stop") {
      const [only] = state.edges as [Edge];
      switch (state.kind) {
        case "basic":
          state = this.#follow(state, only);
          break;
        case "loopBack":
          this.#sync(state);
          isRepeated = true;
          state = only.to;
          break;
        case "loopEntry": {
          if (!isRepeated) this.#sync(state);
          isRepeated = false;
          const { to } = this.#decide(state, precedence);
          if (to.kind === "loopBlockStart" && leftRecursive.has(name)) this.#deepen(name);
          state = to;
          break;
        }
        case "onceBlockStart":
          if (!isRepeated) this.#sync(state);
          isRepeated = false;
          state = only.to;
          break;
        case "onceLoopBack":
          this.#sync(state);
          state = this.#decide(state, precedence).to;
          isRepeated = state.kind === "onceBlockStart";
          break;
        case "loopBlockStart":
          if (state.edges.length === 1) state = only.to;
          else {
            this.#sync(state);
            state = this.#decide(state, precedence).to;
          }
          break;
        case "blockStart":
          this.#sync(state);
          state = this.#decide(state, precedence).to;
          break;
      }
    }
  }

  #follow(state: State, edge: Edge): State {
    if (edge.tokens === undefined && edge.rule === undefined) return edge.to;
    this.#state = state;
    if (edge.rule !== undefined) this.#rule(edge.rule, edge.precedence ?? 0, edge.to);
    else if (edge.tokens?.has(this.#kind) === true) {
      this.#endError();
      this.#consume();
    } else this.#recoverInline(edge);
    return edge.to;
  }

  #decide(state: State, precedence: number): Edge {
    const prediction = predict({ state, precedence, look: (distance) => this.#look(distance).kind });
    if ("edge" in prediction) return state.edges[prediction.edge] as Edge;
    const [first, offending] = [this.#look(0), this.#look(prediction.failedAt)];
    const input = first.kind === "EOF" ? "<EOF>" : this.#text(first, offending);
    throw new RecognitionError({ token: offending, message: `no viable alternative at input ${quote(input)}` });
  }

  /** Before a choice or a loop: a token that cannot stand here is dropped, or ends the rule. */
  #sync(state: State): void {
    this.#state = state;
    if (this.#isRecovering) return;
    const { tokens, canEnd } = nextTokens(state);
    if (canEnd || tokens.has(this.#kind)) return;
    if (state.kind === "loopBack" || state.kind === "onceLoopBack") {
      this.#reportUnwanted();
      this.#skipUntil(new Set([...this.#expected(), ...this.#recoverySet()]));
    } else if (!this.#dropToken()) throw this.#mismatch();
  }

  #mismatch(): RecognitionError {
    const token = this.#look(0);
    return new RecognitionError({
      token,
      message: `mismatched input ${quote(token.text)} expecting ${showTokens(this.#expected())}`,
    });
  }

  /** A token does not fit: without it, or with one before it, the text may go on. */
  #recoverInline(edge: Edge): void {
    this.#countRecovery();
    this.#skipped = 0;
    if (this.#dropToken()) {
      this.#skip();
      return;
    }
    if (!this.#expectedBehind(edge.to).has(this.#kind)) throw this.#mismatch();
    const token = this.#look(0);
    this.#report({ token, message: `missing ${showTokens(this.#expected())} at ${quote(token.text)}` });
  }

  /** Drops a token where the one behind it is expected. */
  #dropToken(): boolean {
    if (!this.#expected().has(this.#look(1).kind)) return false;
    this.#reportUnwanted();
    this.#skip();
    this.#endError();
    return true;
  }

  #reportUnwanted(): void {
    const token = this.#look(0);
    this.#report({ token, message: `extraneous input ${quote(token.text)} expecting ${showTokens(this.#expected())}` });
  }

  #report(problem: SyntaxProblem): void {
    if (this.#isRecovering) return;
    this.#isRecovering = true;
    this.problems.push(problem);
  }

  #endError(): void {
    this.#isRecovering = false;
    this.#lastErrorAt = -1;
    this.#lastErrorStates.clear();
  }

  /** After a rule has failed: skips to what may follow one of the rules around it. */
  #recover(): void {
    this.#countRecovery();
    this.#skipped = 0;
    // Twice at one place: a token is skipped, lest this goes on for ever.
    if (this.#lastErrorAt === this.#at && this.#lastErrorStates.has(this.#state)) this.#skip();
    this.#lastErrorAt = this.#at;
    this.#lastErrorStates.add(this.#state);
    this.#skipUntil(this.#recoverySet());
  }

  #countRecovery(): void {
    if (this.#recoveries === recoveryLimit) {
      const message = `error recovery attempt limit exceeded: ${recoveryLimit}`;
      this.problems.push({ token: this.#look(0), message });
      throw new ParsingEnded();
    }
    this.#recoveries++;
  }

  #skipUntil(stop: ReadonlySet<TokenKind>): void {
    while (this.#kind !== "EOF" && !stop.has(this.#kind)) this.#skip();
  }

  #skip(): void {
    if (this.#skipped >= skipLimit)
      throw new ParsingEnded(`error recovery token lookahead limit exceeded: ${skipLimit}`);
    this.#skipped++;
    this.#consume();
  }

  /** What may come at the current place, in the rules that are being read. */
  #expected(): Set<TokenKind> {
    return this.#expectedBehind(this.#state);
  }

  #expectedBehind(state: State): Set<TokenKind> {
    let { tokens, canEnd } = nextTokens(state);
    const expected = new Set(tokens);
    for (let index = this.#frames.length - 1; canEnd && index >= 0; index--) {
      const follow = this.#frames[index]?.follow;
      if (follow === undefined) break;
      ({ tokens, canEnd } = nextTokens(follow));
      for (const one of tokens) expected.add(one);
    }
    if (canEnd) expected.add("EOF");
    return expected;
  }

  #recoverySet(): Set<TokenKind> {
    const stop = new Set<TokenKind>();
    for (const { follow } of this.#frames) {
      if (follow !== undefined) for (const one of nextTokens(follow).tokens) stop.add(one);
    }
    return stop;
  }
}

const quote = (text: string): string =>
  `'${text.replaceAll("\t", "\\t").replaceAll("\n", "\\n").replaceAll("\r", "\\r")}'`;

/** In the grammar's order, in braces where they are several. */
function showTokens(tokens: ReadonlySet<TokenKind>): string {
  const names = tokenOrder.filter((kind) => tokens.has(kind)).map(showToken);
  return names.length === 1 ? (names[0] as string) : `{${names.join(", ")}}`;
}

function showToken(kind: TokenKind): string {
  if (kind === "EOF") return "<EOF>";
  return /^[A-Z_]+$/.test(kind) ? kind : `'${kind}'`;
}
