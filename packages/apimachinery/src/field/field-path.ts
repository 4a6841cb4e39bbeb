/**
 * The way from a root to a field, as messages name it: `spec.containers[0].ports[http]`.
 * Paths share their parents and become text only when an error is made.
 */
export class FieldPath {
  private readonly parent: FieldPath | undefined;
  private readonly text: string;
  private readonly subscript: boolean;

  private constructor(parent: FieldPath | undefined, text: string, subscript: boolean) {
    this.parent = parent;
    this.text = text;
    // Without a name upstream prints a subscript, even at the root: `[]`.
    this.subscript = subscript || text === "";
  }

  static of(name: string, ...more: readonly string[]): FieldPath {
    const root = new FieldPath(undefined, name, false);
    return more.length === 0 ? root : root.child(...more);
  }

  child(...names: readonly string[]): FieldPath {
    if (names.length === 1) return new FieldPath(this, names[0] as string, false);
    return names.reduce<FieldPath>((path, name) => path.child(name), this);
  }

  /** An item of a list. */
  index(index: number): FieldPath {
    return new FieldPath(this, String(index), true);
  }

  /** A member of a map. */
  key(key: string): FieldPath {
    return new FieldPath(this, key, true);
  }

  toString(): string {
    const before = this.parent?.toString() ?? "";
    if (this.subscript) return `${before}[${this.text}]`;
    return this.parent === undefined ? this.text : `${before}.${this.text}`;
  }
}

/** Starts a path: `fieldPath("spec", "template")`. */
export const fieldPath = (name: string, ...more: readonly string[]): FieldPath => FieldPath.of(name, ...more);

/** A child of `path`, or a root where there is no path: upstream allows children of a nil path. */
export const childOf = (path: FieldPath | undefined, ...names: readonly [string, ...string[]]): FieldPath =>
  path === undefined ? fieldPath(...names) : path.child(...names);
