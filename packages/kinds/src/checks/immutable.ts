import { type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { immutableMessage } from "@coxswain/apimachinery/validation";

/** A field that may not change. `shown`: the new value in the form messages show it, where that is not its JSON. */
export const checkImmutable = (next: unknown, old: unknown, path: FieldPath, shown: unknown = next): FieldError[] =>
  equalJson(next, old) ? [] : [invalid(path, shown, immutableMessage)];
