import type { ComponentProps } from "preact";

/** Does something at once; it sends no form. */
export const Button = (props: ComponentProps<"button">) => <button type="button" {...props} />;
