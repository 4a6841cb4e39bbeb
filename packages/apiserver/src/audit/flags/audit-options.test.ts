import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseFlags } from "@coxswain/component/flags";
import { afterAll, describe, expect, it } from "vitest";
import type { AuditOptions } from "../create-audit.js";
import { auditFlags } from "./audit-flags.js";
import { auditFrom } from "./audit-options.js";

const folder = mkdtempSync(join(tmpdir(), "coxswain-audit-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const policy = file("policy.yaml", "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n");
const kubeconfig = file(
  "kubeconfig",
  "current-context: c\ncontexts: [{name: c, context: {cluster: c}}]\nclusters: [{name: c, cluster: {server: https://collector}}]\n",
);
const log = join(folder, "logs/audit.log");

const logged: string[] = [];
const logger = {
  info: (message: string) => void logged.push(message),
  warn: (message: string) => void logged.push(message),
  error: (message: string) => void logged.push(message),
};

function from(...args: string[]): AuditOptions | undefined {
  const parsed = parseFlags(auditFlags, args);
  if (parsed.kind === "help") throw new Error("help");
  return auditFrom(parsed.options, logger);
}

describe("the flags of the audit log", () => {
  it("ask for nothing unless there is a policy", () => {
    expect(from()).toBeUndefined();
    expect(from(`--audit-log-path=${log}`)).toBeUndefined();
    expect(logged).toEqual(["No audit policy file provided, no events will be recorded for log backend"]);
  });

  it("have upstream's defaults", () => {
    const { log: opened, ...rest } = from(
      `--audit-policy-file=${policy}`,
      `--audit-log-path=${log}`,
      `--audit-webhook-config-file=${kubeconfig}`,
    ) ?? { policy: undefined };
    opened?.out.write("a line\n");
    opened?.out.close();
    expect(readFileSync(log, "utf8")).toBe("a line\n");
    expect(opened).toMatchObject({
      format: "json",
      delivery: { mode: "blocking", batch: { bufferSize: 10_000, maxBatchSize: 1, maxWaitMs: 0 } },
    });
    expect(rest).toMatchObject({
      policy: { rules: [{ level: "Metadata" }] },
      webhook: {
        connection: { server: "https://collector" },
        initialBackoffMs: 10_000,
        delivery: {
          mode: "batch",
          batch: { bufferSize: 10_000, maxBatchSize: 400, maxWaitMs: 30_000, throttle: { perSecond: 10, burst: 15 } },
        },
      },
    });
  });

  it("cut events that are too large where that is asked for", () =>
    expect(
      from(`--audit-policy-file=${policy}`, "--audit-log-path=-", "--audit-log-truncate-enabled")?.log?.delivery
        .truncate,
    ).toEqual({ maxBatchBytes: 10_485_760, maxEventBytes: 102_400 }));

  // In upstream's words: pkg/server/options/audit.go.
  const wrong: [args: string[], message: string][] = [
    [
      ["--audit-log-path=-", "--audit-log-mode=fast"],
      'invalid audit log mode fast, allowed modes are "batch,blocking,blocking-strict"',
    ],
    [
      ["--audit-log-path=-", "--audit-log-mode=batch", "--audit-log-batch-buffer-size=0"],
      "invalid audit batch log buffer size 0, must be a positive number",
    ],
    [
      ["--audit-log-path=-", "--audit-log-mode=batch", "--audit-log-batch-throttle-enable"],
      "invalid audit batch log throttle QPS 0, must be a positive number",
    ],
    [
      [`--audit-webhook-config-file=${kubeconfig}`, "--audit-webhook-batch-max-size=-1"],
      "invalid audit batch webhook max batch size -1, must be a positive number",
    ],
    [
      [`--audit-webhook-config-file=${kubeconfig}`, "--audit-webhook-batch-throttle-burst=0"],
      "invalid audit batch webhook throttle burst 0, must be a positive number",
    ],
    [
      ["--audit-log-path=-", "--audit-log-truncate-max-event-size=0"],
      "invalid audit truncate log max event size 0, must be a positive number",
    ],
    [
      ["--audit-log-path=-", "--audit-log-truncate-max-batch-size=1"],
      "invalid audit truncate log max batch size 1, must be greater than max event size (102400)",
    ],
    [
      ["--audit-log-path=-", "--audit-log-version=audit.k8s.io/v1beta1"],
      'invalid group version, allowed versions are ["audit.k8s.io/v1"]',
    ],
    [["--audit-log-path=-", "--audit-log-version=a/b/c"], "unexpected GroupVersion string: a/b/c"],
    [
      ["--audit-log-path=-", "--audit-log-format=xml"],
      'invalid audit log format xml, allowed formats are "legacy,json"',
    ],
    [
      ["--audit-log-path=-", "--audit-log-maxage=-1", "--audit-log-maxsize=-2"],
      "[--audit-log-maxage -1 can't be a negative number, --audit-log-maxsize -2 can't be a negative number]",
    ],
    [
      [`--audit-policy-file=${file("empty.yaml", "apiVersion: audit.k8s.io/v1\nkind: Policy\n")}`],
      `loading audit policy file: loaded illegal policy with 0 rules: from file ${folder}/empty.yaml`,
    ],
  ];
  for (const [args, message] of wrong)
    it(`are refused: ${message}`, () => expect(() => from(...args)).toThrow(message));
});
