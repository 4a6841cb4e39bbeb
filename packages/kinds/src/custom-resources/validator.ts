import type { DeepReadonly } from "@coxswain/api";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, fieldPath, invalid } from "@coxswain/apimachinery/field";
import { formatGroupVersion } from "@coxswain/apimachinery/meta";
import type { SchemaNode } from "@coxswain/apimachinery/schema";
import {
  Correlation,
  readValueSchema,
  type Structural,
  type ValueSchema,
  validateChangeInSteps,
  validateEmbeddedInSteps,
  validateListTypesInSteps,
  validateValueInSteps,
} from "@coxswain/apimachinery/structural-schema";
import type { Steps } from "@coxswain/runtime/steps";
import { checkPlainMeta, checkPlainMetaUpdate } from "../checks/object-meta.js";
import { checkRulesInSteps } from "../validation-rules/check-rules.js";
import type { RuleTree } from "../validation-rules/rule-tree.js";
import { type CustomObject, memberOf, membersOf } from "./custom-object.js";
import { checkScaleSpec, checkScaleStatus } from "./scale-checks.js";
import type { ScaleSubresource } from "./version-spec.js";

type Given = DeepReadonly<CustomObject>;

export interface ValidatorOptions {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** `openAPIV3Schema` as the definition has it; undefined where there is none. */
  readonly openAPIV3Schema: unknown;
  /** The same as read; undefined where it is not structural. */
  readonly schema: Structural | undefined;
  readonly rules: RuleTree | undefined;
  readonly scale: ScaleSubresource | undefined;
  /** The type of `metadata`. */
  readonly objectMeta: SchemaNode;
}

/** Receives what is wrong but was so before. */
type Warn = ((text: string) => void) | undefined;

/** Whether objects of a version are what its schema asks for. */
export class CustomValidator {
  readonly #options: ValidatorOptions;
  readonly #values: ValueSchema;
  /** The schema of the status alone; undefined: anything goes. */
  readonly #statusValues: ValueSchema | undefined;
  /** Where a schema is missing, nothing inside is of any shape. */
  readonly #schema: Structural | undefined;

  constructor(options: ValidatorOptions) {
    this.#options = options;
    this.#schema = options.schema;
    this.#values = readValueSchema(options.openAPIV3Schema, "resource");
    this.#statusValues = this.#values.properties.get("status");
  }

  *checkCreate(object: Given): Steps<FieldError[]> {
    const wrongType = this.#checkType(object);
    if (wrongType.length > 0) return wrongType;
    const { namespaced, scale } = this.#options;
    const errors = [
      ...checkPlainMeta(object.metadata, { namespaced }),
      ...(yield* validateValueInSteps(object, this.#values)),
      ...checkScaleSpec(object, scale),
      ...checkScaleStatus(object, scale),
      ...(yield* this.#checkEmbedded(object)),
      ...(yield* this.#checkLists(object)),
    ];
    return yield* this.#withRules(errors, object, undefined, undefined, undefined);
  }

  *checkUpdate(object: Given, old: Given, warn?: Warn): Steps<FieldError[]> {
    const wrongType = this.#checkType(object);
    const { scale } = this.#options;
    const correlation = this.#correlate(object, old);
    const errors =
      wrongType.length > 0
        ? wrongType
        : [
            ...checkPlainMetaUpdate(object.metadata, old.metadata),
            ...(yield* correlation
              ? validateChangeInSteps(correlation, this.#values)
              : validateValueInSteps(object, this.#values)),
            ...checkScaleSpec(object, scale),
            ...checkScaleStatus(object, scale),
          ];
    append(errors, yield* this.#checkEmbedded(object));
    // What was double before may stay so.
    if ((yield* this.#checkLists(old)).length === 0) append(errors, yield* this.#checkLists(object));
    return yield* this.#withRules(errors, object, old, correlation, warn);
  }

  *checkStatusUpdate(object: Given, old: Given, warn?: Warn): Steps<FieldError[]> {
    const errors = this.#checkType(object);
    const correlation = this.#correlate(object, old);
    if (errors.length === 0)
      append(errors, [
        ...checkPlainMetaUpdate(object.metadata, old.metadata),
        ...(yield* this.#checkStatus(object, old, correlation)),
        ...checkScaleStatus(object, this.#options.scale),
      ]);
    const inLists = yield* this.#checkLists(object);
    if (inLists.length > 0 && (yield* this.#checkLists(old)).length === 0) append(errors, inLists);
    return yield* this.#withRules(errors, object, old, correlation, warn);
  }

  *#checkStatus(object: Given, old: Given, correlation: Correlation | undefined): Steps<FieldError[]> {
    const status = memberOf(object, "status");
    if (status === undefined || !this.#statusValues) return [];
    const schema = this.#schema?.properties.get("status");
    const inStatus =
      correlation?.key("status") ?? (schema && new Correlation(status, memberOf(old, "status") ?? null, schema));
    return yield* inStatus
      ? validateChangeInSteps(inStatus, this.#statusValues, fieldPath("status"))
      : validateValueInSteps(status, this.#statusValues, fieldPath("status"));
  }

  #correlate(object: Given, old: Given): Correlation | undefined {
    return this.#schema && new Correlation(object, old, this.#schema);
  }

  *#checkEmbedded(object: Given): Steps<FieldError[]> {
    if (!this.#schema) return [];
    return yield* validateEmbeddedInSteps(object, this.#schema, { objectMeta: this.#options.objectMeta });
  }

  *#checkLists(object: Given): Steps<FieldError[]> {
    return this.#schema ? yield* validateListTypesInSteps(membersOf(object), this.#schema) : [];
  }

  #checkType({ apiVersion, kind }: Given): FieldError[] {
    const wanted = formatGroupVersion(this.#options);
    const errors: FieldError[] = [];
    if (kind !== this.#options.kind)
      errors.push(invalid(fieldPath("kind"), kind ?? "", `must be ${this.#options.kind}`));
    if (apiVersion !== wanted) errors.push(invalid(fieldPath("apiVersion"), apiVersion ?? "", `must be ${wanted}`));
    return errors;
  }

  /** Rules are not run on an object of the wrong shape: they take types and limits for granted. */
  *#withRules(
    errors: FieldError[],
    object: Given,
    old: Given | undefined,
    correlation: Correlation | undefined,
    warn: Warn,
  ): Steps<FieldError[]> {
    const { rules } = this.#options;
    if (!rules) return errors;
    if (errors.some(({ type }) => blocking.has(type))) return [...errors, notChecked];
    const checked = yield* checkRulesInSteps(rules, object, old, {
      ...(correlation && { correlation }),
      ...(warn && { warn }),
    });
    return [...errors, ...checked.errors];
  }
}

const blocking: ReadonlySet<FieldError["type"]> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

const notChecked = invalid(
  undefined,
  null,
  "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
);
