import type { RuleCompiler } from "@coxswain/kinds/custom-resources";

/** The compiler of validation rules. CEL is large, and a server without custom resources never needs it. */
export interface LazyRuleCompiler {
  /** Undefined until it was loaded once. */
  readonly loaded: RuleCompiler | undefined;
  load(): Promise<RuleCompiler>;
}

export function createLazyRuleCompiler(): LazyRuleCompiler {
  let loading: Promise<RuleCompiler> | undefined;
  let loaded: RuleCompiler | undefined;
  return {
    get loaded() {
      return loaded;
    },
    load: () =>
      (loading ??= import("@coxswain/kinds/cel-rules").then(
        ({ createCelRuleCompiler }) => (loaded = createCelRuleCompiler()),
      )),
  };
}
