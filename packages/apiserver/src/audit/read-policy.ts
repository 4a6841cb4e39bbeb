import { fieldErrorsText } from "@coxswain/apimachinery/field";
import { parseYaml } from "@coxswain/apimachinery/yaml";
import type { Policy } from "./policy.js";
import { validatePolicy } from "./validate-policy.js";

/** What a member may hold: a text, a switch, a list of texts, or a list of objects with members of their own. */
type Shape = "text" | "switch" | "texts" | "anything" | Shapes;
interface Shapes {
  readonly [member: string]: Shape;
}

const groupResources: Shapes = { group: "text", resources: "texts", resourceNames: "texts" };
const rule: Shapes = {
  level: "text",
  users: "texts",
  userGroups: "texts",
  verbs: "texts",
  resources: groupResources,
  namespaces: "texts",
  nonResourceURLs: "texts",
  omitStages: "texts",
  omitManagedFields: "switch",
};
const policy: Shapes = { apiVersion: "text", kind: "text", metadata: "anything", rules: rule, omitStages: "texts", omitManagedFields: "switch" };

/**
 * The policy in a file's text, YAML or JSON. `warn` hears of members that mean nothing, which are passed over.
 * @throws when it is none, or one that makes no sense
 */
export function readPolicy(text: string, warn: (message: string) => void): Policy {
  const { value, strictError } = parseYaml(text);
  const unknown = strictError === undefined ? [] : [strictError];
  if (!isObject(value)) throw new Error("failed decoding: an audit Policy is an object");
  const document = fit(value, policy, "", unknown);
  if (document.kind !== "Policy" || document.apiVersion !== "audit.k8s.io/v1") {
    throw new Error(`failed decoding: expected a Policy of audit.k8s.io/v1, not ${String(document.kind ?? "nothing")} of ${String(document.apiVersion ?? "no version")}`);
  }
  if (unknown.length > 0) warn(`Audit policy contains errors, falling back to lenient decoding: strict decoding error: ${unknown.join(", ")}`);
  const rules = (document.rules ?? []) as readonly Record<string, unknown>[];
  const read = { ...document, rules: rules.map((given) => ({ level: "", ...given })) } as unknown as Policy;
  const problems = validatePolicy(read);
  if (problems.length > 0) throw new Error(fieldErrorsText(problems));
  if (read.rules.length === 0) throw new Error("loaded illegal policy with 0 rules");
  return read;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/** The members that are known, and null ones left out. */
function fit(value: Readonly<Record<string, unknown>>, shapes: Shapes, at: string, unknown: string[]): Record<string, unknown> {
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const path = at === "" ? name : `${at}.${name}`;
    const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
    if (shape === undefined) unknown.push(`unknown field ${JSON.stringify(path)}`);
    return shape === undefined || member === null ? [] : [[name, fitMember(member, shape, path, unknown)]];
  });
  return Object.fromEntries(members);
}

function fitMember(value: unknown, shape: Shape, path: string, unknown: string[]): unknown {
  if (shape === "anything") return value;
  if (shape === "text") return expect(typeof value === "string", value, path, "a string");
  if (shape === "switch") return expect(typeof value === "boolean", value, path, "a boolean");
  const list = expect(Array.isArray(value), value, path, "a list") as readonly unknown[];
  if (shape === "texts") return list.map((item, index) => expect(typeof item === "string", item, `${path}[${index}]`, "a string"));
  return list.map((item, index) => fit(expect(isObject(item), item, `${path}[${index}]`, "an object") as Record<string, unknown>, shape, `${path}[${index}]`, unknown));
}

function expect(fits: boolean, value: unknown, path: string, what: string): unknown {
  if (!fits) throw new Error(`failed decoding: ${path} must be ${what}`);
  return value;
}
