import { createEnvironment, type Environment, type EnvironmentOptions } from "../environment/environment.js";
import {
  listsLibrary,
  literalValidators,
  optionalsLibrary,
  setsLibrary,
  stringsLibrary,
  twoVariableComprehensions,
} from "../extensions/index.js";
import { type Library } from "../library/library.js";
import { authorizerLibrary, authorizerSelectorsLibrary } from "./authorizer.js";
import { cidrLibrary } from "./cidr.js";
import { equalityCosts } from "./equality-costs.js";
import { formatLibrary } from "./format.js";
import { ipLibrary } from "./ip.js";
import { kubernetesLists } from "./lists.js";
import { quantityLibrary } from "./quantity.js";
import { regexLibrary } from "./regex.js";
import { semverLibrary } from "./semver.js";
import { stringCosts } from "./string-costs.js";
import { urlsLibrary } from "./urls.js";

/** Kubernetes' minor versions, of 1.x. */
export type Minor = number;

/** A library, and the minors that have it. */
export interface VersionedLibrary {
  readonly library: Library;
  /** The minor that introduced it; 0 for what was always there. */
  readonly since: Minor;
  /** The minor that has it no more. */
  readonly until?: Minor;
}

/** What Kubernetes adds to CEL, in upstream's order. */
export const baseLibraries: readonly VersionedLibrary[] = [
  { library: urlsLibrary, since: 0 },
  { library: regexLibrary, since: 0 },
  { library: kubernetesLists, since: 0 },
  { library: authorizerLibrary, since: 27 },
  { library: optionalsLibrary, since: 28 },
  { library: quantityLibrary, since: 28 },
  { library: literalValidators, since: 29 },
  { library: stringsLibrary(0), since: 0, until: 29 },
  { library: stringsLibrary(2), since: 29 },
  { library: setsLibrary, since: 29 },
  { library: ipLibrary, since: 30 },
  { library: cidrLibrary, since: 30 },
  { library: formatLibrary, since: 31 },
  { library: authorizerSelectorsLibrary, since: 31 },
  { library: twoVariableComprehensions, since: 32 },
  { library: semverLibrary, since: 33 },
  { library: listsLibrary, since: 34 },
  { library: stringCosts, since: 0 },
  { library: equalityCosts, since: 0 },
];

/** The minor that this is. */
export const currentMinor: Minor = 36;

/**
 * Where expressions are compiled. `forNew` has only what the minor before has too: an expression that is accepted now must
 * still compile after a rollback. `forStored` has all there ever was: an expression that was accepted once must not break.
 */
export interface EnvironmentSet {
  readonly forNew: Environment;
  readonly forStored: Environment;
  /** Both with more in them. */
  extend(options: EnvironmentOptions): EnvironmentSet;
}

/** The base environments of a server whose clients and rollbacks reach back to `compatibility`. */
export function createBaseEnvironments(compatibility: Minor = currentMinor - 1): EnvironmentSet {
  return environmentSet(baseEnvironment(compatibility), baseEnvironment(Number.POSITIVE_INFINITY));
}

const environmentSet = (forNew: Environment, forStored: Environment): EnvironmentSet => ({
  forNew,
  forStored,
  extend: (options) => environmentSet(forNew.extend(options), forStored.extend(options)),
});

function baseEnvironment(minor: Minor): Environment {
  const libraries = baseLibraries
    .filter(({ since, until }) => since <= minor && (until === undefined || minor < until))
    .map(({ library }) => library);
  return createEnvironment({
    libraries,
    optionalSyntax: minor >= 28,
    crossTypeNumericComparisons: minor >= 28,
    presenceTestHasCost: false,
  });
}
