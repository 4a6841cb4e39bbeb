/** What a type and its members mean. */
export interface DescribedType {
  readonly description: string;
  /** By plain name (see `plainName`). Without those that have no text. */
  readonly members: ReadonlyMap<string, string>;
}

/**
 * A class of @kubernetes/client-node. Every type of every version is there, but of a member that refers to another type the
 * text is missing: its generator drops what stands next to `$ref`.
 */
export function readClass(text: string): DescribedType & { readonly names: readonly string[] } {
  const body = text.slice(text.indexOf("export declare class"));
  const head = /\/\*\*\n\* (.*)\n\*\/\nexport declare class/.exec(text);
  const members = new Map<string, string>();
  const names: string[] = [];
  for (const [, comment, name = ""] of body.matchAll(/(?: {4}\/\*\*\n {4}\* (.*)\n {4}\*\/\n)? {4}'([^']+)'\??: /g)) {
    names.push(plainName(name));
    if (comment) members.set(plainName(name), unescapeQuotes(comment));
  }
  return { description: unescapeQuotes(head?.[1] ?? ""), members, names };
}

const unescapeQuotes = (text: string): string => text.replaceAll(/\\(["'\\])/g, "$1").trim();

/** Names that are no TypeScript identifiers are written otherwise there: _continue, x_kubernetes_map_type. */
export const plainName = (name: string): string => name.replaceAll(/[^a-zA-Z0-9]/g, "").toLowerCase();

/** An interface of kubernetes-models: types of versions that are served by default, all members with their own texts. */
export function readInterface(text: string): DescribedType {
  const members = new Map<string, string>();
  let comment: string[] = [];
  let description = "";
  for (const line of text.split("\n")) {
    if (line === "}") break;
    const [, name] = /^ {4}"([^"]+)"\??: /.exec(line) ?? [];
    if (/^ *\/\*\*$/.test(line)) comment = [];
    else if (/^ *\*/.test(line)) comment.push(line);
    else {
      if (name !== undefined && comment.length > 0) members.set(plainName(name), uncomment(comment));
      if (line.startsWith("export interface ")) description = uncomment(comment);
      comment = [];
    }
  }
  return { description, members };
}

/** The lines of a comment without their margin and the end mark, and without what was escaped in them. */
const uncomment = (lines: readonly string[]): string =>
  lines
    .slice(0, -1)
    .map((line) => line.replace(/^ *\* ?/, ""))
    .join("\n")
    .replaceAll(/\\([*/])/g, "$1")
    .trim();

/** What kubernetes-models calls a type, after its name in OpenAPI: io.k8s.api.apps.v1.Scale is IIoK8sApiAppsV1Scale. */
export const interfaceName = (type: string): string =>
  `I${type
    .split(/[.-]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("")}`;
