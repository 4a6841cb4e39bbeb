/** One kind in one version, and the names that follow from it. */
export interface ScaffoldedKind {
  /** With the domain: `media.example.com`. */
  readonly group: string;
  readonly version: string;
  /** `VideoProcessor` */
  readonly kind: string;
  readonly plural: string;
}

/** `VideoProcessor` is `video-processor` in names of files; `HTTPRoute` is `http-route`. */
export const fileNameOf = (kind: string): string =>
  kind
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1-$2")
    .toLowerCase();

export const typeFile = ({ version, kind }: ScaffoldedKind): string => `api/${version}/${fileNameOf(kind)}.ts`;
/** kubebuilder's name for it: `media_v1alpha1_videoprocessor.yaml`. */
export const sampleFile = ({ group, version, kind }: ScaffoldedKind): string =>
  `config/samples/${group.split(".")[0]}_${version}_${kind.toLowerCase()}.yaml`;
