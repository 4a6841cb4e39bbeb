import type { BodyType, Route, RouteParameter } from "../routes/route.js";
import type { Dialect } from "../schemas/openapi-schema.js";
import { isShared, sharedName, type WrittenParameter } from "./shared-parameters.js";

export interface OperationWriter {
  operation(route: Route, parameters: readonly RouteParameter[]): unknown;
  parameter(this: void, of: RouteParameter): unknown;
  /** Types that were named since the last call. */
  takeUsedTypes(): string[];
  sharedParameters(): ReadonlyMap<string, WrittenParameter>;
}

export function createOperationWriter(dialect: Dialect): OperationWriter {
  let used = new Set<string>();
  const shared = new Map<string, WrittenParameter>();
  const written = new Map<RouteParameter, unknown>();
  const bodies = new Map<string, unknown>();

  function bodySchema(type: BodyType): { $ref: string } | { type: string } {
    if (!("ref" in type)) return { type: type.type };
    used.add(type.ref);
    return { $ref: dialect.refPrefix + type.ref };
  }

  function share(parameter: WrittenParameter): unknown {
    if (!isShared(parameter)) return parameter;
    const name = sharedName(parameter);
    shared.set(name, parameter);
    return { $ref: `#/parameters/${name}` };
  }

  function parameter(of: RouteParameter): unknown {
    let made = written.get(of);
    if (made === undefined) {
      const { name, in: place, type, description } = of;
      made = share({
        uniqueItems: true,
        type,
        ...(description === undefined ? {} : { description }),
        name,
        in: place,
        ...(place === "path" ? { required: true } : {}),
      });
      written.set(of, made);
    }
    return made;
  }

  function bodyParameter({ type, required }: NonNullable<Route["body"]>): unknown {
    const schema = bodySchema(type);
    const key = JSON.stringify([schema, required]);
    let made = bodies.get(key);
    if (made === undefined)
      bodies.set(key, (made = share({ name: "body", in: "body", ...(required ? { required } : {}), schema })));
    return made;
  }

  return {
    parameter,
    operation(route, parameters) {
      const { body } = route;
      const place = parameters.findIndex(({ name }) => name > "body");
      const all = parameters.map(parameter);
      if (body) all.splice(place < 0 ? all.length : place, 0, bodyParameter(body));
      const responses = route.responses.map(({ code, description, body: answer }) => [
        code,
        answer === undefined ? { description } : { description, schema: bodySchema(answer) },
      ]);
      return operationOf(route, all, Object.fromEntries(responses));
    },
    takeUsedTypes() {
      const names = [...used];
      used = new Set();
      return names;
    },
    sharedParameters: () => shared,
  };
}

/** Members in the order in which upstream writes them. */
function operationOf(route: Route, parameters: readonly unknown[], responses: object): object {
  const { kind, consumes } = route;
  return {
    description: route.description,
    ...(consumes.length > 0 ? { consumes } : {}),
    produces: route.produces,
    schemes: ["https"],
    tags: [route.tag],
    operationId: route.operationId,
    ...(parameters.length > 0 ? { parameters } : {}),
    responses,
    ...(kind
      ? {
          "x-kubernetes-action": route.action,
          "x-kubernetes-group-version-kind": { group: kind.group, kind: kind.kind, version: kind.version },
        }
      : {}),
  };
}
