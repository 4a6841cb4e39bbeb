import { describe, expect, it } from "vitest";
import { interfaceName, readClass, readInterface } from "./read-declarations.js";

const classText = `import { V1Hull } from '../models/V1Hull.js';
/**
* A boat.
*/
export declare class V1Boat {
    /**
    * Its \\"own\\" name.
    */
    '_continue'?: string;
    'hull'?: V1Hull;
    static readonly discriminator: string | undefined;
}
`;

const interfaceText = `import { Model } from "@kubernetes-models/base";
/**
 * A boat.
 */
export interface IBoat {
    "apiVersion": "v1";
    /**
     * What it swims with:
     *   \\* wood
     *
     * Or steel.
     */
    "hull"?: IIoK8sApiBoatsV1Hull;
    /**
     * Its masts.
     */
    "masts": Array<string>;
}
/**
 * The class.
 */
export declare class Boat extends Model<IBoat> implements IBoat {
    "hull"?: IIoK8sApiBoatsV1Hull;
}
`;

describe("texts from declarations", () => {
  it("of a class have no text for a member that is a struct", () => {
    const { description, members, names } = readClass(classText);
    expect({ description, members: [...members], names }).toEqual({
      description: "A boat.",
      members: [["continue", 'Its "own" name.']],
      names: ["continue", "hull"],
    });
  });

  it("of an interface have the member's own text, with its lines", () => {
    const { description, members } = readInterface(interfaceText);
    expect({ description, members: [...members] }).toEqual({
      description: "A boat.",
      members: [
        ["hull", "What it swims with:\n  * wood\n\nOr steel."],
        ["masts", "Its masts."],
      ],
    });
  });

  it("are found by the type's name", () =>
    expect([
      interfaceName("io.k8s.api.apps.v1.Scale"),
      interfaceName("io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService"),
    ]).toEqual(["IIoK8sApiAppsV1Scale", "IIoK8sKubeAggregatorPkgApisApiregistrationV1APIService"]));
});
