/** What is known of a gate; the tables of `@coxswain/api` have these. */
export interface GateFacts {
  readonly name: string;
  readonly stage: "Alpha" | "Beta" | "GA" | "Deprecated";
  readonly default: boolean;
  readonly locked: boolean;
  readonly requires: readonly string[];
}

export interface FeatureGates {
  enabled(gate: string): boolean;
}

/** Gates as a user set them. */
export interface ChosenFeatureGates extends FeatureGates {
  /** Those that the user named, with their texts. */
  readonly wanted: ReadonlyMap<string, string>;
}

/** Gates that stand for all of a stage that are not named themselves. */
const stages: Readonly<Record<string, GateFacts["stage"]>> = { AllAlpha: "Alpha", AllBeta: "Beta" };

/**
 * The gates as a user set them (`--feature-gates=A=true,B=false`).
 * Throws for one that is not known, is locked, or needs another that is off, in upstream's words.
 */
export function createFeatureGates(
  known: readonly GateFacts[],
  wanted: ReadonlyMap<string, string> = new Map(),
): ChosenFeatureGates {
  const facts = new Map(known.map((gate) => [gate.name, gate]));
  const values = new Map(known.map((gate) => [gate.name, gate.default]));
  for (const [name, stage] of Object.entries(stages)) {
    const text = wanted.get(name);
    if (text === undefined) continue;
    for (const gate of known)
      if (gate.stage === stage && !gate.locked && !wanted.has(gate.name)) values.set(gate.name, readSwitch(name, text));
  }
  for (const [name, text] of wanted) {
    if (Object.hasOwn(stages, name)) continue;
    const gate = facts.get(name);
    const value = readSwitch(name, text);
    if (!gate) throw new Error(`unrecognized feature gate: ${name}`);
    if (gate.locked && value !== gate.default)
      throw new Error(`cannot set feature gate ${name} to ${value}, feature is locked to ${gate.default}`);
    values.set(name, value);
  }
  for (const gate of known) {
    const missing = values.get(gate.name) ? gate.requires.filter((name) => values.get(name) === false) : [];
    if (missing.length > 0 && wanted.has(gate.name))
      throw new Error(`${gate.name} is enabled, but depends on features that are disabled: ${missing.join(", ")}`);
  }
  return { enabled: (gate) => values.get(gate) ?? false, wanted };
}

function readSwitch(name: string, text: string): boolean {
  if (["true", "t", "1"].includes(text.toLowerCase())) return true;
  if (["false", "f", "0"].includes(text.toLowerCase())) return false;
  throw new Error(
    `invalid value of ${name}=${text}, err: strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`,
  );
}
