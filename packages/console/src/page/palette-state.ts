import { signal } from "@preact/signals";

/** The text in the search box; undefined while it is closed. */
export const paletteText = signal<string | undefined>(undefined);

export const openPalette = (text: string): void => void (paletteText.value = text);
export const closePalette = (): void => void (paletteText.value = undefined);
