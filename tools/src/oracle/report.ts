/** What became of a subject's cases. */
export interface Row {
  kind: string;
  cases: number;
  equal: number;
  different: number;
  accepted: number;
}

/** One line per subject and one for all, with differences in a thousand. */
export function formatTable(rows: readonly Row[]): string {
  const total = rows.reduce<Row>(
    (sum, row) => ({
      kind: "all",
      cases: sum.cases + row.cases,
      equal: sum.equal + row.equal,
      different: sum.different + row.different,
      accepted: sum.accepted + row.accepted,
    }),
    { kind: "all", cases: 0, equal: 0, different: 0, accepted: 0 },
  );
  const width = Math.max(4, ...rows.map(({ kind }) => kind.length));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(width) : cell.padStart(9))).join(" ");
  const cells = ({ kind, cases, equal, different, accepted }: Row): string[] => [
    kind,
    ...[cases, equal, different, accepted].map(String),
    ((different / Math.max(1, cases)) * 1000).toFixed(1),
  ];
  return [
    line(["kind", "cases", "equal", "different", "accepted", "in 1000"]),
    ...[...rows, total].map((row) => line(cells(row))),
  ].join("\n");
}
