import type { DeepReadonly } from "@coxswain/api";
import type { AdmissionCompiler } from "@coxswain/cel/admission";
import type { compileDeviceSelector } from "@coxswain/cel/devices";
import type { RuleCompiler } from "../validation-rules/rule-compiler.js";
import type { FieldErrors } from "./field-errors.js";

/** What a strategy may know of the request beside the objects. */
export interface StrategyContext {
  /** Milliseconds since 1970, the API's clock. */
  readonly now: number;
  readonly gates: { enabled(gate: string): boolean };
  /** Who asks. Left out: nobody is known, as for objects that the server makes itself. */
  readonly user?: RequestUser;
  /** What the client wrote, "events.k8s.io/v1", where a kind's rules depend on it. @default the kind's own */
  readonly apiVersion?: string;
  /** Whether containers may be privileged: `--allow-privileged`. @default true */
  readonly allowPrivileged?: boolean | undefined;
  /** Compiles the rules of schemas. @default the rules of a new definition are not checked */
  readonly ruleCompiler?: RuleCompiler;
  /** Compiles the expressions of policies and match conditions. @default they are not checked */
  readonly admissionCompiler?: AdmissionCompiler;
  /** Compiles selectors of devices. @default they are not checked */
  readonly compileDeviceSelector?: typeof compileDeviceSelector;
  /** Adds a warning for the client, also when the request is refused afterwards. @default it is dropped */
  warn?(text: string): void;
  /** The labels of a namespace; undefined: there is no such namespace. @default no namespace has any */
  namespaceLabels?(name: string): Readonly<Record<string, string>> | undefined;
}

export interface RequestUser {
  readonly name: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * What is done to a new state before it is stored. The object is a private copy in canonical form and is changed in place by
 * `prepare…`; `validate…` only looks. Metadata common to all kinds is prepared and checked by the server.
 */
export interface UpdateStrategy<T> {
  /** Members that this way in does not take from the client, as paths; managed fields of the client leave them out. */
  readonly resetFields: readonly (readonly string[])[];
  /** Keeps what a client may not change, and counts generations. */
  prepareForUpdate?(object: T, old: DeepReadonly<T>, context: StrategyContext): void;
  validateUpdate?(object: DeepReadonly<T>, old: DeepReadonly<T>, context: StrategyContext): FieldErrors;
  warningsOnUpdate?(object: DeepReadonly<T>, old: DeepReadonly<T>, context?: StrategyContext): string[];
  /** After validation, before storage. */
  canonicalize?(object: T): void;
}

export interface Strategy<T> extends UpdateStrategy<T> {
  prepareForCreate?(object: T, context: StrategyContext): void;
  validateCreate?(object: DeepReadonly<T>, context: StrategyContext): FieldErrors;
  warningsOnCreate?(object: DeepReadonly<T>, context?: StrategyContext): string[];
  /** A PUT of what does not exist creates it. @default false */
  readonly allowCreateOnUpdate?: boolean;
  /** What is created without a name is called by a UUID of its own. */
  readonly namedByUuid?: true;
  /** A PUT without resourceVersion replaces whatever is there. @default true */
  readonly allowUnconditionalUpdate?: boolean;
  /** The grace in seconds that a deletion gets, 0 for none; left out: the kind knows no graceful deletion. */
  gracePeriod?(object: DeepReadonly<T>, requested: number | undefined): number;
  /** What happens to dependents when the client does not choose. @default "background" */
  readonly garbageCollection?: "background" | "orphan" | "unsupported";
  /** What the first delete request changes instead of deleting (a namespace begins to terminate). */
  beginDeletion?(object: T, options: DeletionOptions, context: StrategyContext): void;
  /** Whether a deleting object without metadata.finalizers may go. @default yes */
  readyToDelete?(object: DeepReadonly<T>): boolean;
}

/** The client's choice for dependents. */
export interface DeletionOptions {
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
}
