import { signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

const storageKey = "coxswain.theme";
const known = (text: string | null): Theme => (text === "light" || text === "dark" ? text : "system");

export const theme = signal<Theme>(known(localStorage.getItem(storageKey)));

export function applyTheme(): void {
  if (theme.value === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme.value;
}

export function nextTheme(): void {
  theme.value = theme.value === "system" ? "light" : theme.value === "light" ? "dark" : "system";
  localStorage.setItem(storageKey, theme.value);
  applyTheme();
}
