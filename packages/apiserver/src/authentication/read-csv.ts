const bareQuote = 'bare " in non-quoted-field';
const oddQuote = 'extraneous or missing " in quoted-field';

/**
 * Records of comma-separated fields. A field in double quotes may hold commas, lines and doubled quotes; empty lines are passed over.
 * @throws in the words of Go's reader when a quote stands where none may
 */
export function readCsv(text: string): string[][] {
  const lines = text.replaceAll("\r\n", "\n").split(/(?<=\n)/);
  const records: string[][] = [];
  for (let at = 0; at < lines.length; at++) {
    if (lines[at] === "\n" || lines[at] === "") continue;
    const { fields, last } = readRecord(lines, at);
    records.push(fields);
    at = last;
  }
  return records;
}

function readRecord(lines: readonly string[], first: number): { fields: string[]; last: number } {
  const fields: string[] = [];
  let at = first;
  let line = lines[at] ?? "";
  let column = 0;
  const refuse = (why: string): never => {
    throw new Error(
      `${at === first ? "" : `record on line ${first + 1}; `}parse error on line ${at + 1}, column ${column + 1}: ${why}`,
    );
  };
  for (;;) {
    let field = "";
    if (line[column] === '"') {
      column++;
      for (;;) {
        const quote = line.indexOf('"', column);
        if (quote >= 0) {
          field += line.slice(column, quote);
          column = quote + 1;
          if (line[column] !== '"') break;
          field += '"';
          column++;
          continue;
        }
        field += line.slice(column);
        column += line.length - column;
        const next = lines[at + 1];
        if (next === undefined) refuse(oddQuote);
        at++;
        line = next ?? "";
        column = 0;
      }
      if (column < line.length && line[column] !== "," && line[column] !== "\n") {
        column--;
        refuse(oddQuote);
      }
    } else {
      const comma = line.indexOf(",", column);
      field = line.slice(column, comma < 0 ? line.length : comma).replace(/\n$/, "");
      const quote = field.indexOf('"');
      if (quote >= 0) {
        column += quote;
        refuse(bareQuote);
      }
      column += field.length;
    }
    fields.push(field);
    if (line[column] !== ",") return { fields, last: at };
    column++;
  }
}
