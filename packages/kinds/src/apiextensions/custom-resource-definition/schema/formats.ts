import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceDefinitionSpec } from "@coxswain/api/apiextensions/v1";
import { schemasOf } from "../hoisted-spec.js";
import { hasSchema, type Schema } from "./schema-walk.js";

/** Without dashes, which do not count. */
const formatsOfTexts = new Set([
  "bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "cidr", "mac", "uuid", "uuid3", "uuid4", "uuid5", "isbn", "isbn10", "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor",
  "byte", "password", "date", "duration", "datetime", "k8sshortname", "k8slongname",
]);

function isKnown({ type = "", format = "" }: Schema): boolean {
  if (type === "" || type === "string") return formatsOfTexts.has(format.replaceAll("-", ""));
  if (type === "integer") return format === "int32" || format === "int64";
  return type === "number" && (format === "float" || format === "double");
}

/** Formats that no value is checked by. */
export function unknownFormats(spec: DeepReadonly<CustomResourceDefinitionSpec>): string[] {
  const found: string[] = [];
  for (const schema of schemasOf(spec)) {
    hasSchema(schema, (one) => {
      if (one.format && !isKnown(one)) found.push(one.format);
      return false;
    });
  }
  return found;
}
