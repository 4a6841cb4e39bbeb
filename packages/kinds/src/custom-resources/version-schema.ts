import type { SchemaNode } from "@coxswain/apimachinery/schema";
import {
  defaultBytes,
  pruneDefaultsInSteps,
  readStructuralInSteps,
  type Structural,
} from "@coxswain/apimachinery/structural-schema";
import { runAtOnce, type Steps } from "@coxswain/runtime/steps";
import type { Schema } from "../apiextensions/custom-resource-definition/schema/schema-walk.js";
import { structuralProblemInSteps } from "../apiextensions/custom-resource-definition/schema/structural-problem.js";
import type { NormalizeOptions } from "./normalize.js";
import type { Definition, VersionSpec } from "./version-spec.js";

interface ReadSchema {
  /** Undefined where the definition has none, or none that is structural. */
  readonly schema: Structural | undefined;
  /** About how much larger defaults make an object. */
  readonly addedBytes: number;
}

/** The structural schema of one version, read when it is first needed. */
export class VersionSchema {
  readonly #source: Schema | undefined;
  readonly #keepsUnknown: boolean;
  readonly #objectMeta: SchemaNode;
  #read: ReadSchema | undefined;

  constructor({ spec }: Definition, { schema }: VersionSpec, objectMeta: SchemaNode) {
    this.#source = schema?.openAPIV3Schema;
    this.#keepsUnknown = spec.preserveUnknownFields === true;
    this.#objectMeta = objectMeta;
  }

  /** Requests that come while it is being read read it, too: what is read first stays. Returns about how many bytes defaults add. */
  *prepare(): Steps<number> {
    return (this.#read ??= yield* this.#readInSteps()).addedBytes;
  }

  get schema(): Structural | undefined {
    runAtOnce(this.prepare());
    return this.#read?.schema;
  }

  form(): NormalizeOptions {
    return { schema: this.schema, keepsUnknown: this.#keepsUnknown, objectMeta: this.#objectMeta };
  }

  /** Defaults are pruned once, so that setting them brings nothing unknown in. */
  *#readInSteps(): Steps<ReadSchema> {
    const source = this.#source;
    if (source === undefined || (yield* structuralProblemInSteps(source)) !== undefined)
      return { schema: undefined, addedBytes: 0 };
    const asWritten = yield* readStructuralInSteps(source);
    const schema = this.#keepsUnknown
      ? asWritten
      : yield* pruneDefaultsInSteps(asWritten, { objectMeta: this.#objectMeta });
    return { schema, addedBytes: yield* defaultBytes(schema) };
  }
}
