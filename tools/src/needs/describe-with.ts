import { describe, it } from "vitest";

export interface Need<Found> {
  /** What the suite needs, as it was found on this machine; `undefined` or `false` where it is not there. */
  readonly found: Found | undefined | false;
  /** What is missing then and how to get it: `etcd (apt-get install etcd-server)`. */
  readonly missing: string;
  /** Of each test, in milliseconds. */
  readonly timeout?: number;
  /** Where COXSWAIN_REQUIRE has this name, what is missing is a failure: a skip cannot pass for a success. */
  readonly requiredAs?: "nodes";
}

/**
 * A suite that needs a program which `npm ci` does not install (etcd, Go, kubectl, a built kube-apiserver). Without it one line on
 * standard error names what is not tested, and one skipped test stands for the suite: a test file that registers nothing fails, and a
 * suite that is left out without a word looks like one that passed. The rule in checks/needed-programs.ts keeps every such file here.
 */
export function describeWith<Found>(title: string, need: Need<Found>, suite: (found: Found) => void): void {
  const { found, missing, timeout, requiredAs } = need;
  const isMissing = found === undefined || found === false;
  const isRequired =
    requiredAs !== undefined && (process.env["COXSWAIN_REQUIRE"] ?? "").split(",").includes(requiredAs);
  if (isMissing) console.warn(`*** NOT TESTED: ${title}: needs ${missing} ***`);
  const placeholder = (): void =>
    void it(`needs ${missing}`, { skip: !isRequired }, () => {
      throw new Error(`COXSWAIN_REQUIRE asks for ${requiredAs}, and this machine lacks ${missing}`);
    });
  const options = timeout === undefined ? {} : { timeout };
  describe(title, options, () => (isMissing ? placeholder() : suite(found)));
}
