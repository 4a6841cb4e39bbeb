/** Letters of a cell as it is read; more do not fit on one line of a wide table. */
const longest = 160;

/** Cells of a page's tables that are no longer a line: figures and their story belong to another page, which the cell links to. */
export function checkLongCells({ path, text }: { readonly path: string; readonly text: string }): string[] {
  return text.split("\n").flatMap((line, at) =>
    (line.startsWith("|") ? line.replace(/^\| | \|$/g, "").split(" | ") : [])
      .map((cell) => cell.replace(/\]\([^)]*\)/g, "]").length)
      .filter((letters) => letters > longest)
      .map(
        (letters) =>
          `${path}:${at + 1} has a cell of ${letters} letters (at most ${longest}): move what is more than a line to the page that it links to.`,
      ),
  );
}
