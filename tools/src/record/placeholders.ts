const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$/;
const resourceVersionInText = /((?:resource ?version(?: in precondition| in object meta)?|current): )(\d+)/gi;

/**
 * Turns values that differ from run to run into names that do not. Equal values get equal names. Whatever the case itself
 * says (a uid in a precondition, a fixed time) stays as it is.
 */
export interface Placeholders {
  /** Replaces uids, times, generated names and resource versions within a text. */
  text(value: string): string;
  /** `<rv:2>`: the second-smallest resource version of any object in the case, so that their order is kept too. */
  resourceVersion(value: string): string;
  /**
   * `<rv:2+>`: at or after that object's, for lists and bookmarks. Theirs is the server's newest, which something that
   * is no part of the case may have moved on.
   */
  collectionVersion(value: string): string;
  /** `<ip:1>`, numbered by first appearance. */
  address(value: string): string;
}

export interface SeenValues {
  /** Resource versions of objects, not of lists. */
  resourceVersions: Iterable<string>;
  /** Pairs of `generateName` and the name that came of it, in order of appearance. */
  generatedNames: Iterable<{ prefix: string; name: string }>;
}

export function createPlaceholders(seen: SeenValues, caseText: string): Placeholders {
  const versions = [...new Set([...seen.resourceVersions].map(Number))].sort((a, b) => a - b);
  const names = nameGenerated(seen.generatedNames);
  const uids = numbered("uid");
  const addresses = numbered("ip");
  const own = (value: string): boolean => caseText.includes(value);

  const rank = (value: string): number => versions.indexOf(Number(value)) + 1;
  const resourceVersion = (value: string): string => (rank(value) > 0 ? `<rv:${rank(value)}>` : value);
  const versionInText = (value: string): string => (rank(value) > 0 ? `<rv:${rank(value)}>` : own(value) ? value : "<rv>");

  return {
    resourceVersion,
    collectionVersion(value) {
      if (value === "" || value === "0") return value;
      return `<rv:${versions.filter((version) => version <= Number(value)).length}+>`;
    },
    address: (value) => (own(value) || value === "None" || value === "" ? value : addresses(value)),
    text(value) {
      if (time.test(value)) return own(value) ? value : value.includes(".") ? "<microtime>" : "<time>";
      let text = value.replaceAll(uuid, (uid) => (own(uid) ? uid : uids(uid)));
      for (const [name, placeholder] of names) text = text.replaceAll(name, placeholder);
      return text.replaceAll(resourceVersionInText, (_, before: string, version: string) => before + versionInText(version));
    },
  };
}

function numbered(kind: string): (value: string) => string {
  const known = new Map<string, string>();
  return (value) => {
    const name = known.get(value) ?? `<${kind}:${known.size + 1}>`;
    known.set(value, name);
    return name;
  };
}

/** The server adds five random characters; what it had to cut off the prefix is not guessed at. */
function nameGenerated(pairs: SeenValues["generatedNames"]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { prefix, name } of pairs) {
    if (!name.startsWith(prefix) || name.length !== prefix.length + 5) continue;
    if (!names.has(name)) names.set(name, `${prefix}<generated:${names.size + 1}>`);
  }
  return names;
}
