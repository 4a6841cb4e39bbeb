const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z/g;
/** Also inside JSON or YAML that a message quotes. */
const versionInText = /(resource ?version[^0-9]{0,40}?)(\d+)/gi;
const currentVersionInText = /(Too large resource version: \d+, current: )(\d+)/g;
/** The place in upstream's sources where a scheme was made, which depends on how the program was built. */
const schemeInText = /in scheme "[^"]+"/g;
/** A digest of an OpenAPI document, descriptions included. */
const hashInText = /([?&]hash=)[0-9A-F]{128}\b/g;
/** What the server appends to a generateName: five of these, after at most 58 characters of it. */
const suffix = "[bcdfghjklmnpqrstvwxz2456789]{5}";
const longestPrefix = 58;

/**
 * Turns values that differ from run to run into names that do not. Equal values get equal names. Whatever the case itself
 * contains (a uid in a precondition, a fixed time) stays as it is.
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
  /** Every `generateName`, whether sent or received. */
  namePrefixes: Iterable<string>;
}

export function createPlaceholders(seen: SeenValues, caseText: string): Placeholders {
  const versions = [...new Set([...seen.resourceVersions].map(Number))].sort((a, b) => a - b);
  const uids = numbered("<uid:", ">");
  const addresses = numbered("<ip:", ">");
  const generated = numbered("<generated:", ">");
  const names = generatedName(seen.namePrefixes);
  const own = (value: string): boolean => caseText.includes(value);
  const ownNumber = (value: string): boolean => new RegExp(`(?<![\\w.])${value}(?![\\w.])`).test(caseText);

  const resourceVersion = (value: string): string => {
    const rank = versions.indexOf(Number(value)) + 1;
    return rank > 0 ? `<rv:${rank}>` : value;
  };
  const collectionVersion = (value: string): string => {
    if (value === "" || value === "0") return value;
    return `<rv:${versions.filter((version) => version <= Number(value)).length}+>`;
  };
  const versionFound = (value: string): string => {
    const name = resourceVersion(value);
    return name !== value || value === "0" || ownNumber(value) ? name : "<rv>";
  };

  return {
    resourceVersion,
    collectionVersion,
    address: (value) => (own(value) || value === "None" || value === "" ? value : addresses(value)),
    text(value) {
      let text = value
        .replaceAll(uuid, (uid) => (own(uid) ? uid : uids(uid)))
        .replaceAll(time, (stamp, micro?: string) =>
          own(stamp) ? stamp : micro === undefined ? "<time>" : "<microtime>",
        )
        .replaceAll(currentVersionInText, (_, before: string, version: string) => before + collectionVersion(version))
        .replaceAll(versionInText, (_, before: string, version: string) => before + versionFound(version))
        .replaceAll(schemeInText, 'in scheme "<scheme>"')
        .replaceAll(hashInText, "$1<hash>");
      if (names !== undefined) {
        text = text.replaceAll(names, (name, prefix: string) => (own(name) ? name : prefix + generated(name)));
      }
      return text;
    },
  };
}

function numbered(before: string, after: string): (value: string) => string {
  const known = new Map<string, string>();
  return (value) => {
    const name = known.get(value) ?? `${before}${known.size + 1}${after}`;
    known.set(value, name);
    return name;
  };
}

/** Matches any name made of one of the prefixes, the longest first. */
function generatedName(prefixes: Iterable<string>): RegExp | undefined {
  const cut = [...new Set([...prefixes].map((prefix) => prefix.slice(0, longestPrefix)))].filter(
    (prefix) => prefix !== "",
  );
  if (cut.length === 0) return undefined;
  const choices = cut.sort((a, b) => b.length - a.length).map((prefix) => prefix.replaceAll(/[^\w]/g, "\\$&"));
  return new RegExp(`(?<![\\w.-])(${choices.join("|")})${suffix}(?![\\w-])`, "g");
}
