// What a derived object was made from, as an annotation of it: `made-from.coxswain.dev/<field manager>: <uid>/<generation>/<resourceVersion>`,
// one for each source, with commas between them, and behind a space the digest of the configuration that was applied.
//
// Versions of one uid have an order (KEP-5504, promised since Kubernetes 1.35), so a process that read an older source can see that
// somebody else has gone further. Everything that has no order (another uid, a restored backup) is a doubt, which the server settles.
import { getOwn } from "@coxswain/apimachinery/own";
import { isNewerVersion } from "@coxswain/client/stores";
import { digestOf } from "./digest.js";
import { metadataOf, type SourceObject } from "./source.js";

const domain = "made-from.coxswain.dev";
/** Kubernetes' limit for the part of an annotation's name behind the slash. */
const longestName = 63;

interface SourceVersion {
  readonly uid: string;
  /** 0: the kind has none. */
  readonly generation: number;
  readonly resourceVersion: string;
}

export interface SourceRecord {
  readonly sources: readonly SourceVersion[];
  readonly digest: string;
}

/** The annotation of one field manager: several may write parts of one object. */
export function recordKey(fieldManager: string): string {
  const isName = fieldManager.length <= longestName && /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(fieldManager);
  return `${domain}/${isName ? fieldManager : digestOf(fieldManager)}`;
}

/** @throws TypeError for an object that was not read from a server */
export function recordOf(sources: readonly SourceObject[], digest = ""): SourceRecord {
  const versions = sources.map(({ object, resource }): SourceVersion => {
    const { uid = "", generation = 0, resourceVersion = "", name } = metadataOf(object);
    if (uid === "" || resourceVersion === "")
      throw new TypeError(`the source ${resource.kind} ${name} has no uid or resourceVersion: take it as it was read`);
    return { uid, generation, resourceVersion };
  });
  return { sources: versions.sort((a, b) => (a.uid < b.uid ? -1 : 1)), digest };
}

export const formatRecord = ({ sources, digest }: SourceRecord): string =>
  [
    sources.map(({ uid, generation, resourceVersion }) => `${uid}/${generation}/${resourceVersion}`).join(),
    ...(digest === "" ? [] : [digest]),
  ].join(" ");

/** Undefined: nothing was recorded, or nothing that can be read. */
export function readRecord(object: object, key: string): SourceRecord | undefined {
  const text = getOwn(metadataOf(object).annotations ?? {}, key);
  if (text === undefined) return undefined;
  const [list = "", digest = ""] = text.split(" ");
  const sources = list.split(",").flatMap((entry): SourceVersion[] => {
    const [uid = "", generation = "", resourceVersion = ""] = entry.split("/");
    return uid === "" || resourceVersion === "" ? [] : [{ uid, generation: Number(generation), resourceVersion }];
  });
  return { sources, digest };
}

/**
 * Pure: whether what is there may have been made from something newer than `ours`: from a newer version, or from an object that is not
 * among ours, such as one that was deleted and created again.
 */
export function isInDoubt(recorded: SourceRecord, ours: SourceRecord): boolean {
  return recorded.sources.some(({ uid, resourceVersion }) => {
    const own = ours.sources.find((each) => each.uid === uid);
    return own === undefined || isNewerVersion(resourceVersion, own.resourceVersion);
  });
}

/** Pure: whether both are from the same sources. Where a kind has a generation, newer versions of the same one are the same. */
export function isSameMaking(a: SourceRecord, b: SourceRecord): boolean {
  if (a.digest !== b.digest || a.sources.length !== b.sources.length) return false;
  return a.sources.every(({ uid, generation, resourceVersion }, at) => {
    const other = b.sources[at];
    if (other?.uid !== uid || other.generation !== generation) return false;
    return generation > 0 || other.resourceVersion === resourceVersion;
  });
}
