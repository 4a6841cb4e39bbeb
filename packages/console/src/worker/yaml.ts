import { parseYaml, stringifyYaml } from "@coxswain/apimachinery/yaml";
import type { Calls, KubernetesValue } from "../contract/messages.js";

// Loaded when the first object is opened: tables need no YAML.

export { stringifyYaml };

/** As it is edited: without the book-keeping of server-side apply, which fills half of it. */
export function yamlOf(object: KubernetesValue): string {
  const { managedFields: _, ...metadata } = object.metadata ?? {};
  return stringifyYaml({ ...object, metadata });
}

export function parseDocument(text: string): Calls["parse"]["result"] {
  try {
    return { value: parseYaml(text).value as KubernetesValue };
  } catch (error) {
    const { message } = error as Error;
    return { problem: message, line: Number(/line (\d+)/.exec(message)?.[1] ?? 1) };
  }
}
