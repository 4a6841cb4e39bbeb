import { createTypeRegistry, type TypeRegistry } from "@coxswain/apimachinery/schema";
import { tables } from "../gen/tables.js";

/** Every type of Kubernetes 1.36 by its OpenAPI name, old API versions too. Nothing is read before the first `get`. */
export const builtInTypes: TypeRegistry = createTypeRegistry(tables);
