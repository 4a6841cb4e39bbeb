import type { RuleCompiler } from "@coxswain/kinds/custom-resources";
import { createLazyModule, type LazyModule } from "@coxswain/runtime/lazy-module";

/** The compiler of validation rules. A server without custom resources never needs CEL. */
export type LazyRuleCompiler = LazyModule<RuleCompiler>;

export const createLazyRuleCompiler = (): LazyRuleCompiler =>
  createLazyModule(() =>
    import("@coxswain/kinds/cel-rules").then(({ createCelRuleCompiler }) => createCelRuleCompiler()),
  );
