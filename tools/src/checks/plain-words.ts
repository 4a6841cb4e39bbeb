/** A text that people read: a source or a page. */
export interface PlainText {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/**
 * Comments, names, test titles and pages are searched by readers who know Kubernetes, HTTP and databases but not this project:
 * they must find rate limits, notifications and shutdown by their usual names. These words have replaced such a name too often.
 */
const table: readonly {
  readonly words: RegExp;
  readonly better: string;
  /** Where the word is refused; everywhere if left out. */
  readonly below?: string;
}[] = [
  { words: /\btold\b/i, better: "configured, given, answered, notified or reported" },
  { words: /\b(tells?|telling)\b/i, better: "reports, logs, notifies, returns, shows or distinguishes" },
  { words: /\b(hears?|heard|hearing)\b/i, better: "receives, observes or is called" },
  { words: /\b(says?|said|saying)\b/i, better: "reports, logs, prints, declares, contains or answers" },
  {
    words: /\b(tell|told|hear|heard|say|said)s?[A-Z]\w*/,
    better: "a name for what it does: report, log, notify, send",
  },
  { words: /\bwhoever\b/i, better: "the one meant: a client, a user, the caller, the operator" },
  { words: /\b(patrons?|company|crowds?|newcomers?)\b/i, better: "client, connection, flow, queue or contended" },
  { words: /(?<!third[ -])\b(party|parties)\b/i, better: "client, connection or peer" },
  { words: /\b(jam(s|med)?|laden|patience|bears)\b/i, better: "backpressure, over its limit, rate limiter or allows" },
  { words: /\b(farewells?|goodbyes?|last words?)\b/i, better: "GOAWAY, shutdown or the last bytes" },
  { words: /\bkeepers?\b|[a-z]Keeper/i, better: "controller or post-start hook" },
  { words: /companions?/i, better: "authorizeWrite, transaction or what is meant" },
  { words: /\bsurfaces?\b|Surface/i, better: "observability", below: "packages/apiserver/" },
  { words: /shareWithOrigins/i, better: "CORS" },
  { words: /spreadConnections/i, better: "GOAWAY" },
  { words: /shareFairly/i, better: "priority and fairness" },
  { words: /\bwish(es|ed|ing)?\b|[a-z]Wish/i, better: "request, impersonation request, options or requested" },
  { words: /\bspoken\b/i, better: "requested (version), accepted, supported or used" },
  { words: /complain(t|s|ed|ing)?/i, better: "field error, problem, error or report" },
  { words: /\bmend(s|ed|ing)?\b|\bmend[A-Z]/, better: "repair" },
  { words: /\b(un)?meter(s|ed|ing)?\b|\bmeter[A-Z]\w*|[a-z]Meter(s|ed)?\b/, better: "metrics or measure" },
  { words: /judg(e|ing)/i, better: "check, validate, evaluate, compare or decide" },
  { words: /inquir(y|ies)/i, better: "union, chain or question" },
  { words: /foreign/i, better: "protobuf values of another server, or whose it is" },
];

/** Names that are not ours to choose. */
const exceptions: readonly { readonly path: string; readonly text: string }[] = [
  { path: "packages/wire/README.md", text: "/example.Echo/Say" },
];

export function checkPlainWords({ path, text }: PlainText): string[] {
  const except = exceptions.filter((one) => one.path === path);
  return text.split("\n").flatMap((line, at) => {
    const read = except.reduce((left, one) => left.replaceAll(one.text, ""), line);
    return table.flatMap(({ words, better, below = "" }) => {
      const found = path.startsWith(below) ? words.exec(read)?.[0] : undefined;
      return found === undefined ? [] : [`${path}:${at + 1} has the word "${found}": write ${better}.`];
    });
  });
}
