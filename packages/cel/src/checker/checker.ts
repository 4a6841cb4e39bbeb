import {
  type CallExpr,
  type ComprehensionExpr,
  type Expr,
  type ListExpr,
  type MapExpr,
  qualifiedName,
  type SelectExpr,
  type StructExpr,
} from "../ast/expr.js";
import { operators } from "../ast/operators.js";
import { type FunctionDeclaration } from "../declarations/function-declaration.js";
import { type ParsedExpr } from "../parser/parser.js";
import { Issues } from "../source/issues.js";
import { declaredTypeName, formatSignature, formatType } from "../types/format-type.js";
import {
  boolType,
  dynType,
  errorType,
  intType,
  isDyn,
  isDynOrError,
  isExactType,
  isOptional,
  listType,
  mapType,
  optionalType,
  type Type,
  typeParam,
  unwrapOptional,
} from "../types/type.js";
import { typeOf } from "../values/type-of.js";
import { type CheckedExpr, type Reference } from "./checked.js";
import { type CheckerEnvironment, Scope } from "./scope.js";
import { mostGeneral, Substitution, typeParamsOf } from "./substitution.js";

export interface CheckResult {
  readonly checked: CheckedExpr;
  readonly issues: Issues;
}

/** Finds the type of every node, and which variable or function each name is. */
export function check(parsed: ParsedExpr, environment: CheckerEnvironment): CheckResult {
  const checker = new Checker(parsed, environment);
  return { checked: checker.check(), issues: checker.issues };
}

class Checker {
  readonly issues: Issues;
  readonly #parsed: ParsedExpr;
  readonly #scope: Scope;
  readonly #types = new Map<number, Type>();
  readonly #references = new Map<number, Reference>();
  readonly #substitution = new Substitution();
  #freeTypes = 0;

  constructor(parsed: ParsedExpr, environment: CheckerEnvironment) {
    this.#parsed = parsed;
    this.#scope = new Scope(environment);
    this.issues = new Issues(parsed.source);
  }

  check(): CheckedExpr {
    const { expr } = this.#parsed;
    this.#check(expr);
    for (const [id, type] of this.#types) this.#types.set(id, this.#substitution.apply(type, true));
    return { ...this.#parsed, type: this.#typeOf(expr), types: this.#types, references: this.#references };
  }

  #check(expr: Expr): void {
    switch (expr.kind) {
      case "literal":
        return this.#set(expr.id, typeOf(expr.value));
      case "ident": {
        if (!this.#resolve(expr, expr.name)) {
          this.#set(expr.id, errorType);
          this.#undeclared(expr, expr.name);
        }
        return;
      }
      case "select":
        return this.#checkSelect(expr);
      case "call":
        return expr.function === operators.optSelect ? this.#checkOptSelect(expr) : this.#checkCall(expr);
      case "list":
        return this.#checkList(expr);
      case "map":
        return this.#checkMap(expr);
      case "struct":
        return this.#checkStruct(expr);
      case "comprehension":
        return this.#checkComprehension(expr);
      case "unspecified":
        this.#set(expr.id, errorType);
        return this.#report(expr.id, "unexpected unspecified type: unspecifiedExpr");
    }
  }

  #report(id: number, message: string): void {
    const offset = this.#parsed.offsets.get(id) ?? 0;
    this.issues.report(id, this.#parsed.source.location(offset), message);
  }

  #undeclared(expr: Expr, name: string): void {
    this.#report(expr.id, `undeclared reference to '${name}' (in container '${this.#scope.environment.container}')`);
  }

