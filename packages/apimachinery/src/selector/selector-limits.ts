import { SelectorError } from "./selector-error.js";

/**
 * Texts of selectors come with requests before it is known whether these are allowed, and each object and event is compared with every
 * requirement. Upstream has no limits; a text of 3 MB took a second to read. Selectors of people and controllers have a few requirements.
 */
const maxLength = 64 << 10;
const maxRequirements = 1_000;

/** Before it is read. */
export function checkLength(text: string): void {
  if (text.length > maxLength) throw new SelectorError(`a selector may have at most ${maxLength} characters`);
}

export function checkRequirementCount(count: number): void {
  if (count > maxRequirements) throw new SelectorError(`a selector may have at most ${maxRequirements} requirements`);
}
