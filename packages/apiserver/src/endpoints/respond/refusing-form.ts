import type { StatusError } from "@coxswain/apimachinery/status";
import { type Form } from "../../request/form.js";
import { jsonForm } from "./json-form.js";

/** A form that cannot be answered. Upstream finds that out when it writes the answer, so a write has happened by then. */
export function createRefusingForm(error: StatusError): Form {
  const refuse = (): never => {
    throw error;
  };
  return { ...jsonForm, object: refuse, list: refuse, stream: refuse };
}