  #mismatch(id: number, expected: Type, actual: Type): void {
    this.#report(id, `expected type '${formatType(expected)}' but found '${formatType(actual)}'`);
  }

  #set(id: number, type: Type): void {
    this.#types.set(id, type);
  }

  #typeOf(expr: Expr): Type {
    return this.#types.get(expr.id) ?? errorType;
  }

  /** Takes the node for a variable or type of that name, where there is one. */
  #resolve(expr: Expr, name: string): boolean {
    const declared = this.#scope.lookupIdent(name);
    if (declared === undefined) return false;
    this.#set(expr.id, declared.type);
    this.#references.set(expr.id, { kind: "ident", name: declared.name, value: declared.value });
    return true;
  }

  #assign(to: Type, from: Type): boolean {
    return this.#substitution.assign([to], [from]);
  }

  #checkSelect(expr: SelectExpr): void {
    const name = qualifiedName(expr);
    if (name !== undefined && this.#resolve(expr, name)) return;
    const field = this.#fieldType(expr, { operand: expr.operand, field: expr.field, optional: false });
    this.#set(expr.id, this.#substitution.apply(expr.testOnly ? boolType : field));
  }

  #checkOptSelect(expr: CallExpr): void {
    const [operand, field] = expr.args;
    if (expr.args.length !== 2 || expr.target !== undefined || operand === undefined || field === undefined) {
      const style = expr.target === undefined ? "" : " member call with";
      this.#set(expr.id, errorType);
      return this.#report(
        expr.id,
        `unsupported optional field selection: incorrect signature.${style} argument count: ${expr.args.length}`,
      );
    }
    if (field.kind !== "literal" || typeof field.value !== "string") {
      this.#set(expr.id, errorType);
      return this.#report(field.id, "unsupported optional field selection");
    }
    const type = this.#fieldType(expr, { operand, field: field.value, optional: true });
    this.#set(field.id, typeOf(field.value));
    this.#set(expr.id, this.#substitution.apply(type));
    this.#references.set(expr.id, {
      kind: "function",
      name: operators.optSelect,
      overloads: ["select_optional_field"],
      isQualified: false,
    });
  }

  #fieldType(expr: Expr, selection: { operand: Expr; field: string; optional: boolean }): Type {
    const { operand, field, optional } = selection;
    this.#check(operand);
    const operandType = this.#substitution.apply(this.#typeOf(operand));
    const target = unwrapOptional(operandType);
    const result = this.#memberType(expr, target, field);
    return optional || isOptional(operandType) ? optionalType(result) : result;
  }

  #memberType(expr: Expr, target: Type, field: string): Type {
    switch (target.kind) {
      case "map":
        return target.parameters[1] as Type;
      case "struct":
        return this.#declaredField(expr.id, target.name, field) ?? errorType;
      case "type_param":
        // Bound to dyn, lest a later assignment takes it for something narrower.
        this.#assign(dynType, target);
        return dynType;
      default:
        if (!isDynOrError(target))
          this.#report(expr.id, `type '${formatType(target)}' does not support field selection`);
        return dynType;
    }
  }

  #declaredField(id: number, typeName: string, field: string): Type | undefined {
    const { provider } = this.#scope.environment;
    if (provider.findType(typeName) === undefined) {
      this.#report(id, `unexpected failed resolution of '${typeName}'`);
      return undefined;
    }
    const type = provider.findField(typeName, field);
    if (type === undefined) this.#report(id, `undefined field '${field}'`);
    return type;
  }

  #checkCall(expr: CallExpr): void {
    for (const arg of expr.args) this.#check(arg);
    if (expr.target === undefined) {
      const declared = this.#scope.lookupFunction(expr.function);
      if (declared !== undefined) return this.#resolveOverload(expr, declared);
      this.#set(expr.id, errorType);
      return this.#undeclared(expr, expr.function);
    }
    const prefix = qualifiedName(expr.target);
    const qualified = prefix === undefined ? undefined : this.#scope.lookupFunction(`${prefix}.${expr.function}`);
    if (qualified !== undefined) return this.#resolveOverload(expr, qualified);
    this.#check(expr.target);
    const declared = this.#scope.lookupFunction(expr.function);
    if (declared !== undefined) return this.#resolveOverload(expr, declared, expr.target);
    this.#set(expr.id, errorType);
    this.#undeclared(expr, expr.function);
  }

  #resolveOverload(expr: CallExpr, declared: FunctionDeclaration, target?: Expr): void {
    const args = (target === undefined ? expr.args : [target, ...expr.args]).map((arg) => this.#typeOf(arg));
    const isMember = target !== undefined;
    if (declared.name === operators.logicalAnd || declared.name === operators.logicalOr)
      return this.#checkLogical(expr, declared, args);
    const matching: string[] = [];
    let result: Type | undefined;
    for (const overload of declared.overloads) {
      if ((overload.isMember === true) !== isMember) continue;
      if (this.#scope.environment.disabledOverloads.has(overload.id)) continue;
      const [overloadResult, ...overloadArgs] = this.#instantiate([overload.result, ...overload.args]);
      if (!this.#substitution.assign(args, overloadArgs)) continue;
      matching.push(overload.id);
      const type = this.#substitution.apply(overloadResult as Type);
      if (result === undefined) result = type;
      else if (!isDyn(result) && !isExactType(type, result)) result = dynType;
    }
    if (result === undefined) {
      const shown = args.map((arg) => this.#substitution.apply(arg, true));
      this.#set(expr.id, errorType);
      return this.#report(
        expr.id,
        `found no matching overload for '${declared.name}' applied to '${formatSignature(shown, isMember)}'`,
      );
    }
    this.#set(expr.id, result);
    const isQualified = !isMember && expr.target !== undefined;
    this.#references.set(expr.id, { kind: "function", name: declared.name, overloads: matching, isQualified });
  }

  #checkLogical(expr: CallExpr, declared: FunctionDeclaration, args: readonly Type[]): void {
    let isGood = true;
    args.forEach((type, index) => {
      if (this.#assign(type, boolType)) return;
      isGood = false;
      this.#mismatch((expr.args[index] as Expr).id, boolType, type);
    });
    this.#set(expr.id, isGood ? boolType : errorType);
    const overloads = declared.overloads.map((overload) => overload.id);
    if (isGood) this.#references.set(expr.id, { kind: "function", name: declared.name, overloads, isQualified: false });
  }

  /** A signature with type parameters of its own, so that two calls do not bind each other's. */
  #instantiate(signature: readonly Type[]): readonly Type[] {
    const names = typeParamsOf(signature);
    if (names.size === 0) return signature;
    const fresh = new Substitution([...names].map((name) => [name, this.#freeType()] as const));
    return signature.map((type) => fresh.apply(type));
  }

  #freeType(): Type {
    return typeParam(`_var${this.#freeTypes++}`);
  }

  #checkList(expr: ListExpr): void {
    let joined: Type | undefined;
    expr.elements.forEach((element, index) => {
      this.#check(element);
      const type = this.#unwrapElement(element, expr.optionals.includes(index));
      joined = this.#join(joined, type);
    });
    this.#set(expr.id, listType(joined ?? this.#freeType()));
  }

  /** The type of an element; of an optional one, what the optional holds. */
  #unwrapElement(element: Expr, isOptionalElement: boolean): Type {
    const type = this.#typeOf(element);
    if (!isOptionalElement) return type;
    if (!isOptional(type) && !isDyn(type)) this.#mismatch(element.id, optionalType(type), type);
    return unwrapOptional(type);
  }

  #checkMap(expr: MapExpr): void {
    let keys: Type | undefined;
    let values: Type | undefined;
    for (const { key, value, optional } of expr.entries) {
      this.#check(key);
      keys = this.#join(keys, this.#typeOf(key));
      this.#check(value);
      values = this.#join(values, this.#unwrapElement(value, optional));
    }
    this.#set(expr.id, mapType(keys ?? this.#freeType(), values ?? this.#freeType()));
  }

  /** What two elements have in common. Environments that want literals of one type have a validator for it. */
  #join(previous: Type | undefined, current: Type): Type {
    if (previous === undefined) return current;
    return this.#assign(previous, current) ? mostGeneral(previous, current) : dynType;
  }

  #checkStruct(expr: StructExpr): void {
    const declared = this.#scope.lookupIdent(expr.typeName);
    if (declared === undefined) {
      this.#set(expr.id, errorType);
      return this.#undeclared(expr, expr.typeName);
    }
    this.#references.set(expr.id, { kind: "ident", name: declared.name, value: undefined });
    const type = this.#structType(expr, declared.type);
    this.#set(expr.id, type);
    const typeName = type.kind === "struct" ? type.name : declared.name;
    for (const field of expr.fields) {
      this.#check(field.value);
      const fieldType = this.#declaredField(field.id, typeName, field.name) ?? errorType;
      const valueType = this.#unwrapElement(field.value, field.optional);
      if (!this.#assign(fieldType, valueType))
        this.#report(
          field.id,
          `expected type of field '${field.name}' is '${formatType(fieldType)}' but provided type is '${formatType(valueType)}'`,
        );
    }
  }

  #structType(expr: StructExpr, declared: Type): Type {
    if (declared.kind === "error") return errorType;
    if (declared.kind !== "type") {
      this.#report(expr.id, `'${declaredTypeName(declared)}' is not a type`);
      return errorType;
    }
    const type = declared.parameters[0] as Type;
    if (type.kind === "struct") return type;
    this.#report(expr.id, `'${declaredTypeName(type)}' is not a message type`);
    return errorType;
  }

  #checkComprehension(expr: ComprehensionExpr): void {
    this.#check(expr.range);
    this.#check(expr.init);
    const range = this.#substitution.apply(this.#typeOf(expr.range));
    const accumulated = this.#typeOf(expr.init);
    const [first, second] = this.#iterationTypes(expr, range);
    this.#scope.push([[expr.accumulator, accumulated]]);
    this.#scope.push(
      expr.variable2 === undefined
        ? [[expr.variable, first]]
        : [
            [expr.variable, first],
            [expr.variable2, second],
          ],
    );
    this.#check(expr.condition);
    this.#assert(expr.condition, boolType);
    this.#check(expr.step);
    this.#assert(expr.step, accumulated);
    this.#scope.pop();
    this.#check(expr.result);
    this.#scope.pop();
    this.#set(expr.id, this.#substitution.apply(this.#typeOf(expr.result)));
  }

  #assert(expr: Expr, type: Type): void {
    if (!this.#assign(type, this.#typeOf(expr))) this.#mismatch(expr.id, type, this.#typeOf(expr));
  }

  /** What the variables of a comprehension are: key or element for one, index and element or key and value for two. */
  #iterationTypes(expr: ComprehensionExpr, range: Type): [Type, Type] {
    const isPair = expr.variable2 !== undefined;
    switch (range.kind) {
      case "list": {
        const element = range.parameters[0] as Type;
        return isPair ? [intType, element] : [element, element];
      }
      case "map":
        return [range.parameters[0] as Type, range.parameters[1] as Type];
      case "dyn":
      case "error":
      case "type_param":
        this.#assign(dynType, range);
        return [dynType, dynType];
      default:
        this.#report(
          expr.range.id,
          `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return [errorType, errorType];
    }
  }
}
