import { quoteGo } from "@coxswain/apimachinery/text";

/** A version of semver.org's rules. */
export interface SemanticVersion {
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint];
  /** Numbers and words; a number is less than any word. */
  readonly preRelease: readonly (bigint | string)[];
  /** Without meaning for the order. */
  readonly build: readonly string[];
}

class VersionError extends Error {}

/** The version, or what is wrong with the text in upstream's words. */
export function parseSemanticVersion(text: string): SemanticVersion | string {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof VersionError) return error.message;
    throw error;
  }
}

/** As the strict parser, but for a leading `v`, missing minor and patch numbers, and leading zeros. */
export function parseLenientVersion(text: string): SemanticVersion | string {
  const parts = splitThree(text.startsWith("v") ? text.slice(1) : text).map(withoutZeros);
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) as string))
    return "short version cannot contain PreRelease/Build meta data";
  while (parts.length < 3) parts.push("0");
  return parseSemanticVersion(parts.join("."));
}

/** At the first two dots. */
function splitThree(text: string): string[] {
  const first = text.indexOf(".");
  if (first < 0) return [text];
  const second = text.indexOf(".", first + 1);
  if (second < 0) return [text.slice(0, first), text.slice(first + 1)];
  return [text.slice(0, first), text.slice(first + 1, second), text.slice(second + 1)];
}

function withoutZeros(part: string): string {
  if (part.length <= 1) return part;
  const rest = part.replace(/^0+/, "");
  return /^[0-9]/.test(rest) ? rest : `0${rest}`;
}

function parse(text: string): SemanticVersion {
  if (text === "") throw new VersionError("Version string empty");
  const [major, minor, rest] = splitThree(text);
  if (major === undefined || minor === undefined || rest === undefined)
    throw new VersionError("No Major.Minor.Patch elements found");
  const first = parseNumber(major, "major");
  const second = parseNumber(minor, "minor");
  const [beforeBuild, build] = cut(rest, "+");
  const [patch, preRelease] = cut(beforeBuild, "-");
  return {
    numbers: [first, second, parseNumber(patch, "patch")],
    preRelease: preRelease?.split(".").map(parsePreRelease) ?? [],
    build: build?.split(".").map(checkBuild) ?? [],
  };
}

function cut(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function parseNumber(text: string, name: "major" | "minor" | "patch"): bigint {
  if (!/^[0-9]*$/.test(text)) throw new VersionError(`Invalid character(s) found in ${name} number ${quoteGo(text)}`);
  const title = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  if (/^0./.test(text)) throw new VersionError(`${title} number must not contain leading zeroes ${quoteGo(text)}`);
  return parseUint(text);
}

/** Go's strconv.ParseUint, for digits. */
function parseUint(digits: string): bigint {
  const failure = (problem: string): VersionError =>
    new VersionError(`strconv.ParseUint: parsing ${quoteGo(digits)}: ${problem}`);
  if (digits === "") throw failure("invalid syntax");
  // Twenty digits hold every uint64; more need not be computed with.
  if (digits.length > 20 || BigInt(digits) >= 2n ** 64n) throw failure("value out of range");
  return BigInt(digits);
}

function parsePreRelease(text: string): bigint | string {
  if (text === "") throw new VersionError("Prerelease is empty");
  if (/^[0-9]+$/.test(text)) {
    if (/^0./.test(text))
      throw new VersionError(`Numeric PreRelease version must not contain leading zeroes ${quoteGo(text)}`);
    return parseUint(text);
  }
  if (!/^[0-9A-Za-z-]+$/.test(text))
    throw new VersionError(`Invalid character(s) found in prerelease ${quoteGo(text)}`);
  return text;
}

function checkBuild(text: string): string {
  if (text === "") throw new VersionError("Build meta data is empty");
  if (!/^[0-9A-Za-z-]+$/.test(text))
    throw new VersionError(`Invalid character(s) found in build meta data ${quoteGo(text)}`);
  return text;
}

const sign = <T extends bigint | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** -1, 0 or 1. A version comes after its own pre-releases. */
export function compareVersions(a: SemanticVersion, b: SemanticVersion): number {
  for (const [index, number] of a.numbers.entries()) {
    const order = sign(number, b.numbers[index] as bigint);
    if (order !== 0) return order;
  }
  if (a.preRelease.length === 0 || b.preRelease.length === 0)
    return Math.sign(b.preRelease.length - a.preRelease.length);
  for (const [index, part] of a.preRelease.entries()) {
    const other = b.preRelease[index];
    const order = other === undefined ? 1 : compareParts(part, other);
    if (order !== 0) return order;
  }
  return a.preRelease.length < b.preRelease.length ? -1 : 0;
}

function compareParts(a: bigint | string, b: bigint | string): number {
  if (typeof a === "bigint") return typeof b === "bigint" ? sign(a, b) : -1;
  return typeof b === "bigint" ? 1 : sign(a, b);
}

export function formatVersion({ numbers, preRelease, build }: SemanticVersion): string {
  const pre = preRelease.length === 0 ? "" : `-${preRelease.join(".")}`;
  return `${numbers.join(".")}${pre}${build.length === 0 ? "" : `+${build.join(".")}`}`;
}
