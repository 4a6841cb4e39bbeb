import { type FunctionDeclaration, type Overload } from "../declarations/function-declaration.js";
import { type Library } from "../library/library.js";
import { boolType, intType, objectType, stringType, type Type } from "../types/type.js";
import { intOf } from "../values/int.js";
import { CelError, OpaqueValue, type Value } from "../values/value.js";
import {
  compareVersions,
  formatVersion,
  parseLenientVersion,
  parseSemanticVersion,
  type SemanticVersion,
} from "./semantic-version.js";
import { readsText } from "./text-costs.js";

export const semverType = objectType("kubernetes.Semver");

export class SemverValue extends OpaqueValue {
  readonly type = semverType;
  readonly version: SemanticVersion;
  constructor(version: SemanticVersion) {
    super();
    this.version = version;
  }
  override canEqual(other: Value): boolean {
    return other instanceof SemverValue;
  }
  equals(other: Value): boolean {
    return other instanceof SemverValue && compareVersions(this.version, other.version) === 0;
  }
  toString(): string {
    return formatVersion(this.version);
  }
}

/** A version, or an error in upstream's words. `normalize` allows `v1.2` and leading zeros. */
export function toSemver(text: string, normalize = false): SemverValue | CelError {
  const version = (normalize ? parseLenientVersion : parseSemanticVersion)(text);
  return typeof version === "string" ? new CelError(version) : new SemverValue(version);
}

const parsing = (
  name: string,
  ids: readonly [string, string],
  result: Type,
  answer: (version: SemverValue | CelError) => Value,
): FunctionDeclaration => {
  const implementation: Overload["implementation"] = (text, normalize) =>
    answer(toSemver(text as string, normalize === true));
  return {
    name,
    overloads: [
      { id: ids[0], args: [stringType], result, implementation },
      { id: ids[1], args: [stringType, boolType], result, implementation },
    ],
    ...readsText(),
  };
};

const part = (name: string, index: 0 | 1 | 2): FunctionDeclaration => ({
  name,
  overloads: [
    {
      id: `semver_${name}`,
      args: [semverType],
      result: intType,
      isMember: true,
      // Upstream's conversion of a uint64 to an int64 wraps around.
      implementation: (value) => intOf(BigInt.asIntN(64, (value as SemverValue).version.numbers[index])) ?? 0,
    },
  ],
});

const comparing = (name: string, id: string, result: Type, by: (order: number) => Value): FunctionDeclaration => ({
  name,
  overloads: [
    {
      id,
      args: [semverType, semverType],
      result,
      isMember: true,
      implementation: (a, b) => by(compareVersions((a as SemverValue).version, (b as SemverValue).version)),
    },
  ],
});

/** Semantic versions, with normalization; since 1.33. */
export const semverLibrary: Library = {
  name: "kubernetes.Semver",
  functions: [
    parsing("semver", ["string_to_semver", "string_bool_to_semver"], semverType, (version) => version),
    parsing(
      "isSemver",
      ["is_semver_string", "is_semver_string_bool"],
      boolType,
      (version) => version instanceof SemverValue,
    ),
    comparing("isGreaterThan", "semver_is_greater_than", boolType, (order) => order > 0),
    comparing("isLessThan", "semver_is_less_than", boolType, (order) => order < 0),
    comparing("compareTo", "semver_compare_to", intType, (order) => order),
    part("major", 0),
    part("minor", 1),
    part("patch", 2),
  ],
};
