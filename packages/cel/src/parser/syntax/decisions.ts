import { type TokenKind } from "../token.js";
import { nextTokens } from "./grammar.js";
import { type State } from "./network.js";

/** What comes next, from zero on. */
export type Lookahead = (distance: number) => TokenKind;

/** The edge to take, or how far lookahead went when none was left. */
export type Prediction = { readonly edge: number } | { readonly failedAt: number };

export interface Place {
  readonly state: State;
  readonly look: Lookahead;
  /** Operators that bind less than this end a left-recursive rule. */
  readonly precedence: number;
}

const take = (edge: number): Prediction => ({ edge });
const fail = (failedAt: number): Prediction => ({ failedAt });

const isNumber = (kind: TokenKind): boolean => kind === "NUM_INT" || kind === "NUM_FLOAT";
const startsName = (kind: TokenKind): boolean => kind === "IDENTIFIER" || kind === "ESC_IDENTIFIER";

/** `-` before something that may follow it, else a failure at what does not. */
const afterMinus = ({ state, look }: Place, edge: number): Prediction => {
  // The member after the last operator: where it may begin, and with one more minus.
  const { tokens } = nextTokens(state);
  return tokens.has(look(1)) ? take(edge) : fail(1);
};

/** How upstream's parser chooses where one token does not decide, and what it takes for an error there. */
const decisions: Readonly<Record<string, (place: Place) => Prediction>> = {
  relation: ({ state, look, precedence }) =>
    take(precedence <= 1 && nextTokens(state.edges[0]?.to as State).tokens.has(look(0)) ? 0 : 1),
  calc({ look, precedence }) {
    const kind = look(0);
    if (kind === "*" || kind === "/" || kind === "%") return take(precedence <= 2 ? 0 : 1);
    return take((kind === "+" || kind === "-") && precedence <= 1 ? 0 : 1);
  },
  "calc.which": ({ look }) => take(look(0) === "+" || look(0) === "-" ? 1 : 0),
  member: ({ look }) => take(look(0) === "." || look(0) === "[" ? 0 : 1),
  "member.which"({ look }) {
    if (look(0) === "[") return take(2);
    if (look(1) === "IDENTIFIER") return take(look(2) === "(" ? 1 : 0);
    return look(1) === "?" || look(1) === "ESC_IDENTIFIER" ? take(0) : fail(1);
  },
  unary(place) {
    const { state, look } = place;
    if (look(0) === "!") return take(1);
    if (look(0) !== "-") return nextTokens(state).tokens.has(look(0)) ? take(0) : fail(0);
    // A number takes the minus for its own.
    return isNumber(look(1)) ? take(0) : afterMinus(place, 2);
  },
  minus(place) {
    if (place.look(0) !== "-") return take(1);
    return isNumber(place.look(1)) ? take(0) : afterMinus(place, 0);
  },
  primary({ look }) {
    const starts: readonly TokenKind[] = ["(", "[", "{"];
    const bracket = starts.indexOf(look(0));
    if (bracket >= 0) return take(2 + bracket);
    if (look(0) !== "." && look(0) !== "IDENTIFIER") return startsLiteral.has(look(0)) ? take(6) : fail(0);
    let at = look(0) === "." ? 1 : 0;
    if (look(at) !== "IDENTIFIER") return fail(at);
    if (look(at + 1) === "(") return take(1);
    // A name with dots is a message's where a brace follows.
    while (look(at + 1) === "." && look(at + 2) === "IDENTIFIER") at += 2;
    return take(look(at + 1) === "{" ? 5 : 0);
  },
  literal({ state, look }) {
    const kind = look(0) === "-" ? look(1) : look(0);
    const edge = state.edges.findIndex(({ to }) => nextTokens(to).tokens.has(kind));
    if (look(0) === "-") return isNumber(kind) ? take(edge) : fail(1);
    return edge < 0 ? fail(0) : take(edge);
  },
  trailingComma({ state, look }) {
    if (look(0) !== ",") return take(1);
    const element = state.edges[0]?.to.edges[0]?.to.edges[0]?.to as State;
    return take(nextTokens(element).tokens.has(look(1)) ? 0 : 1);
  },
  token: ({ look }) => (startsName(look(0)) ? take(look(0) === "IDENTIFIER" ? 0 : 1) : fail(0)),
};

const startsLiteral: ReadonlySet<TokenKind> = new Set<TokenKind>([
  "-",
  "NUM_INT",
  "NUM_UINT",
  "NUM_FLOAT",
  "STRING",
  "BYTES",
  "true",
  "false",
  "null",
]);

/** "first": the next token alone decides whether to go in. */
export function predict(place: Place): Prediction {
  const decide = decisions[place.state.decision];
  if (decide !== undefined) return decide(place);
  return take(nextTokens(place.state.edges[0]?.to as State).tokens.has(place.look(0)) ? 0 : 1);
}
