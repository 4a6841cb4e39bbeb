import { type CheckResult, count, type Finding } from "./finding.js";
import { junitReport } from "./junit-report.js";
import { sarifReport } from "./sarif-report.js";

export type Format = "text" | "json" | "sarif" | "junit";

export const formats: readonly Format[] = ["text", "json", "sarif", "junit"];

/** Pure: the whole output. */
export const printResult = (format: Format, result: CheckResult): string => printers[format](result);

const printers: Readonly<Record<Format, (result: CheckResult) => string>> = {
  text: textReport,
  json: (result) => `${JSON.stringify({ summary: summaryOf(result), findings: result.findings }, null, 2)}\n`,
  sarif: sarifReport,
  junit: junitReport,
};

const summaryOf = (result: CheckResult) => ({
  objects: result.objects.length,
  errors: count(result, "error"),
  warnings: count(result, "warning"),
  skipped: count(result, "skipped"),
});

/** `file:line: level: object: message`, which editors and CI systems turn into links. */
function textReport(result: CheckResult): string {
  const { objects, errors, warnings, skipped } = summaryOf(result);
  const lines = result.findings.map(
    ({ file, line, level, object, message }: Finding) =>
      `${file}:${line}: ${level}: ${object === undefined ? "" : `${object}: `}${message}`,
  );
  const more = [plural(warnings, "warning"), ...(skipped > 0 ? [`${skipped} skipped`] : [])];
  return `${[...lines, `${plural(objects, "object")}, ${plural(errors, "error")}, ${more.join(", ")}`].join("\n")}\n`;
}

const plural = (number: number, word: string): string => `${number} ${word}${number === 1 ? "" : "s"}`;
