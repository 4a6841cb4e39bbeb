import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { parseYaml, yamlDocuments } from "@coxswain/apimachinery/yaml";
import type { Finding } from "./finding.js";
import type { InputFile } from "./input-files.js";

export type Manifest = KubernetesObject & { readonly apiVersion: string; readonly kind: string };

/** An object of the input with the text it was read from. */
export interface SourceObject {
  readonly manifest: Manifest;
  readonly file: string;
  /** The document, for the line of a field. */
  readonly text: string;
  /** The line of the file where the document begins. */
  readonly firstLine: number;
  /** Where the object stands in the document: items of a List do not stand at its root. */
  readonly path: readonly string[];
}

export interface ReadObjects {
  readonly objects: readonly SourceObject[];
  /** What is no object, or no YAML. */
  readonly findings: readonly Finding[];
}

/** The objects of a file, in order. Lists stand for their items, as for kubectl. */
export function readObjects({ name, text }: InputFile): ReadObjects {
  const objects: SourceObject[] = [];
  const findings: Finding[] = [];
  const unreadable = (file: string, line: number, message: string): void =>
    void findings.push({ level: "error", file, line, reason: "Unreadable", message });
  let documents: ReturnType<typeof yamlDocuments>;
  try {
    documents = yamlDocuments(text);
  } catch (error) {
    unreadable(name, 1, (error as Error).message);
    return { objects, findings };
  }
  for (const document of documents) {
    const file = templateOf(document.text) ?? name;
    const firstLine = file === name ? document.line : 1;
    try {
      const { value, strictError } = parseYaml(document.text);
      if (value === null) continue;
      if (strictError !== undefined)
        findings.push({ level: "warning", file, line: firstLine, reason: "Repeated", message: strictError });
      for (const { value: object, path } of itemsOf(value, [])) {
        const problem = problemOf(object);
        if (problem !== undefined) unreadable(file, firstLine, problem);
        else objects.push({ manifest: object as Manifest, file, text: document.text, firstLine, path });
      }
    } catch (error) {
      unreadable(file, lineOfError(error as Error, document.line), (error as Error).message);
    }
  }
  return { objects, findings };
}

/** `helm template` names the template of each document; a line number would be that of what was rendered, not of the template. */
const templateOf = (document: string): string | undefined => /^# Source: (\S+)$/m.exec(document.slice(0, 1000))?.[1];

/** The words of kubectl's decoder (`k8s.io/apimachinery/pkg/runtime/error.go`). */
function problemOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "the document is no object";
  const { apiVersion, kind } = value as KubernetesObject;
  if (typeof kind !== "string" || kind === "") return "Object 'Kind' is missing";
  if (typeof apiVersion !== "string" || apiVersion === "") return "Object 'apiVersion' is missing";
  return undefined;
}

interface Item {
  readonly value: unknown;
  readonly path: readonly string[];
}

function itemsOf(value: unknown, path: readonly string[]): Item[] {
  const { kind, items } = (value ?? {}) as { kind?: unknown; items?: unknown };
  return typeof kind === "string" && kind.endsWith("List") && Array.isArray(items)
    ? items.flatMap((item, index) => itemsOf(item, [...path, "items", String(index)]))
    : [{ value, path }];
}

/** go-yaml's errors name the line of the document. */
function lineOfError({ message }: Error, firstLine: number): number {
  const line = /\bline (\d+)/.exec(message)?.[1];
  return line === undefined ? firstLine : firstLine + Number(line) - 1;
}
