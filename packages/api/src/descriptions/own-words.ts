/** Members that every object has; upstream's packages repeat their descriptions hundreds of times. */
const ownWords: Readonly<Record<string, string>> = {
  apiVersion:
    "APIVersion defines the group and version whose schema this object is written in. A server converts between the versions it knows and refuses others.",
  kind: "Kind names the type of this object. It follows from the path the object is sent to and never changes.",
};

/** Not extracted: these have our own words. */
export const ownMembers: ReadonlySet<string> = new Set([...Object.keys(ownWords), "metadata"]);

export function ownDescription(member: string, isList: boolean): string | undefined {
  if (member === "metadata") return isList ? "Standard list metadata." : "Standard object's metadata.";
  return Object.hasOwn(ownWords, member) ? ownWords[member] : undefined;
}
