/** At most `most` items, and how many more there are. */
export function shortened(items: readonly string[], most: number, separator = ","): string {
  const shown = items.slice(0, most).join(separator);
  return items.length > most ? `${shown} + ${items.length - most} more...` : shown;
}
