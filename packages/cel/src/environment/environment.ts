import { type CheckedExpr } from "../checker/checked.js";
import { check } from "../checker/checker.js";
import { type CheckerEnvironment } from "../checker/scope.js";
import { estimateCost } from "../cost/estimate-cost.js";
import { type CallEstimator, type CostEstimate, type CostEstimator } from "../declarations/estimate.js";
import { mergeFunctions } from "../declarations/function-declaration.js";
import { combineProviders, type TypeProvider } from "../declarations/type-provider.js";
import { createProgram, type Program, type ProgramOptions } from "../interpreter/program.js";
import { type Library } from "../library/library.js";
import { type ParserLimits } from "../parser/limits.js";
import { parse } from "../parser/parser.js";
import { type Issue, type Issues } from "../source/issues.js";
import { crossTypeComparisons } from "../stdlib/comparison.js";
import { standardLibrary } from "../stdlib/index.js";
import { type Type } from "../types/type.js";

export interface EnvironmentOptions {
  /** In order: a later macro or overload takes the place of an earlier one. The standard library is always there. */
  readonly libraries?: readonly Library[];
  readonly variables?: ReadonlyMap<string, Type> | Readonly<Record<string, Type>>;
  /** Types with declared fields, besides those of libraries. */
  readonly providers?: readonly TypeProvider[];
  /** The namespace in which names are resolved. @default "" */
  readonly container?: string;
  /** `1 < 2.0` without dyn(). @default true */
  readonly crossTypeNumericComparisons?: boolean;
  /** `a.?b` and its like. @default false */
  readonly optionalSyntax?: boolean;
  /** Names in backticks. @default false */
  readonly escapedNames?: boolean;
  /** Whether has() costs 1. @default true */
  readonly presenceTestHasCost?: boolean;
  /** Compute constant parts once; this changes costs. @default true */
  readonly foldConstants?: boolean;
  readonly limits?: Partial<ParserLimits>;
}

/** A compiled expression, or all that is wrong with it. */
export type Compilation =
  | { readonly ok: true; readonly checked: CheckedExpr; readonly type: Type }
  | {
      readonly ok: false;
      readonly issues: readonly Issue[];
      /** The issues in upstream's words, with the lines they are in. */
      readonly message: string;
    };

/** What expressions are compiled in: the names they may use. Immutable, and shared by any number of expressions. */
export interface Environment {
  compile(text: string): Compilation;
  /** Parses and checks nothing: for expressions without declared variables. */
  program(checked: CheckedExpr, options?: ProgramOptions): Program;
  estimateCost(checked: CheckedExpr, estimator: CostEstimator): CostEstimate;
  /** With more libraries, variables or providers; other options replace those given before. */
  extend(options: EnvironmentOptions): Environment;
  readonly variables: ReadonlyMap<string, Type>;
}

export const createEnvironment = (options: EnvironmentOptions = {}): Environment =>
  environmentOf(options, readLibraries([standardLibrary, ...(options.libraries ?? [])]));

/**
 * What libraries declare together. It takes a millisecond to put together and is shared by all environments with the
 * same libraries: a definition may have thousands of them.
 */
function readLibraries(libraries: readonly Library[]) {
  const functions = mergeFunctions(libraries.flatMap((library) => library.functions ?? []));
  const callEstimators = new Map<string, CallEstimator>();
  const functionEstimators = new Map<string, CallEstimator>();
  for (const { name, overloads, estimateCost: estimator } of functions.values()) {
    if (estimator !== undefined) functionEstimators.set(name, estimator);
    for (const { id, estimateCost: estimator } of overloads)
      if (estimator !== undefined) callEstimators.set(id, estimator);
  }
  return {
    functions,
    callEstimators,
    functionEstimators,
    typeNames: new Map(libraries.flatMap((library) => library.types ?? []).map((type) => [type.name, type])),
    providers: libraries.flatMap((library) => library.provider ?? []),
    validators: libraries.flatMap((library) => library.validators ?? []),
    macros: libraries.flatMap((library) => library.macros ?? []),
  };
}

function environmentOf(options: EnvironmentOptions, declared: ReturnType<typeof readLibraries>): Environment {
  const { functions, callEstimators, functionEstimators, typeNames, validators, macros } = declared;
  const provider = combineProviders([...declared.providers, ...(options.providers ?? [])]);
  const variables = variablesOf(options.variables);
  const presenceTestHasCost = options.presenceTestHasCost ?? true;
  const checkerEnvironment: CheckerEnvironment = {
    container: options.container ?? "",
    variables,
    typeNames,
    functions,
    provider,
    disabledOverloads: (options.crossTypeNumericComparisons ?? true) ? new Set() : crossTypeComparisons,
  };
  const parserOptions = {
    macros,
    optionalSyntax: options.optionalSyntax ?? false,
    escapedNames: options.escapedNames ?? false,
    limits: options.limits ?? {},
  };

  return {
    variables,
    compile(text) {
      const { parsed, issues } = parse(text, parserOptions);
      if (issues.count > 0) return failure(issues);
      const result = check(parsed, checkerEnvironment);
      if (result.issues.count > 0) return failure(result.issues);
      const { checked } = result;
      const report = (id: number, message: string): void =>
        result.issues.report(id, parsed.source.location(parsed.offsets.get(id) ?? 0), message);
      for (const validate of validators) validate(checked, report);
      return result.issues.count > 0 ? failure(result.issues) : { ok: true, checked, type: checked.type };
    },
    program: (checked, programOptions) =>
      createProgram(
        checked,
        { functions, provider, typeNames, presenceTestHasCost, foldConstants: options.foldConstants ?? true },
        programOptions,
      ),
    estimateCost: (checked, estimator) =>
      estimateCost(checked, { estimator, callEstimators, functionEstimators, presenceTestHasCost }),
    extend(more) {
      const extended = {
        ...options,
        ...more,
        libraries: [...(options.libraries ?? []), ...(more.libraries ?? [])],
        variables: new Map([...variables, ...variablesOf(more.variables)]),
        providers: [...(options.providers ?? []), ...(more.providers ?? [])],
      };
      return more.libraries?.length ? createEnvironment(extended) : environmentOf(extended, declared);
    },
  };
}

const failure = (issues: Issues): Compilation => ({ ok: false, issues: issues.all, message: issues.toString() });

const variablesOf = (variables: EnvironmentOptions["variables"]): ReadonlyMap<string, Type> =>
  variables instanceof Map ? variables : new Map(Object.entries(variables ?? {}));
