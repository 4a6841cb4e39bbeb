import type { Json, JsonObject } from "../../../record/index.js";

/** One feature of schemas as a member of a custom resource, with values that meet and miss its rules. */
export interface Feature {
  /** The member's name; unique among all features. */
  readonly name: string;
  readonly schema: JsonObject;
  /** Accepted where the member is new; the first one is in the object that cases start from. */
  readonly valid: readonly Json[];
  /** At the boundaries, refused, pruned or completed. */
  readonly odd: readonly Json[];
}

/** JSON that JavaScript does not write: `rawNumber("1.0")`. `textOf` puts it into a body. */
export const rawNumber = (text: string): string => `\u0001raw:${text}\u0001`;

/** Values of other types, for any feature. */
export const otherTypes: readonly Json[] = [null, 5, "text", true, {}, []];
