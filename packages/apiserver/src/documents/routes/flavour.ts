import { anyType, customObjectTypes, customPatchTypes, objectTypes, patchTypes, watchTypes } from "./media-types.js";

/** In what the documents of built-in and custom resources differ. */
export interface Flavour {
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  /** Of lists and watches. */
  readonly listProduces: readonly string[];
  readonly patchTypes: readonly string[];
  /** Apply creates what is not there; custom resources do it too, but their documents do not declare it. */
  readonly patchCodes: readonly number[];
  /** Query parameters of a read. */
  readonly readParameters: readonly string[];
  readonly deleteCollection: { readonly takesDeleteOptions: boolean; readonly withoutListOptions: readonly string[] };
  /** The deprecated `/watch/` paths. */
  readonly watchPaths: boolean;
}

export const builtInFlavour: Flavour = {
  consumes: anyType,
  produces: objectTypes,
  listProduces: [...objectTypes, ...watchTypes],
  patchTypes,
  patchCodes: [200, 201],
  readParameters: [],
  deleteCollection: { takesDeleteOptions: true, withoutListOptions: ["watch", "allowWatchBookmarks"] },
  watchPaths: true,
};

export const customFlavour: Flavour = {
  consumes: customObjectTypes,
  produces: customObjectTypes,
  listProduces: customObjectTypes,
  patchTypes: customPatchTypes,
  patchCodes: [200],
  readParameters: ["resourceVersion"],
  deleteCollection: { takesDeleteOptions: false, withoutListOptions: [] },
  watchPaths: false,
};
