import type { Signal } from "@preact/signals";

/** A box to tick that holds a signal. */
export const Check = ({ label, value }: { readonly label: string; readonly value: Signal<boolean> }) => (
  <label>
    <input type="checkbox" checked={value.value} onChange={(event) => (value.value = event.currentTarget.checked)} />{" "}
    {label}
  </label>
);

interface TextProps {
  readonly label: string;
  readonly value: Signal<string>;
  readonly required?: boolean;
  readonly placeholder?: string;
  readonly inputMode?: "numeric";
  readonly pattern?: string;
}

/** A line of text that holds a signal. */
export const Text = ({ label, value, ...others }: TextProps) => (
  <label>
    {label} <input {...others} value={value.value} onInput={(event) => (value.value = event.currentTarget.value)} />
  </label>
);
