import { describe, expect, it } from "vitest";
import { functionNamed, recordedFunctions } from "./functions.js";

const script = `
function record_command() {
KUBE_JUNIT_REPORT_DIR=$(mktemp -d) record_command record_command_canary
        record_command "run_\${pkg}_tests"
  record_command run_kubectl_version_tests
  if kube::test::if_supports_resource "\${pods}" ; then
    record_command run_pod_tests
    record_command run_secrets_test
  fi
`;

describe("the functions of upstream's kubectl scripts", () => {
  const functions = recordedFunctions(script);
  it("are those that the script records by name", () =>
    expect(functions).toEqual(["run_kubectl_version_tests", "run_pod_tests", "run_secrets_test"]));
  for (const [word, name] of [
    ["pod", "run_pod_tests"],
    ["run_pod_tests", "run_pod_tests"],
    ["secrets", "run_secrets_test"],
  ] as const) {
    it(`can be called ${word}`, () => expect(functionNamed(word, functions)).toBe(name));
  }
  it("are listed when a word names none", () =>
    expect(() => functionNamed("nothing", functions)).toThrow("kubectl_version, pod, secrets"));
});
