/** Shortest first where one begins another: "deletecollection…" is split after "delete". */
const verbs = ["get", "log", "read", "replace", "patch", "delete", "watch", "connect", "proxy", "list", "create"];

export interface OperationNames {
  readonly tag: string;
  /** The operation's id: the group-version of the path goes between the verb and the rest. */
  idOf(operation: string): string;
}

/** How the operations below a path are called. Paths of the same group-version call them alike. */
export function operationNames(path: string): OperationNames {
  let parts = path.split("/").filter((part) => part !== "");
  if (parts[0] === "api") parts = ["apis", "core", ...parts.slice(1)];
  const [first = "", group, version] = parts;
  let tag = camelCase(first, false);
  let infix = "";
  if (first === "apis" && group !== undefined) {
    const short = group.endsWith(".k8s.io") ? group.slice(0, -".k8s.io".length) : group;
    tag = camelCase(short, false) + (version === undefined ? "" : `_${camelCase(version, false)}`);
    infix = camelCase(short, true) + camelCase(version ?? "", true);
  }
  return {
    tag,
    idOf(operation) {
      const verb = verbs.find((candidate) => operation.startsWith(candidate));
      if (verb === undefined) throw new Error(`the operation ${operation} of ${path} does not begin with a verb`);
      return verb + infix + camelCase(operation.slice(verb.length), true);
    },
  };
}

/** Letters, digits and underscores stay; what follows anything else, or a digit at the very beginning, begins with a capital. */
function camelCase(text: string, capital: boolean): string {
  if (/^[A-Za-z][A-Za-z0-9_]*$/.test(text)) return capital ? capitalize(text) : text;
  const words = text.replace(/^\p{Nd}/u, "-").split(/[^\p{L}\p{Nd}_]+/u);
  return words.map((word, index) => (index > 0 || capital ? capitalize(word) : word)).join("");
}

export const capitalize = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
