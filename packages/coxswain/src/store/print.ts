import { largest } from "@coxswain/apimachinery/append";
/** Names and values below each other, aligned. */
export function printPairs(pairs: readonly (readonly [string, string])[]): void {
  const width = largest(pairs.map(([name]) => name.length)) + 3;
  process.stdout.write(pairs.map(([name, value]) => `${`${name}:`.padEnd(width)}${value}\n`).join(""));
}

export const printTable = (header: readonly string[], rows: readonly (readonly string[])[]): void =>
  void process.stdout.write(`${tableLines(header, rows).join("\n")}\n`);

/** A table as kubectl prints it: columns as wide as their widest cell, three spaces apart. */
export function tableLines(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = header.map((title, column) =>
    largest(
      rows.map((row) => row[column]?.length ?? 0),
      title.length,
    ),
  );
  return [header, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("   ")
      .trimEnd(),
  );
}

export const printJson = (value: unknown): void =>
  void process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);

const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];

/** `12.3 MiB` */
export function formatSize(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`;
}
