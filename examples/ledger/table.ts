/** A row of another system: it knows nothing of Kubernetes. `document` is what has no column of its own. */
export interface Row {
  readonly branch: string;
  readonly entry: string;
  readonly cents: number;
  readonly document: string;
  /** Grows with every change of the table. */
  readonly changed: number;
}

/** A row of the table's log, which triggers of the database would write. */
export interface LoggedChange {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** Of a deleted row the last state, with the number of the deletion. */
  readonly row: Row;
  readonly previous: Row | undefined;
}

/** A table with a primary key, standing in for a database: the functions are the statements that the ledger needs. */
export class Table {
  readonly #rows = new Map<string, Row>();
  readonly #log: LoggedChange[] = [];
  #changes = 1;

  get changes(): number {
    return this.#changes;
  }

  /** SELECT * FROM log WHERE changed > ? ORDER BY changed */
  async since(changed: number): Promise<readonly LoggedChange[]> {
    return this.#log.filter(({ row }) => row.changed > changed);
  }

  /** SELECT * WHERE (branch = ?) AND (branch, entry) > (?) ORDER BY branch, entry LIMIT ? */
  async select({ branch = "", after = "", limit = 0 }): Promise<readonly Row[]> {
    const rows = [...this.#rows.entries()]
      .filter(([key, row]) => (branch === "" || row.branch === branch) && key > after)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, row]) => row);
    return limit > 0 ? rows.slice(0, limit) : rows;
  }

  /** SELECT * WHERE branch = ? AND entry = ? */
  async find(branch: string, entry: string): Promise<Row | undefined> {
    return this.#rows.get(keyOf({ branch, entry }));
  }

  /** INSERT …, or UPDATE … WHERE changed = ?; undefined: no row was affected. */
  async write(given: Omit<Row, "changed">, expected: number | undefined): Promise<number | undefined> {
    const previous = this.#rows.get(keyOf(given));
    if (previous?.changed !== expected) return undefined;
    const row = { ...given, changed: ++this.#changes };
    this.#rows.set(keyOf(row), row);
    this.#log.push({ type: previous ? "MODIFIED" : "ADDED", row, previous });
    return row.changed;
  }

  /** DELETE WHERE branch = ? AND entry = ? AND changed = ? */
  async delete(key: Pick<Row, "branch" | "entry">, expected: number): Promise<number | undefined> {
    const previous = this.#rows.get(keyOf(key));
    if (previous?.changed !== expected) return undefined;
    this.#rows.delete(keyOf(key));
    this.#log.push({ type: "DELETED", row: { ...previous, changed: ++this.#changes }, previous });
    return this.#changes;
  }
}

export const keyOf = ({ branch, entry }: Pick<Row, "branch" | "entry">): string => `${branch}/${entry}`;
