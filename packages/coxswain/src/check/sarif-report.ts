import { productVersion } from "../command/product-version.js";
import type { CheckResult, Finding } from "./finding.js";

const levels: Readonly<Record<Finding["level"], string>> = { error: "error", warning: "warning", skipped: "note" };

/** SARIF 2.1.0, which code hosts show next to the lines of a change. */
export function sarifReport({ findings }: CheckResult): string {
  const rules = [...new Set(findings.map(({ reason }) => reason))].sort().map((id) => ({ id }));
  const results = findings.map(({ level, reason, object, message, file, line }) => ({
    ruleId: reason,
    level: levels[level],
    message: { text: object === undefined ? message : `${object}: ${message}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: file === "-" ? "stdin" : encodeURI(file) },
          region: { startLine: line },
        },
      },
    ],
  }));
  const driver = { name: "coxswain check", version: productVersion, rules };
  const log = { $schema: schema, version: "2.1.0", runs: [{ tool: { driver }, results }] };
  return `${JSON.stringify(log, null, 2)}\n`;
}

const schema = "https://json.schemastore.org/sarif-2.1.0.json";
