import { fieldErrorsText } from "@coxswain/apimachinery/field";
import { type DecodedConfiguration, decodeConfiguration } from "../configuration/decode-configuration.js";
import type { Policy } from "./policy.js";
import { validatePolicy } from "./validate-policy.js";

const configurationKind = { kind: "Policy", group: "audit.k8s.io", versions: ["v1"] };

/**
 * The policy in a file's text, YAML or JSON. `warn` receives unknown members, which are ignored.
 * @throws when it is none, or one that makes no sense
 */
export function readPolicy(text: string, warn: (message: string) => void): Policy {
  const { document, strictError } = load(text);
  if (strictError !== undefined) warn(`Audit policy contains errors, falling back to lenient decoding: ${strictError}`);
  const rules = (document.rules ?? []).map((given) => ({ ...given, level: given.level ?? "" }));
  const read = { ...document, rules } as Policy;
  const problems = validatePolicy(read);
  if (problems.length > 0) throw new Error(fieldErrorsText(problems));
  if (read.rules.length === 0) throw new Error("loaded illegal policy with 0 rules");
  return read;
}

function load(text: string): DecodedConfiguration<Partial<Policy>> {
  try {
    return decodeConfiguration(text, configurationKind);
  } catch (err) {
    throw new Error(`failed decoding: ${(err as Error).message}`, { cause: err });
  }
}
