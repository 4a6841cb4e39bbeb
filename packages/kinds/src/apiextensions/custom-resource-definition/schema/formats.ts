import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceDefinitionSpec } from "@coxswain/api/apiextensions/v1";
import { isSupportedFormat } from "@coxswain/apimachinery/structural-schema";
import { schemasOf } from "../hoisted-spec.js";
import { hasSchema } from "./schema-walk.js";

/** Formats that no value is checked by. */
export function unknownFormats(spec: DeepReadonly<CustomResourceDefinitionSpec>): string[] {
  const found: string[] = [];
  for (const schema of schemasOf(spec)) {
    hasSchema(schema, ({ format = "", type = "" }) => {
      if (format !== "" && !isSupportedFormat(format, type)) found.push(format);
      return false;
    });
  }
  return found;
}
