/** Something with work to do in steps, for example a connection with requests that have arrived. */
export interface Task {
  /** Tasks of one flow share its share: the user whose requests these are. Undefined: a flow of its own. */
  readonly flow: string | undefined;
  /** Does at least one step, and more while `hasTime()`. @returns whether there is more to do: then it is scheduled again */
  run(hasTime: () => boolean): boolean;
}
