import { type CheckedExpr } from "./checked.js";

/** A check of a whole expression, after its types are known. Reports at nodes. */
export type Validator = (checked: CheckedExpr, report: (id: number, message: string) => void) => void;
