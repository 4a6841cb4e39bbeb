import type { CheckedObject, CheckResult, Finding } from "./finding.js";

/** JUnit's XML: a suite for each file, a case for each object, and one for what is no object. */
export function junitReport({ objects, findings }: CheckResult): string {
  const files = [...new Set([...objects, ...findings].map(({ file }) => file))];
  const suites = files.map((file) =>
    suiteOf(
      file,
      objects.filter((object) => object.file === file),
      findings.filter((finding) => finding.file === file),
    ),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="coxswain check">\n${suites.join("")}</testsuites>\n`;
}

interface Case {
  readonly name: string;
  readonly findings: readonly Finding[];
}

function suiteOf(file: string, objects: readonly CheckedObject[], findings: readonly Finding[]): string {
  const cases: Case[] = objects.map(({ name, line }) => ({
    name: `${name} (line ${line})`,
    findings: findings.filter(({ object }) => object === name),
  }));
  const ofNoObject = findings.filter(({ object }) => object === undefined);
  if (ofNoObject.length > 0) cases.push({ name: "documents", findings: ofNoObject });
  const failures = cases.filter(({ findings: of }) => of.some(isError)).length;
  return `  <testsuite name="${escape(file)}" tests="${cases.length}" failures="${failures}">\n${cases.map((one) => caseOf(file, one)).join("")}  </testsuite>\n`;
}

function caseOf(file: string, { name, findings }: Case): string {
  const errors = findings.filter(isError).map((finding) => elementOf("failure", finding));
  const isSkipped = findings.some(({ level }) => level === "skipped");
  const warnings = findings.filter(({ level }) => level === "warning").map(textOf);
  const content = [
    ...errors,
    ...(isSkipped ? ["      <skipped/>\n"] : []),
    ...(warnings.length > 0 ? [`      <system-out>${escape(warnings.join("\n"))}</system-out>\n`] : []),
  ].join("");
  return `    <testcase classname="${escape(file)}" name="${escape(name)}">\n${content}    </testcase>\n`;
}

const isError = ({ level }: Finding): boolean => level === "error";
const textOf = ({ file, line, message }: Finding): string => `${file}:${line}: ${message}`;
const elementOf = (element: string, finding: Finding): string =>
  `      <${element} type="${escape(finding.reason)}" message="${escape(finding.message)}">${escape(textOf(finding))}</${element}>\n`;

/** Characters that XML 1.0 has no way to write become U+FFFD. */
const escape = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- these are the characters that XML excludes
  text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replace(/[&<>"]/g, (character) => entities[character] ?? character);
const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
