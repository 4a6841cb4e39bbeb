import type { CachedClaim, CachedVolume } from "../volumes/cached-volumes.js";

/** Classes that a claim asks for, has, or is on its way to. */
export const classesOfClaim = ({ spec, status }: CachedClaim): string[] =>
  distinct([
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ]);

export const classesOfVolume = ({ spec }: CachedVolume): string[] => distinct([spec?.volumeAttributesClassName]);

/** Classes that were named before and are not any more; after a deletion, all of them. */
export const classesLeft = (before: readonly string[], now: readonly string[]): string[] =>
  before.filter((name) => !now.includes(name));

const distinct = (names: readonly (string | undefined)[]): string[] => [
  ...new Set(names.filter((name): name is string => Boolean(name))),
];
