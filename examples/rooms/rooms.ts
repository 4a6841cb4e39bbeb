// A kind from its TypeScript type: names, schema, defaults, columns and limits stand in api/v1/room.ts, behaviour here.
import { readFileSync } from "node:fs";
import { type ApiGroup, fieldPath, groupsOf, invalid, kindOfDefinition } from "@coxswain/apiserver/library";
import { generateDefinitions } from "@coxswain/schema-types";
import type { Room } from "./api/v1/room.js";

/** `sources`: the folder of this program's sources, where the types are. */
export function roomsFrom(sources: URL): ApiGroup[] {
  const read = (path: string) => readFileSync(new URL(path, sources), "utf8");
  const { definitions } = generateDefinitions(["api/v1/room.ts"], read);
  return groupsOf(
    definitions.map((definition) =>
      kindOfDefinition<Room>(definition, {
        strategy: {
          validateUpdate: (room, old) =>
            room.spec.floor === old.spec.floor
              ? []
              : [invalid(fieldPath("spec", "floor"), room.spec.floor, "rooms do not move")],
        },
      }),
    ),
  );
}
