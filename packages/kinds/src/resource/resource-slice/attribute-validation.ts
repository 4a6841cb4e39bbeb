import type { DeepReadonly } from "@coxswain/api";
import type { DeviceAttribute } from "@coxswain/api/resource/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, invalid, tooLong } from "@coxswain/apimachinery/field";
import { ownEntries } from "@coxswain/apimachinery/own";
import { utf8Length } from "@coxswain/apimachinery/validation";
import { internalValue } from "../../internal-form/internal-form.js";

type Attribute = DeepReadonly<DeviceAttribute>;

const longestValue = 64;
const members = ["bool", "int", "string", "version", "bools", "ints", "strings", "versions"] as const;
const lists = ["bools", "ints", "strings", "versions"] as const;

const number = "(0|[1-9][0-9]*)";
const word = "(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)";
const build = "[0-9a-zA-Z-]+";
const semanticVersion = new RegExp(
  `^${number}\\.${number}\\.${number}(-${word}(\\.${word})*)?(\\+${build}(\\.${build})*)?$`,
);

/** How many values there are, those of a list one by one. */
export const countValues = (attributes: DeepReadonly<Record<string, DeviceAttribute>> | undefined): number =>
  ownEntries(attributes).reduce(
    (sum, [, attribute]) => sum + (lists.reduce((count, list) => count + (attribute[list]?.length ?? 0), 0) || 1),
    0,
  );

export function checkAttribute(attribute: Attribute, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const member of members) {
    const at = path.child(member);
    if (attribute[member] === undefined) continue;
    if (member === "string" || member === "version") append(errors, checkText(member, attribute[member], at));
    else if (member === "strings" || member === "versions")
      append(
        errors,
        (attribute[member] ?? []).flatMap((text, index) => checkText(member, text, at.index(index))),
      );
  }
  const given = members.filter((member) => attribute[member] !== undefined).length;
  if (given === 1) return errors;
  return [
    ...errors,
    invalid(
      path,
      given === 0 ? "" : internalValue("DeviceAttribute", attribute),
      "exactly one value must be specified",
    ),
  ];
}

function checkText(member: string, text: string, path: FieldPath): FieldError[] {
  const errors =
    member.startsWith("version") && !semanticVersion.test(text)
      ? [invalid(path, text, "must be a string compatible with semver.org spec 2.0.0")]
      : [];
  return utf8Length(text) > longestValue ? [...errors, tooLong(path, longestValue)] : errors;
}
