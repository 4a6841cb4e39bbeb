/** One case of h2spec's, which are named by the section of the RFC (or of its own list, `generic`) and what they do. */
export interface CaseOutcome {
  /** For example `http2/6.7: Sends a PING frame with ACK`. */
  readonly name: string;
  readonly verdict: "passed" | "failed" | "skipped";
  /** Of a failure: what was expected, then what came, a line each. */
  readonly message: string;
}

/** Reads the JUnit report that h2spec writes. Throws if there is no case in it, so that a broken run passes nothing. */
export function parseReport(xml: string): CaseOutcome[] {
  const outcomes: CaseOutcome[] = [];
  for (const [, section = "", title = "", body = ""] of xml.matchAll(
    /<testcase package="([^"]*)" classname="([^"]*)"[^>]*>([^]*?)<\/testcase>/g,
  )) {
    const [, failed, message = ""] = /<(error|failure)>([^]*?)<\/\1>/.exec(body) ?? [];
    outcomes.push({
      name: unescape(`${section}: ${title}`),
      verdict: failed ? "failed" : body.includes("<skipped") ? "skipped" : "passed",
      message: unescape(message),
    });
  }
  if (outcomes.length === 0) throw new Error("h2spec reported no case");
  return outcomes;
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#34": '"',
  "#39": "'",
  "#xA": "\n",
};
const unescape = (text: string): string => text.replace(/&([^;]+);/g, (whole, name: string) => entities[name] ?? whole);
