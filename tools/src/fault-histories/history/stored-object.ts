import type { Content, SeenObject } from "./operation.js";

/** What all objects of the histories are: ConfigMaps. */
export interface StoredObject {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly data?: Content;
}

/** The member of the content that is also a label, for watches with a selector. */
export const labelMember = "parity";

/** Where label and member are not the same, an update was torn: that shows as a content that nobody wrote. */
export function contentOf({ metadata: { labels }, data = {} }: StoredObject): Content {
  return labels?.[labelMember] === data[labelMember] ? data : { ...data, label: labels?.[labelMember] ?? "none" };
}

export const seenObject = (object: StoredObject): SeenObject => ({
  key: object.metadata.name,
  revision: Number(object.metadata.resourceVersion),
  uid: object.metadata.uid,
  content: contentOf(object),
});
