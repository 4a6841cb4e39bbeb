import { createTypeRegistry, type SchemaNode } from "@coxswain/apimachinery/schema";
import { decodeYaml, parseYaml } from "@coxswain/apimachinery/yaml";
import { configurationTypes } from "./configuration-types.js";

const types = createTypeRegistry(configurationTypes);

/** A kind of file that configures the server: its name, and its versions. */
export interface ConfigurationKind {
  readonly kind: string;
  readonly group: string;
  readonly versions: readonly string[];
}

export interface DecodedConfiguration<T> {
  readonly document: T;
  /** What means nothing, or stands twice: `strict decoding error: unknown field "x"`. */
  readonly strictError: string | undefined;
}

/** The document in a file's text, YAML or JSON. @throws in upstream's words when it is none of this kind */
export function decodeConfiguration<T>(text: string, wanted: ConfigurationKind): DecodedConfiguration<T> {
  const { object, warnings } = decodeYaml(text, schemaOf(text, wanted), { strict: true });
  return {
    document: object as T,
    strictError: warnings.length === 0 ? undefined : `strict decoding error: ${warnings.join(", ")}`,
  };
}

/** The same where everything must mean something. @throws also when something does not */
export function decodeStrictly<T>(text: string, wanted: ConfigurationKind): T {
  const { document, strictError } = decodeConfiguration<T>(text, wanted);
  if (strictError !== undefined) throw new Error(strictError);
  return document;
}

function schemaOf(text: string, { kind, group, versions }: ConfigurationKind): SchemaNode {
  const { apiVersion, kind: given } = (parseYaml(text).value ?? {}) as { apiVersion?: unknown; kind?: unknown };
  for (const [member, value] of [
    ["Kind", given],
    ["apiVersion", apiVersion],
  ] as const) {
    if (value === undefined || value === "") throw new Error(`Object '${member}' is missing in '${text}'`);
  }
  const version = versions.find((each) => apiVersion === `${group}/${each}`);
  if (given !== kind || version === undefined)
    throw new Error(
      `no kind ${JSON.stringify(given)} is registered for version ${JSON.stringify(apiVersion)}; expected ${kind} of ${versions.map((each) => `${group}/${each}`).join(", ")}`,
    );
  return types.get(`${group}.${version}.${kind}`);
}
