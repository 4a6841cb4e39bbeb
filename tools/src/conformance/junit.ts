import type { Outcome } from "./outcome.js";

/** A JUnit report of a list, as CI systems read it. */
export function formatJunit(list: string, outcomes: readonly Outcome[]): string {
  const count = (verdict: string): number => outcomes.filter((outcome) => outcome.verdict === verdict).length;
  const seconds = outcomes.reduce((sum, outcome) => sum + outcome.seconds, 0);
  const head = `<testsuite name="${escape(list)}" tests="${outcomes.length}" failures="${count("failed")}" skipped="${count("skipped")}" time="${seconds.toFixed(3)}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${[head, ...outcomes.map(testcase), "</testsuite>"].join("\n")}\n`;
}

function testcase({ test, verdict, seconds, message = "" }: Outcome): string {
  const open = `  <testcase name="${escape(test)}" classname="conformance" time="${seconds.toFixed(3)}"`;
  if (verdict === "passed") return `${open}/>`;
  return `${open}><${verdict === "failed" ? "failure" : "skipped"}>${escape(message)}</${verdict === "failed" ? "failure" : "skipped"}></testcase>`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Control characters have no form in XML at all; they become a replacement character. */
const escape = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- these are the ones XML forbids
  text
    .replace(/[&<>"]/g, (character) => entities[character] ?? "")
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");
