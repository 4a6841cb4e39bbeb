import { getOwn } from "@coxswain/apimachinery/own";
import { asResourceRoot, isList, type Structural } from "@coxswain/apimachinery/structural-schema";
import { runAtOnce, type Steps } from "@coxswain/runtime/steps";
import { type CompiledRule, compileInSteps, type Rule, type RuleCompiler } from "./rule-compiler.js";

/** The compiled rules of a schema, with those of the schemas inside it. Nodes without any are left out. */
export interface RuleTree {
  readonly schema: Structural;
  readonly rules: readonly { readonly source: Rule; readonly compiled: CompiledRule; readonly fieldPath: string }[];
  /** The schema's rules could not be compiled at all. */
  readonly failed: boolean;
  readonly properties: ReadonlyMap<string, RuleTree>;
  readonly additionalProperties: RuleTree | undefined;
  readonly items: RuleTree | undefined;
}

export interface CompileRulesOptions {
  /** Whether the schema is that of a resource, or of one embedded in another. */
  readonly isResource: boolean;
  /** Normalizes a rule's `fieldPath`; undefined where it leads nowhere. */
  normalizeFieldPath(text: string, schema: Structural): string | undefined;
}

export const rulesOf = ({ source }: Structural): readonly Rule[] => {
  const rules = getOwn<unknown>(source, "x-kubernetes-validations");
  return isList(rules) ? (rules as readonly Rule[]) : [];
};

/** Compiles the rules of a stored definition; undefined where the schema has none. Done once per version of a definition. */
export const compileRules = (
  schema: Structural,
  compiler: RuleCompiler,
  options: CompileRulesOptions,
): RuleTree | undefined => runAtOnce(compileRulesInSteps(schema, compiler, options));

export function* compileRulesInSteps(
  schema: Structural,
  compiler: RuleCompiler,
  options: CompileRulesOptions,
): Steps<RuleTree | undefined> {
  const node = options.isResource ? asResourceRoot(schema) : schema;
  const below = function* (inner: Structural | undefined): Steps<RuleTree | undefined> {
    if (!inner) return undefined;
    return yield* compileRulesInSteps(inner, compiler, { ...options, isResource: inner.embeddedResource });
  };
  const properties = new Map<string, RuleTree>();
  for (const [name, inner] of schema.properties) {
    // A member of no type is left out of CEL altogether, and with it all that is inside.
    const tree = compiler.hasType(inner) ? yield* below(inner) : undefined;
    if (tree) properties.set(name, tree);
  }
  const rest = schema.additionalProperties;
  const additionalProperties = yield* below(typeof rest === "object" ? rest : undefined);
  const items = yield* below(schema.items);
  yield 1;
  const sources = rulesOf(schema);
  if (sources.length === 0 && properties.size === 0 && !additionalProperties && !items) return undefined;
  const compiled =
    sources.length === 0
      ? []
      : yield* compileInSteps(compiler, {
          schema: node,
          rules: sources,
          isResource: options.isResource,
          isStored: () => true,
        });
  return {
    schema,
    rules: (compiled ?? []).map((one, at) => {
      const source = sources[at] as Rule;
      const fieldPath = source.fieldPath ? (options.normalizeFieldPath(source.fieldPath, schema) ?? "") : "";
      return { source, compiled: one, fieldPath };
    }),
    failed: compiled === undefined,
    properties,
    additionalProperties,
    items,
  };
}
