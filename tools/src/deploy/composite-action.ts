/** An action of GitHub that consists of steps, as action.yml has it. */
export interface CompositeAction {
  readonly inputs?: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: {
    readonly using: string;
    readonly steps: readonly {
      readonly name?: string;
      readonly shell: string;
      readonly run: string;
      readonly "working-directory"?: string;
      readonly env?: Readonly<Record<string, string>>;
    }[];
  };
}

export interface ActionStep {
  readonly name: string;
  readonly script: string;
  readonly folder: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

export interface ActionRun {
  /** `with`; the others have their defaults. */
  readonly inputs: Readonly<Record<string, string>>;
  /** `github.action_path` */
  readonly actionPath: string;
}

/** Pure: the steps with their expressions filled in. @throws Error for what is not known here */
export function planAction(
  { inputs: declared = {}, runs }: CompositeAction,
  { inputs, actionPath }: ActionRun,
): ActionStep[] {
  if (runs.using !== "composite") throw new Error(`an action of ${runs.using} has no steps`);
  const unknown = Object.keys(inputs).find((name) => !Object.hasOwn(declared, name));
  if (unknown !== undefined) throw new Error(`the action has no input ${unknown}`);
  const fill = (text: string): string =>
    text.replace(/\$\{\{ *([\w.]+) *\}\}/g, (_, path: string) => {
      if (path === "github.action_path") return actionPath;
      const name = path.startsWith("inputs.") ? path.slice("inputs.".length) : "";
      if (!Object.hasOwn(declared, name)) throw new Error(`${path} is not known here`);
      return inputs[name] ?? declared[name]?.default ?? "";
    });
  return runs.steps.map((step, at) => {
    if (step.shell !== "bash") throw new Error(`a step with the shell ${step.shell}`);
    const folder = step["working-directory"];
    return {
      name: step.name ?? `step ${at + 1}`,
      script: fill(step.run),
      folder: folder === undefined ? undefined : fill(folder),
      env: Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, fill(value)])),
    };
  });
}

/** Pure: the lines `NAME=value` that a step wrote into the file that GITHUB_ENV or GITHUB_OUTPUT names. */
export const readCommandFile = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
