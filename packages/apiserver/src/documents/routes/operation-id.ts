/** Shortest first where one begins another: "deletecollection…" is split after "delete". */
const verbs = ["get", "log", "read", "replace", "patch", "delete", "watch", "connect", "proxy", "list", "create"];

/** The operation's id and tag: the group-version of its path goes between the verb and the rest of `operation`. */
export function operationIdAndTag(operation: string, path: string): { operationId: string; tag: string } {
  const verb = verbs.find((candidate) => operation.startsWith(candidate));
  if (verb === undefined) throw new Error(`the operation ${operation} of ${path} does not begin with a verb`);
  const rest = camelCase(operation.slice(verb.length), true);
  let parts = path.split("/").filter((part) => part !== "");
  if (parts[0] === "api") parts = ["apis", "core", ...parts.slice(1)];
  const [first = "", group, version] = parts;
  if (first !== "apis" || group === undefined) return { operationId: verb + rest, tag: camelCase(first, false) };
  const short = group.endsWith(".k8s.io") ? group.slice(0, -".k8s.io".length) : group;
  const tag = camelCase(short, false);
  if (version === undefined) return { operationId: verb + camelCase(short, true) + rest, tag };
  return { operationId: verb + camelCase(short, true) + camelCase(version, true) + rest, tag: `${tag}_${camelCase(version, false)}` };
}

/** Letters, digits and underscores stay; what follows anything else, or a digit at the very beginning, begins with a capital. */
function camelCase(text: string, capital: boolean): string {
  const words = text.replace(/^\p{Nd}/u, "-").split(/[^\p{L}\p{Nd}_]+/u);
  return words.map((word, index) => (index > 0 || capital ? capitalize(word) : word)).join("");
}

export const capitalize = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
